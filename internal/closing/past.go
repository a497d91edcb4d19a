package closing

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/refill"
)

// ErrAtWork is returned where a schedule holds the boards all the time.
var ErrAtWork = errors.New("a schedule is at work; try again when it has ended")

// ModeDay is one mode's day.
type ModeDay struct {
	Mode *game.Mode
	Date game.Date
}

// Past is what has been brought in of a game's past.
type Past struct {
	// Archived are days that have left Redis and that the archive now has whole.
	Archived []ModeDay
	// Living are days whose boards can still be in Redis, and are not. They are made
	// there, and close as any other day.
	Living []ModeDay
	// Known are days of the past that were there before, in full.
	Known []ModeDay
	// Results reads a living day.
	Results func(context.Context, ModeDay) ([]game.Result, error)
	// Step is told how far it is.
	Step func(done, all int)
}

// TakenPast tells what was made of a past.
type TakenPast struct {
	Living  int   `json:"living"`  // days that were put into Redis
	Boards  int   `json:"boards"`  // of what is older than day boards live
	Streaks int   `json:"streaks"` // players
	Names   int   `json:"names"`   // players whom Redis did not know by name
	Periods int   `json:"periods"` // weeks, months and seasons that were closed
	Closed  Daily `json:"closed"`
	Spent   `json:"-"`
}

// TakePast makes the boards hold a past: all time, XP, streaks, and the weeks, months
// and seasons that are alive, by what a restore and the schedules make them of. Those
// that are over get their tops and achievements. The archive must have everything
// that Redis knows of days that have expired. It may be repeated, and holds off the
// schedules while it runs; boards are replaced in one step each, and days that
// players play on meanwhile are not touched.
func (c *Closing) TakePast(ctx context.Context, p Past) (TakenPast, error) {
	t := &takePast{c: c, clock: c.clock(), Past: p, report: &TakenPast{}}
	if c.Archive == nil {
		return *t.report, ErrNoArchive
	}
	periods := t.over()
	lasting := t.lasting()
	t.all = len(p.Living) + len(lasting) + 3 + len(periods)
	spent, err := c.metered(ctx, func(ctx context.Context) error {
		err := t.alone(ctx, "daily", func(ctx context.Context) error { return t.boards(ctx, lasting) })
		if err != nil {
			return err
		}
		return t.alone(ctx, "weekly", func(ctx context.Context) error {
			for _, p := range periods {
				if _, err := c.Period(ctx, p); err != nil {
					return err
				}
				t.report.Periods++
				t.step()
			}
			return nil
		})
	})
	t.report.Spent = spent
	return *t.report, err
}

type takePast struct {
	c *Closing
	clock
	Past
	report    *TakenPast
	done, all int
}

// alone runs a job that must not be left out because another run is at work.
func (t *takePast) alone(ctx context.Context, job string, run func(context.Context) error) error {
	ran, err := t.c.Store.DB.WithLock(ctx, job, run)
	if err == nil && !ran {
		return ErrAtWork
	}
	return err
}

func (t *takePast) step() {
	if t.done++; t.Step != nil {
		t.Step(t.done, t.all)
	}
}

// over are the weeks, months and seasons that are over and have a day of the past,
// and the one behind each, which tells of the ranks before; in the order in which
// they ended.
func (t *takePast) over() []game.Period {
	met := map[game.Period]struct{}{}
	for _, d := range slices.Concat(t.Archived, t.Living, t.Known) {
		for _, p := range t.game.PeriodsOf(d.Date) {
			if p.Kind() != game.AllTime {
				met[p] = struct{}{}
			}
		}
	}
	for _, p := range slices.Collect(maps.Keys(met)) {
		if next, ok := t.behind(p); ok {
			met[next] = struct{}{}
		}
	}
	periods := slices.DeleteFunc(slices.Collect(maps.Keys(met)), func(p game.Period) bool { return !t.closed(p) })
	slices.SortFunc(periods, func(a, b game.Period) int {
		if n := a.Last().Compare(b.Last()); n != 0 {
			return n
		}
		return int(a.Kind()) - int(b.Kind())
	})
	return periods
}

// behind is the period whose one before is p; false where the game has no later season.
func (t *takePast) behind(p game.Period) (game.Period, bool) {
	if p.Kind() != game.Season {
		return p.Kind().Of(p.Last().AddDays(1)), true
	}
	for _, next := range t.game.AllSeasons() {
		if before, ok := next.Previous(); ok && before == p {
			return next, true
		}
	}
	return game.Period{}, false
}

// lasting are the months and seasons of each mode, by the days of the past.
func (t *takePast) lasting() map[*game.Mode][]game.Period {
	of := map[*game.Mode][]game.Period{}
	for _, d := range slices.Concat(t.Archived, t.Living, t.Known) {
		for _, p := range t.game.OutlivingOf(d.Date) {
			if p.Kind() != game.AllTime && !slices.Contains(of[d.Mode], p) {
				of[d.Mode] = append(of[d.Mode], p)
			}
		}
	}
	return of
}

// boards is the daily job's part. What it closes, it rolls up: from then on each
// board of what is rolled up is all that the archive has up to the last day that is.
func (t *takePast) boards(ctx context.Context, lasting map[*game.Mode][]game.Period) error {
	if err := t.living(ctx); err != nil {
		return err
	}
	if err := t.names(ctx); err != nil { // a day closes with its players' countries
		return err
	}
	if err := t.c.daily(ctx, &t.report.Closed); err != nil {
		return err
	}
	if n := len(t.report.Closed.Unfinished); n > 0 {
		return errors.New("not every day could be closed; try again")
	}
	t.step()
	if err := t.noteRolledUp(ctx); err != nil {
		return err
	}
	for _, m := range t.game.Modes {
		if len(lasting[m]) == 0 {
			continue
		}
		if err := t.rolledUp(ctx, m, lasting[m]); err != nil {
			return err
		}
		if err := t.teams(ctx, m); err != nil {
			return err
		}
		t.step()
	}
	r := &restore{clock: t.clock, archive: t.c.Archive, redis: t.c.Store, report: &Restored{}}
	for _, part := range []func(context.Context) error{t.xp, r.streaks} {
		if err := part(ctx); err != nil {
			return err
		}
		t.step()
	}
	t.report.Streaks = r.report.Streaks
	_, err := t.c.Store.Rollup.RefreshPeriod(ctx, game.AllTime.Of(game.Date{}))
	return err
}

// living puts days into Redis that can still be there. They are not closed.
func (t *takePast) living(ctx context.Context) error {
	for _, d := range t.Living {
		if !t.lives(game.Day.Of(d.Date)) {
			return errors.New("the board of " + d.Date.String() + " has reached its end meanwhile; try again")
		}
		results, err := t.Results(ctx, d)
		if err != nil {
			return err
		}
		if err := t.c.Store.Refill.RestoreDay(ctx, d.Mode, d.Date, results, false, ""); err != nil {
			return err
		}
		t.report.Living++
		t.step()
	}
	return nil
}

// noteRolledUp has weeks know of days that their boards cannot be made from.
func (t *takePast) noteRolledUp(ctx context.Context) error {
	rolledUp := map[*game.Mode]map[game.Date][]game.Scope{}
	for _, d := range t.Archived {
		if !slices.ContainsFunc(t.game.OutlivingOf(d.Date), func(p game.Period) bool { return p.Kind() != game.AllTime && t.lives(p) }) {
			continue
		}
		scopes, err := t.c.Archive.Results.Scopes(ctx, d.Mode.Name, d.Date, d.Date)
		if err != nil {
			return err
		}
		if rolledUp[d.Mode] == nil {
			rolledUp[d.Mode] = map[game.Date][]game.Scope{}
		}
		rolledUp[d.Mode][d.Date] = written(scopes)
	}
	for m, days := range rolledUp {
		if err := refill.NoteDaysRolledUp(ctx, t.c.Store.Refill, m, days); err != nil {
			return err
		}
	}
	return nil
}

// rolledUp makes what all time and the living ones of some months and seasons hold of
// days that have been rolled up. Those of groups are rolled up before those of all players.
func (t *takePast) rolledUp(ctx context.Context, m *game.Mode, lasting []game.Period) error {
	last, err := t.c.Store.Rollup.Calendar.RolledUpThrough(ctx, m, game.Scope{})
	if err != nil {
		return err
	}
	if expired := t.oldest().AddDays(-1); last.Before(expired) {
		last = expired
	}
	err = t.rollUp(ctx, m, game.AllTime.Of(last), last)
	for _, p := range lasting {
		if err == nil && t.lives(p) && !p.First().After(last) {
			err = t.rollUp(ctx, m, p, last)
		}
	}
	return err
}

// teams makes the board of all time on which groups are ranked, with those that have
// not played for so long that no day of theirs is on the index.
func (t *takePast) teams(ctx context.Context, m *game.Mode) error {
	if !m.HasScope(game.Teams) {
		return nil
	}
	b := game.BoardOf(m, game.AllTime.Of(game.Date{}), game.TeamsScope())
	all, err := totals(ctx, t.c.Archive, b, t.today().AddDays(1))
	if err != nil {
		return err
	}
	return t.c.Store.Rollup.Replace(ctx, b, all)
}

// rollUp makes what a period holds of rolled-up days through one, for everybody and each group.
func (t *takePast) rollUp(ctx context.Context, m *game.Mode, p game.Period, last game.Date) error {
	everybody := game.BoardOf(m, p, game.Scope{})
	put := func(scope game.Scope, all map[string]float64) error {
		if len(all) == 0 {
			return nil
		}
		t.report.Boards++
		return t.c.Store.Refill.RestoreRolledUp(ctx, game.BoardOf(m, p, scope), all)
	}
	all, err := totals(ctx, t.c.Archive, everybody, last)
	if err == nil {
		err = put(game.Scope{}, all)
	}
	if err != nil || !game.WritesScopes(m) {
		return err
	}
	return t.c.Archive.Results.GroupTotals(ctx, through(everybody, last), put)
}

// xp makes the XP of days that are rolled up: of those whose boards have expired, and of
// those of the others that the index says so of.
func (t *takePast) xp(ctx context.Context) error {
	oldest := t.oldest()
	total, err := xpTotals(ctx, t.c.Archive, t.game.Modes, beginning, oldest.AddDays(-1))
	if err != nil {
		return err
	}
	rolledUp, err := refill.RolledUpXP(ctx, t.c.Store.Refill)
	if err != nil {
		return err
	}
	for d := oldest; t.closed(game.Day.Of(d)); d = d.AddDays(1) {
		if !rolledUp[d] {
			continue
		}
		of, err := xpTotals(ctx, t.c.Archive, t.game.Modes, d, d)
		if err != nil {
			return err
		}
		for player, xp := range of {
			total[player] += xp
		}
		if err := t.c.Store.Rollup.Replace(ctx, game.Board{Key: game.XPDayKey(d), Period: game.Day.Of(d)}, of); err != nil {
			return err
		}
	}
	if len(total) == 0 {
		return nil
	}
	return t.c.Store.Refill.RestoreXP(ctx, nil, total)
}

// names tells Redis how players are called whom it does not know by name.
func (t *takePast) names(ctx context.Context) error {
	return t.c.Archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
		for some := range slices.Chunk(page, profiles.MostTold) {
			if err := t.nameSome(ctx, some); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *takePast) nameSome(ctx context.Context, some []game.PlayerProfile) error {
	players := make([]string, len(some))
	for i, p := range some {
		players[i] = p.Player
	}
	known, err := t.c.Store.Players.ProfilesOf(ctx, players)
	if err != nil {
		return err
	}
	var news []game.PlayerProfile
	for i, p := range some {
		has := known[i]
		fill := game.Profile{Name: p.Name, Picture: p.Picture, Country: p.Country}
		if has.Name != "" {
			fill.Name = ""
		}
		if has.Picture != "" {
			fill.Picture = ""
		}
		if has.Country != "" {
			fill.Country = ""
		}
		if fill != (game.Profile{}) {
			news = append(news, game.PlayerProfile{Player: p.Player, Profile: fill, UpdatedAt: p.UpdatedAt})
		}
	}
	if len(news) == 0 {
		return nil
	}
	saved, err := t.c.Store.Players.SaveAllTold(ctx, news, false)
	t.report.Names += len(saved)
	return err
}
