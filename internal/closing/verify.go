package closing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/restore"
	"github.com/framedle/leaderboards/internal/rollup"
)

// Difference is a player's entry that differs between Redis and Postgres. "-" stands for a
// missing entry.
type Difference struct {
	Key      string `json:"key"` // of the board in Redis
	Player   string `json:"player"`
	Redis    string `json:"redis"`
	Postgres string `json:"postgres"`
}

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
func (c *Closing) Verify(ctx context.Context, differ func(Difference)) (Verified, error) {
	if c.Archive == nil {
		return Verified{}, ErrNoArchive
	}
	v := &verify{
		wallets: wallets{c}, clock: c.clock(), archive: c.Archive, differ: differ,
		db: c.Store.DB, calendar: c.Store.Rollup.Calendar, rollup: c.Store.Rollup, days: c.Store.Days, restore: c.Store.Restore,
	}
	spent, err := c.metered(ctx, v.run)
	v.report.Spent = spent
	return v.report, err
}

type verify struct {
	clock
	wallets wallets
	archive *archive.Archive
	differ  func(Difference)
	report  Verified

	// Redis: its boards, its index of days, faults of keys, and days in the form in which they
	// would be archived.
	db       *rdb.DB
	calendar *rollup.Calendar
	rollup   *rollup.Rollup
	days     *daily.Days
	restore  *restore.Restore
}

func (v *verify) run(ctx context.Context) error {
	if err := v.ofThisGame(ctx, v.archive); err != nil {
		return err
	}
	oldest := v.oldest()
	for _, m := range v.game.Modes {
		days, err := v.archive.Days.Between(ctx, m.Name, beginning, v.today())
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
	}
	if err := v.unknown(ctx); err != nil {
		return err
	}
	if err := v.currencies(ctx); err != nil {
		return err
	}
	return v.xp(ctx, oldest)
}

// unknown reports closed days that Redis has and the archive lacks.
func (v *verify) unknown(ctx context.Context) error {
	view, err := v.calendar.Survey(ctx)
	if err != nil {
		return err
	}
	days, err := v.without(ctx, v.archive, closedDays(v.calendar, view, nil), func(d archive.ArchivedDay) bool { return d.Complete })
	if err != nil {
		return err
	}
	for _, d := range days {
		v.report.Differences++
		v.differ(Difference{Key: game.DayBoardKey(d.Mode.Name, d.Date), Player: "-", Redis: "closed", Postgres: "not archived"})
	}
	return nil
}

// day compares a day's boards row by row, including details.
func (v *verify) day(ctx context.Context, m *game.Mode, d game.Date) error {
	inRedis, inPostgres := map[string]string{}, map[string]string{}
	results, rows := map[string]game.Result{}, map[string]game.Result{}
	err := v.restore.ReadDay(ctx, m, d, func(page []game.Result) error {
		for _, r := range page {
			inRedis[r.Player], results[r.Player] = rowOf(r), r
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = v.archive.Results.OfDay(ctx, m.Name, d, func(page []game.Result) error {
		for _, row := range page {
			inPostgres[row.Player], rows[row.Player] = rowOf(row), row
		}
		return nil
	})
	if err != nil {
		return err
	}
	compare(v, game.DayBoardKey(m.Name, d), inRedis, inPostgres)
	return v.groups(ctx, m, d, results, rows)
}

// rowOf writes a result as a text that is the same for equal results.
func rowOf(r game.Result) string {
	text := game.FormatStored(r.Stored)
	if len(r.Details) > 0 {
		text += " " + string(r.Details)
	}
	return text
}

// derived compares boards that follow from days: closed weeks, months and seasons, and the
// expired days in months, seasons and all time.
func (v *verify) derived(ctx context.Context, m *game.Mode, periods map[game.Period]game.Date, oldest game.Date) error {
	scopes, err := v.archive.Results.Scopes(ctx, m.Name, beginning, v.today())
	if err != nil {
		return err
	}
	if err := v.flaws(ctx, m, scopes); err != nil {
		return err
	}
	open, err := v.archive.Days.OpenPeriods(ctx, []string{m.Name}, v.game.AllSeasons(), v.today())
	if err != nil {
		return err
	}
	for _, scope := range written(scopes) {
		last, err := v.rolledUpThrough(ctx, m, scope, oldest.AddDays(-1))
		if err != nil {
			return err
		}
		allTime := game.BoardOf(m, game.AllTime.Of(last), scope)
		if in, err := v.rollup.Banded.InBands(ctx, allTime); err != nil || in != nil {
			if err == nil {
				err = v.inBands(ctx, in, allTime, last)
			}
			if err != nil {
				return err
			}
		} else if err := v.board(ctx, game.RolledUpKey(allTime.Key), allTime, last); err != nil {
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
	flaws, err := v.days.Flaws(ctx, m, scopes)
	if err != nil {
		return err
	}
	for _, f := range flaws {
		v.report.Differences++
		v.differ(Difference{Key: f.Key, Player: "-", Redis: f.Text, Postgres: "-"})
	}
	return nil
}

// period compares a closed week, month or season. Except for a week the board may be missing:
// it can be made from its days and its rolled-up days, and these are compared. For a board
// that may be old, nothing else is compared.
func (v *verify) period(ctx context.Context, b game.Board, mayBeOld bool, first, oldest, rolledUp game.Date) error {
	p := b.Period
	there, err := v.db.Exists(ctx, b.Key)
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
	rolledUp, err := v.calendar.RolledUpThrough(ctx, m, scope)
	if rolledUp.Before(last) {
		rolledUp = last
	}
	return rolledUp, err
}

// board compares a key with what the days of a board up to last add up to.
func (v *verify) board(ctx context.Context, key string, b game.Board, last game.Date) error {
	stands, err := v.db.ReadBoard(ctx, key)
	if err != nil {
		return err
	}
	should, err := totals(ctx, v.archive, b, last)
	if err != nil {
		return err
	}
	compare(v, key, stands, should)
	return nil
}

func (v *verify) xp(ctx context.Context, oldest game.Date) error {
	for d := oldest; v.closed(game.Day.Of(d)); d = d.AddDays(1) {
		stands, err := v.db.ReadBoard(ctx, game.XPDayKey(d))
		if err != nil {
			return err
		}
		should, err := xpTotals(ctx, v.archive, v.game.Modes, d, d)
		if err != nil {
			return err
		}
		compare(v, game.XPDayKey(d), stands, should)
	}
	stands, err := v.db.ReadBoard(ctx, game.XPBaseKey)
	if err != nil {
		return err
	}
	should, err := xpTotals(ctx, v.archive, v.game.Modes, beginning, v.game.OpenDates(v.now())[0].AddDays(-1))
	if err != nil {
		return err
	}
	compare(v, game.XPBaseKey, stands, should)
	return nil
}

// compare reports what differs, by player.
func compare[T comparable](v *verify, key string, inRedis, inPostgres map[string]T) {
	v.report.Boards++
	v.report.Entries += int64(max(len(inRedis), len(inPostgres)))
	players := slices.Collect(maps.Keys(inRedis))
	for player := range inPostgres {
		if _, both := inRedis[player]; !both {
			players = append(players, player)
		}
	}
	slices.Sort(players)
	for _, player := range players {
		redis, there := inRedis[player]
		postgres, here := inPostgres[player]
		if there && here && redis == postgres {
			continue
		}
		v.report.Differences++
		v.differ(Difference{Key: key, Player: player, Redis: textOf(redis, there), Postgres: textOf(postgres, here)})
	}
}

func textOf[T any](v T, there bool) string {
	if !there {
		return "-"
	}
	if stored, ok := any(v).(float64); ok {
		return game.FormatStored(stored)
	}
	return fmt.Sprint(v)
}
