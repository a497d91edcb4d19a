package people

import (
	"context"
)

// Statistics is who plays, as far as it is archived: of dates that take scores as
// cron-save has saved them last.
type Statistics struct {
	Counts
	Days []PlayedDay `json:"days"` // oldest first; dates without results are left out
}

// Counts are how many players there are.
type Counts struct {
	Known  int64 `json:"players"`  // of whom a profile is kept
	Active int64 `json:"active_7"` // who have a result on one of the last 7 dates, today's included
	Banned int64 `json:"banned"`
}

// PlayedDay is what was played on a date.
type PlayedDay struct {
	Date    string           `json:"date"`
	Players int64            `json:"players"`         // who have a result in any mode
	Results map[string]int64 `json:"results"`         // players with a result, by mode
	Plays   *int64           `json:"plays,omitempty"` // accepted, in games that keep each
}

// Statistics counts who has played on the last dates, today's included. Errors:
// ErrNoArchive.
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

// Note notes in the audit what an operator has done. Without an archive that is left to
// the log: ErrNoArchive.
func (s *Service) Note(ctx context.Context, act Act) error {
	if s.Archive == nil {
		return ErrNoArchive
	}
	return s.Archive.Note(ctx, act)
}
