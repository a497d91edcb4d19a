package closing

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
)

// ImportedDays is the part of a game's past that was imported.
type ImportedDays struct {
	// Archived are days that have left Redis and that the archive now has complete.
	Archived []lifecycle.ModeDay
	// Living are days whose boards may still be in Redis, but are not. They are made there,
	// and close like other days.
	Living []lifecycle.ModeDay
	// Known are days of the past that existed before, complete.
	Known []lifecycle.ModeDay
	// Results reads a living day.
	Results func(context.Context, lifecycle.ModeDay) ([]game.Result, error)
	// Step is called with the number of steps done, and of all.
	Step func(done, all int)
}

// TakenPast is what was made of a past.
type TakenPast struct {
	Living  int   `json:"living"`  // days that were put into Redis
	Boards  int   `json:"boards"`  // of days that are older than day boards live
	Streaks int   `json:"streaks"` // players
	Names   int   `json:"names"`   // players whose names Redis did not know
	Periods int   `json:"periods"` // weeks, months and seasons that were closed
	Closed  Daily `json:"closed"`
	Spent   `json:"-"`
}

// TakePast makes the boards contain a past: all time, XP, streaks, and the weeks, months and
// seasons that have not expired. It does so with the code of a restore and of the schedules.
// Periods that are over get their tops and achievements, and players the badges that follow from
// the past. The archive must have everything that
// Redis knows of expired days. TakePast may be repeated, and keeps schedules from running
// meanwhile. It replaces each board in one atomic step, and does not touch days that players
// play on meanwhile.
func (c *Closing) TakePast(ctx context.Context, p ImportedDays) (TakenPast, error) {
	t := &takePast{c: c, clock: c.clock(), ImportedDays: p, report: &TakenPast{}}
	if c.Archive == nil {
		return *t.report, ErrNoArchive
	}
	periods := t.over()
	lasting := t.lasting()
	t.all = len(p.Living) + len(lasting) + 4 + len(periods)
	spent, err := c.metered(ctx, func(ctx context.Context) error {
		err := alone(ctx, c.Store.DB, "daily", func(ctx context.Context) error { return t.boards(ctx, lasting) })
		if err != nil {
			return err
		}
		return alone(ctx, c.Store.DB, "weekly", func(ctx context.Context) error {
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
	ImportedDays
	report    *TakenPast
	done, all int
}

func (t *takePast) step() {
	if t.done++; t.Step != nil {
		t.Step(t.done, t.all)
	}
}

// over returns the weeks, months and seasons that are over and contain a day of the past, and
// the period after each, whose snapshot has the ranks of the period before; in the order of
// their ends.
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

// behind returns the period that follows p; false if the game has no later season.
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

// lasting returns the months and seasons of each mode that contain days of the past.
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

// boards does the work of the daily job. It rolls up what it closes: from then on each
// rolled-up board equals everything that the archive has up to the last rolled-up day. It leaves
// the past's periods open: their boards still lack the older days.
func (t *takePast) boards(ctx context.Context, lasting map[*game.Mode][]game.Period) error {
	if err := t.living(ctx); err != nil {
		return err
	}
	if err := t.names(ctx); err != nil { // a closing day needs its players' countries
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
	r := &restoring{c: t.c, clock: t.clock, report: &RestoreReport{}}
	badges := func(ctx context.Context) error { // the closing above knew nothing of the days before
		return t.c.closePeriods(ctx, lifecycle.Night{Back: slices.Concat(t.Archived, t.Living, t.Known)})
	}
	for _, part := range []func(context.Context) error{t.xp, r.streaks, badges} {
		if err := part(ctx); err != nil {
			return err
		}
		t.step()
	}
	t.report.Streaks = r.report.Streaks
	if _, err := t.c.Store.Rollup.RefreshPeriod(ctx, game.AllTime.Of(game.Date{})); err != nil {
		return err
	}
	// From now on a loss of this Redis is noticed, even if no day was played in it.
	source, err := t.c.Store.Notices.Source(ctx)
	if err != nil {
		return err
	}
	return t.c.Archive.Days.Name(ctx, source)
}

// living puts the days into Redis that may still be there. They are not closed.
func (t *takePast) living(ctx context.Context) error {
	for _, d := range t.Living {
		if !t.lives(game.Day.Of(d.Date)) {
			return errors.New("the board of " + d.Date.String() + " has ended in the meantime; try again")
		}
		results, err := t.Results(ctx, d)
		if err != nil {
			return err
		}
		if err := t.c.Store.Restore.RestoreDay(ctx, d.Mode, d.Date, results, false, ""); err != nil {
			return err
		}
		t.report.Living++
		t.step()
	}
	return nil
}

// noteRolledUp notes in the index the days that weeks can no longer be made from.
func (t *takePast) noteRolledUp(ctx context.Context) error {
	rolledUp := map[*game.Mode]map[game.Date][]game.Scope{}
	for _, d := range t.Archived {
		if !t.outlived(d.Date) {
			continue
		}
		scopes, err := writtenScopes(ctx, t.c.Archive, d.Mode, d.Date, d.Date)
		if err != nil {
			return err
		}
		if rolledUp[d.Mode] == nil {
			rolledUp[d.Mode] = map[game.Date][]game.Scope{}
		}
		rolledUp[d.Mode][d.Date] = scopes
	}
	for m, days := range rolledUp {
		if err := t.c.Store.Restore.NoteDaysRolledUp(ctx, m, days); err != nil {
			return err
		}
	}
	return nil
}

// rolledUp makes the rolled-up days of all time, and of those months and seasons that still
// live. Boards of groups are rolled up before those of all players.
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

// teams makes the board of teams of all time, including groups that have not played for so
// long that no day of theirs is on the index.
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

// rollUp makes the rolled-up days of a period up to last, for the global board and each group.
func (t *takePast) rollUp(ctx context.Context, m *game.Mode, p game.Period, last game.Date) error {
	everybody := game.BoardOf(m, p, game.Scope{})
	put := func(scope game.Scope, all map[string]float64) error {
		if len(all) == 0 {
			return nil
		}
		t.report.Boards++
		return t.c.Store.Restore.RestoreRolledUp(ctx, game.BoardOf(m, p, scope), all)
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

// xp makes the XP of rolled-up days: of days whose boards have expired, and of other days that
// the index has as rolled up.
func (t *takePast) xp(ctx context.Context) error {
	oldest := t.oldest()
	total, err := xpTotals(ctx, t.c.Archive, t.game.Modes, beginning, oldest.AddDays(-1))
	if err != nil {
		return err
	}
	rolledUp, err := t.c.Store.Restore.RolledUpXP(ctx)
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
	return t.c.Store.Restore.RestoreXP(ctx, nil, total)
}

// names gives Redis the names of players whom it does not know.
func (t *takePast) names(ctx context.Context) error {
	return t.c.Archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
		for some := range slices.Chunk(page, player.MostReported) {
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
	saved, err := t.c.Store.Players.SaveAllReported(ctx, news, false)
	t.report.Names += len(saved)
	return err
}
