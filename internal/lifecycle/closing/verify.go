package closing

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Verified is what was compared.
type Verified struct {
	Boards      int   `json:"boards"`
	Entries     int64 `json:"entries"`
	Differences int64 `json:"differences"`
	Spent
}

// Verify compares every board whose days are all in the archive with the archive: closed days
// that still live, closed weeks and months, and older days in all time and XP. It also checks
// whether the boards of days are on the index and have their expiry. The boards of groups and
// levels of a week, month or season are compared after its closing: until then they are as old
// as the last look. Verify calls differ for each difference.
func (c *Closing) Verify(ctx context.Context, differ func(lifecycle.Difference)) (Verified, error) {
	if c.Archive == nil {
		return Verified{}, ErrNoArchive
	}
	v := &verify{c: c, clock: c.clock(), Comparison: lifecycle.Comparison{Differ: differ}}
	spent, err := c.metered(ctx, v.run)
	return Verified{v.Boards, v.Entries, v.Differences, spent}, err
}

type verify struct {
	c *Closing
	clock
	lifecycle.Comparison
}

func (v *verify) run(ctx context.Context) error {
	if err := v.ofThisGame(ctx, v.c.Archive); err != nil {
		return err
	}
	oldest := v.oldest()
	for _, m := range v.game.Modes {
		days, err := v.c.Archive.Days.Between(ctx, m.Name, beginning, v.today())
		if err != nil {
			return err
		}
		periods := map[game.Period]game.Date{} // with the first of its days that the archive has
		for _, d := range days {
			for _, p := range v.game.PeriodsOf(d.Date) {
				if p.Kind() != game.AllTime && periods[p].IsZero() && v.closed(p) && v.lives(p) {
					periods[p] = d.Date
				}
			}
			if d.Complete && !d.Date.Before(oldest) {
				if err := v.day(ctx, m, d.Date); err != nil {
					return err
				}
			}
		}
		if err := v.derived(ctx, m, periods, oldest); err != nil {
			return err
		}
		if err := v.countries(ctx, m); err != nil {
			return err
		}
	}
	if err := v.unknown(ctx); err != nil {
		return err
	}
	verify := func(f lifecycle.Verifier) error { return f.Verify(ctx, &v.Comparison) }
	if err := lifecycle.Each(v.c.Features, verify); err != nil {
		return err
	}
	return v.xp(ctx, oldest)
}

// unknown reports closed days that Redis has and the archive lacks.
func (v *verify) unknown(ctx context.Context) error {
	view, err := v.c.Store.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return err
	}
	days, err := v.without(ctx, v.c.Archive, closedDays(v.c.Store.Rollup.Calendar, view, nil), func(d archive.ArchivedDay) bool { return d.Complete })
	if err != nil {
		return err
	}
	for _, d := range days {
		v.Report(lifecycle.Difference{Key: game.DayBoardKey(d.Mode.Name, d.Date), Player: "-", Redis: "closed", Postgres: "not archived"})
	}
	return nil
}

// day compares a day's boards row by row, including details.
func (v *verify) day(ctx context.Context, m *game.Mode, d game.Date) error {
	inRedis, inPostgres := resultsOf{}, resultsOf{}
	err := v.c.Store.Restore.ReadDay(ctx, m, d, inRedis.take)
	if err == nil {
		err = v.c.Archive.Results.OfDay(ctx, m.Name, d, inPostgres.take)
	}
	if err != nil {
		return err
	}
	lifecycle.Compare(&v.Comparison, game.DayBoardKey(m.Name, d), inRedis.rows(), inPostgres.rows())
	return v.groups(ctx, m, d, inRedis, inPostgres)
}

// resultsOf are results by player.
type resultsOf map[string]game.Result

func (all resultsOf) take(page []game.Result) error {
	for _, r := range page {
		all[r.Player] = r
	}
	return nil
}

// rows writes each result as a text that is the same for equal results.
func (all resultsOf) rows() map[string]string {
	rows := make(map[string]string, len(all))
	for player, r := range all {
		rows[player] = game.FormatStored(r.Stored)
		if len(r.Details) > 0 {
			rows[player] += " " + string(r.Details)
		}
	}
	return rows
}

// derived compares boards that follow from days: closed weeks, months and seasons, and the
// expired days in months, seasons and all time.
func (v *verify) derived(ctx context.Context, m *game.Mode, periods map[game.Period]game.Date, oldest game.Date) error {
	scopes, err := writtenScopes(ctx, v.c.Archive, m, beginning, v.today())
	if err != nil {
		return err
	}
	if err := v.flaws(ctx, m, scopes); err != nil {
		return err
	}
	open, err := v.c.Archive.Days.OpenPeriods(ctx, []string{m.Name}, v.game.AllSeasons(), v.today())
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		last, err := v.rolledUpThrough(ctx, m, scope, oldest.AddDays(-1))
		if err != nil {
			return err
		}
		allTime := game.BoardOf(m, game.AllTime.Of(last), scope)
		in, err := v.c.Store.Rollup.Banded.InBands(ctx, allTime)
		if err == nil && in != nil {
			err = v.inBands(ctx, in, allTime, last)
		} else if err == nil {
			err = v.board(ctx, game.RolledUpKey(allTime.Key), allTime, last)
		}
		if err != nil {
			return err
		}
		for p, first := range periods {
			mayBeOld := scope != (game.Scope{}) && slices.Contains(open, p)
			if err := v.period(ctx, game.BoardOf(m, p, scope), mayBeOld, first, oldest, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// flaws reports boards of days that no closing will see, or that will not expire.
func (v *verify) flaws(ctx context.Context, m *game.Mode, scopes []game.Scope) error {
	flaws, err := v.c.Store.Days.Flaws(ctx, m, scopes)
	if err != nil {
		return err
	}
	for _, f := range flaws {
		v.Report(lifecycle.Difference{Key: f.Key, Player: "-", Redis: f.Text, Postgres: "-"})
	}
	return nil
}

// period compares a closed week, month or season. Except for a week the board may be missing:
// it can be made from its days and its rolled-up days, and these are compared. For a board
// that may be old, nothing else is compared.
func (v *verify) period(ctx context.Context, b game.Board, mayBeOld bool, first, oldest, rolledUp game.Date) error {
	p := b.Period
	there, err := v.c.Store.DB.Exists(ctx, b.Key)
	if err != nil {
		return err
	}
	if p.Kind() != game.Week && first.Before(oldest) {
		if err := v.board(ctx, game.RolledUpKey(b.Key), b, rolledUp); err != nil {
			return err
		}
	}
	if mayBeOld || !there && (p.Kind() != game.Week || v.young(p)) {
		return nil
	}
	return v.board(ctx, b.Key, b, p.Last())
}

// young reports whether a week ended less than a day ago: cron-weekly may not have made yet
// the boards that nobody has looked at.
func (v *verify) young(p game.Period) bool {
	return v.now().Before(v.game.Ends(p).Add(day))
}

const day = 24 * time.Hour

// rolledUpThrough returns the newest day that has been rolled up, at least last.
func (v *verify) rolledUpThrough(ctx context.Context, m *game.Mode, scope game.Scope, last game.Date) (game.Date, error) {
	rolledUp, err := v.c.Store.Rollup.Calendar.RolledUpThrough(ctx, m, scope)
	if rolledUp.Before(last) {
		rolledUp = last
	}
	return rolledUp, err
}

// board compares a key with what the days of a board up to last add up to.
func (v *verify) board(ctx context.Context, key string, b game.Board, last game.Date) error {
	actual, err := v.c.Store.DB.ReadBoard(ctx, key)
	if err != nil {
		return err
	}
	should, err := totals(ctx, v.c.Archive, b, last)
	if err != nil {
		return err
	}
	lifecycle.Compare(&v.Comparison, key, actual, should)
	return nil
}

func (v *verify) xp(ctx context.Context, oldest game.Date) error {
	for d := oldest; v.closed(game.Day.Of(d)); d = d.AddDays(1) {
		actual, err := v.c.Store.DB.ReadBoard(ctx, game.XPDayKey(d))
		if err != nil {
			return err
		}
		should, err := xpTotals(ctx, v.c.Archive, v.game.Modes, d, d)
		if err != nil {
			return err
		}
		lifecycle.Compare(&v.Comparison, game.XPDayKey(d), actual, should)
	}
	actual, err := v.c.Store.DB.ReadBoard(ctx, game.XPBaseKey)
	if err != nil {
		return err
	}
	should, err := xpTotals(ctx, v.c.Archive, v.game.Modes, beginning, v.game.OpenDates(v.now())[0].AddDays(-1))
	if err != nil {
		return err
	}
	lifecycle.Compare(&v.Comparison, game.XPBaseKey, actual, should)
	return nil
}

// inBands compares a board of all time that is kept in bands, which has the best of all days.
// No entry may be worse than the best of the rolled-up days, and none may be better than the
// best of these and the days in Redis. A player whose newest day has not been carried to the
// board yet may be anywhere between the two.
func (v *verify) inBands(ctx context.Context, in *derive.InBands, b game.Board, last game.Date) error {
	least, err := totals(ctx, v.c.Archive, b, last)
	if err != nil {
		return err
	}
	days, err := in.Days(ctx)
	if err != nil {
		return err
	}
	actual := map[string]float64{}
	err = in.Bands.Each(ctx, in.Board, func(page []bands.Entry) error {
		for _, e := range page {
			actual[e.Player] = e.Stored
			should, there := least[e.Player]
			if day, played := days[e.Player]; played && (!there || in.Board.Better(day, should)) && !in.Board.Better(e.Stored, day) && (!there || !in.Board.Better(should, e.Stored)) {
				least[e.Player] = e.Stored // still to be carried, or on its way
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	lifecycle.Compare(&v.Comparison, b.Key, actual, least)
	return nil
}

// groups compares a day's boards of groups with the day's board, entry by entry: a player's
// entry on a group's board must equal the one on the day's; on a level's board it is the best
// at that level. It checks Redis and the archive. An inconsistency within one side is shown
// after that side's score.
func (v *verify) groups(ctx context.Context, m *game.Mode, d game.Date, inRedis map[string]game.Result, inPostgres map[string]game.Result) error {
	should := map[game.Scope]map[string]string{}
	put := func(scope game.Scope, player, actual string) {
		if scope.ByCountry() {
			return // follows from the day's board
		}
		if should[scope] == nil {
			should[scope] = map[string]string{}
		}
		if player != "" {
			should[scope][player] = actual
		}
	}
	for player, row := range inPostgres {
		for _, scoped := range row.Scopes {
			actual := game.FormatStored(row.Stored)
			if scoped.Scope.OwnEntries() {
				actual = game.FormatStored(scoped.Stored)
			} else if scoped.Stored != row.Stored {
				actual += ", archived as " + game.FormatStored(scoped.Stored)
			}
			put(scoped.Scope, player, actual)
		}
	}
	for _, r := range inRedis {
		for _, scoped := range r.Scopes {
			put(scoped.Scope, "", "")
		}
	}
	for scope, entries := range should {
		key := game.BoardKey(m.Name, game.Day.Of(d), scope)
		all, err := v.c.Store.DB.ReadBoard(ctx, key)
		if err != nil {
			return err
		}
		actual := make(map[string]string, len(all))
		for player, stored := range all {
			actual[player] = game.FormatStored(stored)
			if on, ok := inRedis[player]; !ok {
				actual[player] += ", not on the day's board"
			} else if on.Stored != stored && !scope.OwnEntries() {
				actual[player] += ", on the day's board " + game.FormatStored(on.Stored)
			}
		}
		lifecycle.Compare(&v.Comparison, key, actual, entries)
	}
	return nil
}
