package playerdata

import (
	"context"
)

// Statistics counts who plays, from the archive. For dates that still take scores it counts
// what cron-save saved last.
type Statistics struct {
	Counts
	Days []PlayedDay `json:"days"` // oldest first; dates without results are left out
}

// Counts are numbers of players.
type Counts struct {
	Known  int64 `json:"players"`  // with a profile
	Active int64 `json:"active_7"` // with a result on one of the last 7 dates, including today
	Banned int64 `json:"banned"`
}

// PlayedDay is the number of players, results and plays of a date.
type PlayedDay struct {
	Date    string           `json:"date"`
	Players int64            `json:"players"`         // with a result in any mode
	Results map[string]int64 `json:"results"`         // players with a result, by mode
	Plays   *int64           `json:"plays,omitempty"` // accepted, in games that keep each
}

// Statistics counts who has played on the last dates, including today. Errors: ErrNoArchive.
//
// Cost: none; 4 queries of the archive, which read every result of these dates.
func (s *Service) Statistics(ctx context.Context, days int) (Statistics, error) {
	if s.Archive == nil {
		return Statistics{}, ErrNoArchive
	}
	open := s.Game.OpenDates(s.Now())
	today := open[len(open)-1]
	counts, err := s.Archive.Counts(ctx, today)
	if err != nil {
		return Statistics{}, err
	}
	played, err := s.Archive.Played(ctx, today.AddDays(1-days), today)
	for i := range played {
		named := make(map[string]int64, len(played[i].Results))
		for mode, n := range played[i].Results {
			named[s.Game.Called(mode)] += n
		}
		played[i].Results = named
		if !s.Game.Outbox {
			played[i].Plays = nil
		}
	}
	return Statistics{counts, orEmpty(played)}, err
}

// Note writes an operator's act to the audit. Without an archive it returns ErrNoArchive: then
// only the log has the act.
func (s *Service) Note(ctx context.Context, act Act) error {
	if s.Archive == nil {
		return ErrNoArchive
	}
	return s.Archive.Note(ctx, act)
}
