package playerdata

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Player reads a page of everything that is kept of a player: the first page, or the one after
// a cursor. For an unknown player the page is empty.
//
// Errors: ErrCursor.
//
// Cost, of a first page: 5 billed commands, 1 for each mode, those of leaderboard.Me, of Data and
// of the sources. Of a further page: none but those of the sources' lists.
func (s *Service) Player(ctx context.Context, player, cursor string) (Document, error) {
	d := &reading{s: s, Document: Document{Player: player, ReadAt: s.Now().UTC(), Sources: []string{"redis"}}}
	if s.Archive != nil {
		d.Sources = append(d.Sources, "database")
	}
	var err error
	if cursor == "" {
		err = d.begin(ctx)
	} else {
		d.at, err = s.open(player, cursor)
	}
	if err == nil {
		err = d.lists(ctx)
	}
	if err != nil {
		return Document{}, err
	}
	d.at.Issued = d.ReadAt
	if d.Next, err = s.cursor(player, d.at); err != nil {
		return Document{}, err
	}
	d.callModes()
	if d.About != nil {
		d.Known = d.isKnown() || d.at.more()
	}
	d.Results, d.Submissions = orEmpty(d.Results), orEmpty(d.Submissions)
	d.Achievements, d.Acts = orEmpty(d.Achievements), orEmpty(d.Acts)
	return d.Document, nil
}

// orEmpty makes a list without rows [] in JSON, not null.
func orEmpty[Row any](rows []Row) []Row {
	if rows == nil {
		return []Row{}
	}
	return rows
}

// reading is a page that is being read.
type reading struct {
	s *Service
	Document
	at       places
	live     []Result // from Redis, newest first
	anything bool     // a source has something of the player
}

// begin reads About, and the results that only Redis has.
func (d *reading) begin(ctx context.Context) error {
	d.About = &About{}
	whole := map[Day]bool{}
	if d.s.Archive != nil {
		var err error
		// Boards of days live some months at the most.
		if whole, err = d.s.Archive.WholeDays(ctx, game.DateOf(d.s.Now()).AddDays(-366)); err != nil {
			return err
		}
		d.at.Results, d.at.Submissions = &Day{}, &SubmissionPlace{}
		d.at.Achievements, d.at.Acts = &game.Achievement{}, &Act{}
	}
	if err := d.about(ctx); err != nil {
		return err
	}
	me, err := d.s.Boards.Me(ctx, d.Player, nil)
	if err != nil {
		return err
	}
	if err := d.profile(ctx, me.Profile); err != nil {
		return err
	}
	d.standing(me)
	kept, err := d.s.Kept.Of(ctx, d.Player, d.Profile.Country, func(m *game.Mode, date game.Date) bool {
		return whole[Day{m.Name, date.String()}]
	})
	if err != nil {
		return err
	}
	d.keep(kept)
	return d.others(ctx, kept.Banned)
}

// standing fills in XP and streak. If the game no longer has them, it fills in what is still
// kept.
func (d *reading) standing(me leaderboard.Me) {
	if d.s.Game.GivesXP() || me.XP != 0 {
		level := d.s.Game.Level.Level(me.XP)
		d.XP, d.Level = &me.XP, &level
	}
	if !d.s.Game.Streak.Off || me.Streak != (game.Streak{}) {
		d.Streak = newStreak(me.Streak)
	}
}

// profile prefers the profile in Redis to the archive's.
func (d *reading) profile(ctx context.Context, p game.Profile) (err error) {
	d.Profile = newProfile(p)
	if d.Profile == (Profile{}) && d.s.Archive != nil {
		d.Profile, err = d.s.Archive.Profile(ctx, d.Player)
	}
	return err
}

// keep fills in what boards have.
func (d *reading) keep(kept Data) {
	d.GroupsPlayed, d.Devices = []string{}, []Device{}
	for _, group := range kept.Groups {
		if group.Kind() != game.Group {
			continue // levels are with the results
		}
		d.GroupsPlayed = append(d.GroupsPlayed, group.ID())
	}
	for _, device := range kept.Devices {
		d.Devices = append(d.Devices, Device{device.Device, device.At})
	}
	for _, r := range kept.Results {
		d.live = append(d.live, d.s.result(r.Mode.Name, r.Date, r.Score, r.Scopes, r.Details))
		d.at.Live = append(d.at.Live, Day{r.Mode.Name, r.Date.String()})
	}
}

// others reads what is neither on boards nor in an unbounded list.
func (d *reading) others(ctx context.Context, banned bool) error {
	if banned {
		d.Ban = &game.Ban{}
	}
	d.Claims = []Claim{}
	if d.s.Archive == nil {
		return nil
	}
	ban, err := d.s.Archive.Ban(ctx, d.Player)
	if err != nil {
		return err
	}
	if ban != nil {
		ban.Player = ""
		d.Ban = ban
	}
	return d.claims(ctx)
}

// lists continues every list that has not ended.
func (d *reading) lists(ctx context.Context) error {
	r := &room{left: mostBytes}
	for _, result := range d.live {
		r.takes(asJSON(result))
	}
	d.Results = d.live
	for _, step := range []func(context.Context, *room) error{d.results, d.submissions, d.sources, d.achievements, d.acts} {
		if err := step(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// results leaves out the days of which Redis has more.
func (d *reading) results(ctx context.Context, r *room) error {
	rows, next, err := fill(ctx, d.at.Results, mostResults-len(d.live), r,
		func(ctx context.Context, after Day, limit int) ([]Result, error) {
			rows, err := d.s.Archive.Results(ctx, d.Player, "", after, limit)
			stand := make([]Result, len(rows))
			for i, row := range rows {
				stand[i] = d.s.result(row.Mode, row.Date, row.Score(), scopesOf(row.Scopes), row.Details)
			}
			return stand, err
		},
		Result.day,
		func(row Result) int {
			if slices.Contains(d.at.Live, row.day()) {
				return 0
			}
			return asJSON(row)
		})
	for _, row := range rows {
		if !slices.Contains(d.at.Live, row.day()) {
			d.Results = append(d.Results, row)
		}
	}
	if d.at.Results = next; next == nil {
		d.at.Live = nil
	}
	slices.SortStableFunc(d.Results, func(a, b Result) int { return strings.Compare(b.Date, a.Date) })
	return err
}

func (s *Service) result(mode string, date game.Date, score game.Score, scopes []game.Scope, details json.RawMessage) Result {
	return NewResult(s.Game, mode, date, score, scopes, details)
}

func (r Result) day() Day { return Day{r.Mode, r.Date} }

func (d *reading) submissions(ctx context.Context, r *room) (err error) {
	d.Submissions, d.at.Submissions, err = fill(ctx, d.at.Submissions, mostOthers, r,
		func(ctx context.Context, after SubmissionPlace, limit int) ([]Submission, error) {
			rows, err := d.s.Archive.Submissions(ctx, d.Player, "", after, limit)
			sent := make([]Submission, len(rows))
			for i, row := range rows {
				r := d.s.result(row.Mode, row.Date, game.TrueScore(row.Stored), row.Scopes, row.Details)
				sent[i] = Submission{r, row.At, SubmissionPlace{row.At, r.Mode, r.Date, row.StreamID}}
			}
			return sent, err
		},
		func(row Submission) SubmissionPlace { return row.place }, asJSON[Submission])
	return err
}

func (d *reading) achievements(ctx context.Context, r *room) (err error) {
	d.Achievements, d.at.Achievements, err = fill(ctx, d.at.Achievements, mostOthers, r,
		func(ctx context.Context, after game.Achievement, limit int) ([]game.Achievement, error) {
			return d.s.Archive.Achievements(ctx, d.Player, after, limit)
		},
		func(row game.Achievement) game.Achievement { return row }, asJSON[game.Achievement])
	return err
}

func (d *reading) acts(ctx context.Context, r *room) (err error) {
	d.Acts, d.at.Acts, err = fill(ctx, d.at.Acts, mostOthers, r,
		func(ctx context.Context, after Act, limit int) ([]Act, error) {
			return d.s.Archive.Acts(ctx, d.Player, after, limit)
		},
		func(row Act) Act { return Act{ID: row.ID, At: row.At} }, asJSON[Act])
	return err
}

// Day is a day of a mode.
type DayExport struct {
	Mode *game.Mode
	Date game.Date
}

// Standings reads a player's results on the boards of all players of some days, with details,
// in the order of days. It leaves out days that the player has not played.
//
// Cost: 1 billed command for each day, and for each that the player has played 1 more where
// the mode keeps details. In 2 round trips.
func (e *Export) Standings(ctx context.Context, player string, days []DayExport) ([]KeptResult, error) {
	places := make([]redis.Place, len(days))
	var p redis.Pipeline
	for i, d := range days {
		p.Add(upstash.Cmd("ZSCORE", game.DayBoardKey(d.Mode.Name, d.Date), player), redis.ScoreInto(&places[i]))
	}
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return nil, redis.Wrap("read a player's results", err)
	}
	var kept []*keptAt
	for i, d := range days {
		if places[i].Found {
			kept = append(kept, &keptAt{KeptResult: KeptResult{Mode: d.Mode, Date: d.Date}, place: places[i]})
		}
	}
	var of redis.Pipeline
	for _, at := range kept {
		at.fill(&of, player)
	}
	if _, err := of.Run(ctx, e.DB.Redis); err != nil {
		return nil, redis.Wrap("read the details of a player's results", err)
	}
	results := make([]KeptResult, len(kept))
	for i, at := range kept {
		results[i] = at.KeptResult
	}
	return results, nil
}

// fill sets the score that was read, and queues the read of its details.
func (at *keptAt) fill(p *redis.Pipeline, player string) {
	m := at.Mode
	at.Stored = at.place.Stored
	at.Score = m.Decode(at.Stored)
	if !m.Details {
		return
	}
	p.Add(upstash.Cmd("HGET", game.DetailsKey(m.Name, at.Date), player), func(r upstash.Reply) error {
		record, err := redis.Text(r)
		at.Details = game.DetailsOf(record, m, at.Stored)
		return err
	})
}

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
