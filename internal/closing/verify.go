package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Difference is one player's entry that Redis and Postgres do not agree on.
// A side that has none is "-".
type Difference struct {
	Key      string `json:"key"` // of the board in Redis
	Player   string `json:"player"`
	Redis    string `json:"redis"`
	Postgres string `json:"postgres"`
}

// Verified tells what was compared.
type Verified struct {
	Boards      int   `json:"boards"`
	Entries     int64 `json:"entries"`
	Differences int64 `json:"differences"`
	Spent
}

// Verify compares every board whose days are all in the archive with what the
// archive says: days that are closed and alive, closed weeks and months, what
// all time and XP hold of older days. It looks besides whether the boards of days
// are on the index and have their expiry. Each difference is told to differ.
func (c *Closing) Verify(ctx context.Context, differ func(Difference)) (Verified, error) {
	if c.Archive == nil {
		return Verified{}, ErrNoArchive
	}
	v := &verify{Closing: c, differ: differ}
	spent, err := c.metered(ctx, v.run)
	v.report.Spent = spent
	return v.report, err
}

type verify struct {
	*Closing
	differ func(Difference)
	report Verified
}

func (v *verify) run(ctx context.Context) error {
	if err := v.ofThisGame(ctx); err != nil {
		return err
	}
	oldest := v.oldest()
	for _, m := range v.Game.Modes {
		days, err := v.Archive.Days.Between(ctx, m.Name, beginning, v.Game.Today(v.Now()))
		if err != nil {
			return err
		}
		periods := map[game.Period]game.Date{} // with the first day that the archive has
		for _, d := range days {
			for _, p := range v.Game.PeriodsOf(d.Date) {
				if p.Kind() != game.AllTime && periods[p].IsZero() && v.Game.Closed(p, v.Now()) && v.lives(p) {
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
	return v.xp(ctx, oldest)
}

// unknown tells of closed days that Redis has and the archive has not.
func (v *verify) unknown(ctx context.Context) error {
	view, err := v.Store.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return err
	}
	days, err := refilling{v.Closing}.without(ctx, refilling{v.Closing}.closedDays(view, nil), func(d archive.ArchivedDay) bool { return d.Complete })
	if err != nil {
		return err
	}
	for _, d := range days {
		v.report.Differences++
		v.differ(Difference{Key: game.BoardKey(d.Mode.Name, game.Day.Of(d.Date), game.Scope{}), Player: "-", Redis: "closed", Postgres: "not archived"})
	}
	return nil
}

// day compares a day's boards row by row, details too.
func (v *verify) day(ctx context.Context, m *game.Mode, d game.Date) error {
	inRedis, inPostgres := map[string]string{}, map[string]string{}
	results, rows := map[string]game.Result{}, map[string]game.Result{}
	err := v.Store.Refill.ReadDay(ctx, m, d, func(page []game.Result) error {
		for _, r := range page {
			inRedis[r.Player], results[r.Player] = rowOf(r), r
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = v.Archive.Results.OfDay(ctx, m.Name, d, func(page []game.Result) error {
		for _, row := range page {
			inPostgres[row.Player], rows[row.Player] = rowOf(row), row
		}
		return nil
	})
	if err != nil {
		return err
	}
	compare(v, game.BoardKey(m.Name, game.Day.Of(d), game.Scope{}), inRedis, inPostgres)
	return v.groups(ctx, m, d, results, rows)
}

// rowOf writes a result so that equal ones are equal texts.
func rowOf(r game.Result) string {
	text := game.FormatStored(r.Stored)
	if len(r.Details) > 0 {
		text += " " + string(r.Details)
	}
	return text
}

// derived compares what was made from days: closed weeks, months and seasons, and
// what months, seasons and all time hold of days that have expired.
func (v *verify) derived(ctx context.Context, m *game.Mode, periods map[game.Period]game.Date, oldest game.Date) error {
	scopes, err := v.Archive.Results.Scopes(ctx, m.Name, beginning, v.Game.Today(v.Now()))
	if err != nil {
		return err
	}
	if err := v.flaws(ctx, m, scopes); err != nil {
		return err
	}
	for _, scope := range written(scopes) {
		last, err := v.rolledUpThrough(ctx, m, scope, oldest.AddDays(-1))
		if err != nil {
			return err
		}
		allTime := game.BoardOf(m, game.AllTime.Of(last), scope)
		if err := v.board(ctx, game.RolledUpKey(allTime.Key), through(allTime, last)); err != nil {
			return err
		}
		for p, first := range periods {
			if err := v.period(ctx, game.BoardOf(m, p, scope), first, oldest, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// flaws tells of boards of days that no closing will see, or that will not go.
func (v *verify) flaws(ctx context.Context, m *game.Mode, scopes []game.Scope) error {
	flaws, err := v.Store.Days.Flaws(ctx, m, scopes)
	if err != nil {
		return err
	}
	for _, f := range flaws {
		v.report.Differences++
		v.differ(Difference{Key: f.Key, Player: "-", Redis: f.Text, Postgres: "-"})
	}
	return nil
}

// period compares a closed week, month or season. But for a week it need not be
// there: it can be made from its days and from what was rolled up of them, which are
// compared.
func (v *verify) period(ctx context.Context, b game.Board, first, oldest, rolledUp game.Date) error {
	p := b.Period
	there, err := v.Store.DB.Exists(ctx, b.Key)
	if err != nil {
		return err
	}
	if p.Kind() != game.Week && first.Before(oldest) {
		if err := v.board(ctx, game.RolledUpKey(b.Key), through(b, rolledUp)); err != nil {
			return err
		}
	}
	if !there && (p.Kind() != game.Week || v.young(p)) {
		return nil
	}
	return v.board(ctx, b.Key, through(b, p.Last()))
}

// young reports whether a week has ended less than a day ago: cron-weekly may have
// yet to make what nobody has looked at.
func (v *verify) young(p game.Period) bool {
	return v.Now().Before(v.Game.Ends(p).Add(day))
}

const day = 24 * time.Hour

// rolledUpThrough is the newest day that has been rolled up, at least last.
func (v *verify) rolledUpThrough(ctx context.Context, m *game.Mode, scope game.Scope, last game.Date) (game.Date, error) {
	rolledUp, err := v.Store.Rollup.Calendar.RolledUpThrough(ctx, m, scope)
	if rolledUp.Before(last) {
		rolledUp = last
	}
	return rolledUp, err
}

func (v *verify) board(ctx context.Context, key string, q archive.Query) error {
	stands, err := v.Store.DB.ReadBoard(ctx, key)
	if err != nil {
		return err
	}
	should, err := totals(ctx, v.Archive, q)
	if err != nil {
		return err
	}
	compare(v, key, stands, should)
	return nil
}

func (v *verify) xp(ctx context.Context, oldest game.Date) error {
	for d := oldest; v.Game.Closed(game.Day.Of(d), v.Now()); d = d.AddDays(1) {
		stands, err := v.Store.DB.ReadBoard(ctx, game.XPDayKey(d))
		if err != nil {
			return err
		}
		should, err := xpTotals(ctx, v.Archive, v.Game.Modes, d, d)
		if err != nil {
			return err
		}
		compare(v, game.XPDayKey(d), stands, should)
	}
	stands, err := v.Store.DB.ReadBoard(ctx, game.XPBaseKey)
	if err != nil {
		return err
	}
	should, err := xpTotals(ctx, v.Archive, v.Game.Modes, beginning, v.Game.OpenDates(v.Now())[0].AddDays(-1))
	if err != nil {
		return err
	}
	compare(v, game.XPBaseKey, stands, should)
	return nil
}

// compare tells what differs, by player.
func compare[T comparable](v *verify, key string, inRedis, inPostgres map[string]T) {
	v.report.Boards++
	v.report.Entries += int64(max(len(inRedis), len(inPostgres)))
	players := make([]string, 0, len(inRedis))
	for player := range inRedis {
		players = append(players, player)
	}
	for player := range inPostgres {
		if _, both := inRedis[player]; !both {
			players = append(players, player)
		}
	}
	slices.SortFunc(players, cmp.Compare)
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
