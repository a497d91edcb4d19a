package derive

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// PeriodReport reports what RefreshPeriod did.
type PeriodReport struct {
	Refreshed []game.Board
	Partial   []game.Board // left as they were, since some of their days have expired
}

// RefreshPeriod derives every mode's and scope's board of a week, month or season
// once more, whatever locks there are, so that the boards of a period that has just
// closed are complete whether or not anybody looks. Running it again, late or
// twice at once gives the same boards; it never replaces a board whose days
// have begun to expire.
//
// Cost: 1 billed command for each mode and 1 more for each with scopes; for
// each board that of a refresh; for a mode with boards of groups 14, and 2 for each
// group.
func (ru *Rollup) RefreshPeriod(ctx context.Context, p game.Period) (PeriodReport, error) {
	var report PeriodReport
	for _, m := range ru.db.Game.Modes {
		global, scoped, err := ru.Calendar.Indexes(ctx, m)
		if err != nil {
			return report, err
		}
		scoped[game.Scope{}] = global
		for _, scope := range SortedScopes(scoped) {
			b := game.BoardOf(m, p, scope)
			if ru.Frozen(b) || !scoped[scope].within(p) {
				continue
			}
			whole, err := ofDays{ru: ru, board: b}.derive(ctx, *scoped[scope])
			if err != nil {
				return report, redis.Wrap("refresh "+b.Key, err)
			}
			if whole {
				report.Refreshed = append(report.Refreshed, b)
			} else {
				report.Partial = append(report.Partial, b)
			}
		}
		if !m.HasScope(game.Teams) {
			continue
		}
		// All time once more, while groups that have not played for long are on the index.
		for _, of := range []game.Period{p, game.AllTime.Of(p.First())} {
			b := game.BoardOf(m, of, game.TeamsScope())
			if ru.Frozen(b) {
				continue
			}
			if err := (teams{ru}).derive(ctx, b, 0, true); err != nil {
				return report, redis.Wrap("refresh "+b.Key, err)
			}
			if of == p {
				report.Refreshed = append(report.Refreshed, b)
			}
		}
	}
	return report, nil
}

// DeriveClosed derives several boards of a mode after days of theirs have closed: all weeks,
// since nobody can make a week once its days have expired, and of the other boards those that
// exist; the next reader makes the rest.
//
// Cost: 1 billed command, and 1 for each board that is neither a week nor in bands; for each
// board that is derived that of a refresh.
func (ru *Rollup) DeriveClosed(ctx context.Context, m *game.Mode, boards []game.Board) error {
	sets, err := ru.carryBands(ctx, boards)
	if err != nil {
		return err
	}
	var index Index
	there := make([]int64, len(sets))
	if err := ru.Calendar.KnowListed(ctx); err != nil {
		return err
	}
	var p redis.Pipeline
	ru.Calendar.AskDays(&p, m, &index)
	for i, b := range sets {
		if there[i] = 1; !b.Period.OfDates() {
			p.Add(upstash.Cmd("EXISTS", b.Key), redis.IntInto(&there[i]))
		}
	}
	if _, err := p.Run(ctx, ru.db.Redis); err != nil {
		return err
	}
	for i, b := range sets {
		if there[i] == 0 {
			continue
		}
		if _, err := (ofDays{ru: ru, board: b}).derive(ctx, index); err != nil {
			return err
		}
	}
	return nil
}

// carryBands carries the days into boards that are kept in bands, and lists the others.
func (ru *Rollup) carryBands(ctx context.Context, boards []game.Board) (sets []game.Board, err error) {
	for _, b := range boards {
		in, err := ru.Banded.InBands(ctx, b)
		if err != nil {
			return nil, err
		}
		if in == nil {
			sets = append(sets, b)
		} else if err := in.carryDays(ctx); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// DeriveNow derives some boards of a mode, whatever locks there are.
//
// Cost: 1 billed command, and for each board that of a refresh.
func (ru *Rollup) DeriveNow(ctx context.Context, m *game.Mode, boards []game.Board) error {
	var index Index
	if err := ru.Calendar.KnowListed(ctx); err != nil {
		return err
	}
	var p redis.Pipeline
	ru.Calendar.AskDays(&p, m, &index)
	if _, err := p.Run(ctx, ru.db.Redis); err != nil {
		return err
	}
	for _, b := range boards {
		if ru.Frozen(b) || !index.within(b.Period) && b.Period.Kind() != game.AllTime {
			continue
		}
		if _, err := (ofDays{ru: ru, board: b}).derive(ctx, index); err != nil {
			return redis.Wrap("make "+b.Key, err)
		}
	}
	return nil
}

// MakeAgain makes those of some derived boards again that were refreshed in their present
// interval: what they are made from has come back to Redis since. The next look makes the others.
// Boards come behind those that they are made from.
//
// Cost: that of [redis.FindExisting], and for each board that was refreshed that of a refresh.
func (ru *Rollup) MakeAgain(ctx context.Context, boards []game.Board) error {
	locks, of := make([]string, len(boards)), map[string]*refreshRun{}
	for i, b := range boards {
		interval, err := ru.intervalOf(ctx, b)
		if err != nil {
			return err
		}
		u := newRefreshRun(ru, b, interval)
		locks[i] = u.lock
		of[u.lock] = u
	}
	there, err := redis.FindExisting(ctx, ru.db.Redis, locks)
	if err != nil {
		return redis.Wrap("look for boards that were refreshed", err)
	}
	for _, lock := range there {
		u := of[lock]
		var days Index
		if u.needsIndex() {
			if days, err = ru.Calendar.index(ctx, u.board); err != nil {
				return redis.Wrap("make "+u.board.Key, err)
			}
		}
		if err := u.make(ctx, days); err != nil {
			return redis.Wrap("make "+u.board.Key, err)
		}
	}
	return nil
}
