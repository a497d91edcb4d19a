package rollup

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// UnionBound is how many entries one command may make Redis unite or compare: each of them
// holds all other commands up for 1 or 2 µs. This process unites larger boards itself, and
// writes them in pages.
const UnionBound = 100_000

// CombineInto makes a board hold its sources, oldest first, under the mode's
// aggregate.
//
// Cost: 2 billed commands, or 1 for a board of all players until the last day of its period; 1
// more if the process does not know the board's size. If the sources have more than 100,000
// entries together: 1 for every 20,000 of these, 1 for every 10,000 entries of the board, and
// 5; or that of uniteInRedis.
func (ru *Rollup) CombineInto(ctx context.Context, b game.Board, sources []string) error {
	return ru.combine(ctx, b, sources, nil)
}

// combine is CombineInto. It marks the refresh u complete together with a small board; u may
// be nil.
func (ru *Rollup) combine(ctx context.Context, b game.Board, sources []string, u *refreshRun) error {
	large, err := ru.Large(ctx, b.Key, sources)
	if err != nil {
		return err
	}
	if large {
		ctx, done := finishing(ctx)
		defer done()
		if ru.db.SparesBytes {
			return uniteInRedis(ctx, ru, b, sources)
		}
		return ru.combineLarge(ctx, b.Mode.Aggregate, []target{{b, sources}})
	}
	var players int64
	var p rdb.Pipeline
	switch {
	case len(sources) == 0:
		p.Add(upstash.Cmd("DEL", b.Key).Idempotent(), nil)
	case b.Mode.Aggregate == game.Last:
		combineLast(&p, b.Key, sources, rdb.IntInto(&players))
	default:
		p.Add(Union(b.Key, aggregateWord(b.Mode.Aggregate), sources...), rdb.IntInto(&players))
	}
	if end, ok := ru.db.Game.Expires(b.Period); ok && !(ofDays{ru}).isMadeAgain(b) {
		p.Add(rdb.ExpireBy(ru.db, b.Key, end), nil)
	}
	u.mark(&p)
	if _, err := p.Run(ctx, ru.db.Redis); err != nil {
		return err
	}
	ru.totals.Set(b.Key, players)
	ru.windows.Outdate(b.Key)
	return nil
}

// target is a board and what it is made of, oldest first.
type target struct {
	board   game.Board
	sources []string
}

// DeriveClosed derives several boards of a mode after days of theirs have closed: all weeks,
// since nobody can make a week once its days have expired, and of the other boards those that
// exist; the next reader makes the rest. Large sources are read once for all boards, unless
// bytes are spared.
//
// Cost: 1 billed command, and 1 for each board that is neither a week nor in bands; for each
// board that is derived that of a refresh.
func (ru *Rollup) DeriveClosed(ctx context.Context, m *game.Mode, boards []game.Board) error {
	sets, err := carryBands(ctx, ru, boards)
	if err != nil {
		return err
	}
	var index Index
	there := make([]int64, len(sets))
	var p rdb.Pipeline
	p.Add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), DaysInto(&index))
	for i, b := range sets {
		if there[i] = 1; !b.Period.OfDates() {
			p.Add(upstash.Cmd("EXISTS", b.Key), rdb.IntInto(&there[i]))
		}
	}
	if _, err := p.Run(ctx, ru.db.Redis); err != nil {
		return err
	}
	var together []target
	for i, b := range sets {
		if there[i] == 0 {
			continue
		}
		sources, whole, err := ofDays{ru}.sources(ctx, b, index)
		if err != nil {
			return err
		}
		large, err := ru.Large(ctx, b.Key, sources)
		switch {
		case err != nil:
			return err
		case large && whole && !ru.db.SparesBytes && !overdue(b, index) && !underWay(b, index) && !AddingOf(ru, b).floor:
			together = append(together, target{b, sources})
		default: // derive also does what else is due
			if _, err := (ofDays{ru}).derive(ctx, b, index, nil); err != nil {
				return err
			}
		}
	}
	if err := ru.combineLarge(ctx, m.Aggregate, together); err != nil || len(together) == 0 {
		return err
	}
	now, err := ru.Calendar.index(ctx, game.BoardOf(m, game.AllTime.Of(game.DateOf(ru.db.Now())), game.Scope{}))
	if err != nil || index.sameSources(now) {
		return err
	}
	for _, t := range together { // days were rolled up meanwhile
		if _, err := (ofDays{ru}).derive(ctx, t.board, now, nil); err != nil {
			return err
		}
	}
	return nil
}

// carryBands carries the days into boards that are kept in bands, and lists the others.
func carryBands(ctx context.Context, ru *Rollup, boards []game.Board) (sets []game.Board, err error) {
	for _, b := range boards {
		in, err := ru.Banded.InBands(ctx, b)
		if err != nil {
			return nil, err
		}
		if in == nil {
			sets = append(sets, b)
		} else if err := in.CarryDays(ctx); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// combineLarge makes boards from their sources, each of which is read once. Sources that
// several boards share are in the same order in all of them.
func (ru *Rollup) combineLarge(ctx context.Context, a game.Aggregate, targets []target) error {
	united := make([]*Sums, len(targets))
	for i := range targets {
		united[i] = NewSums(a)
	}
	for n, source := range inOrder(targets) {
		err := ru.db.ScanMembers(ctx, source, func(page []rdb.Member) error {
			for i, t := range targets {
				if slices.Contains(t.sources, source) {
					united[i].Take(n, page)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for i, t := range targets {
		if err := replace(ctx, ru, t.board, united[i].Players(), united[i].Entries()); err != nil {
			return err
		}
	}
	return nil
}

// inOrder lists the sources of all targets, each once: what was rolled up, then
// days, which have their dates in their names.
func inOrder(targets []target) []string {
	var rolledUp, days []string
	for _, t := range targets {
		for _, source := range t.sources {
			if strings.HasPrefix(source, game.RolledUpKey("")) {
				rolledUp = append(rolledUp, source)
			} else {
				days = append(days, source)
			}
		}
	}
	slices.Sort(days)
	return append(rolledUp, slices.Compact(days)...)
}

func AddTo(all, newer map[string]float64, a game.Aggregate) {
	for player, stored := range newer {
		if old, had := all[player]; had {
			stored = Combined(a, old, stored)
		}
		all[player] = stored
	}
}

// Large reports whether uniting the sources in one command could hold Redis up. It reckons with
// the number of sources times the largest size that the process remembers, of the board or of a
// source. If it remembers none, it counts the source in the middle, or the newest one if that
// is empty.
func (ru *Rollup) Large(ctx context.Context, board string, sources []string) (bool, error) {
	if len(sources) == 0 {
		return false, nil
	}
	players, known := ofDays{ru}.known(board, sources)
	if !known {
		// An empty source in the middle says nothing about the newest one.
		for _, at := range []int{len(sources) / 2, len(sources) - 1} {
			if players > 0 {
				break
			}
			if err := ru.db.Ask(ctx, upstash.Cmd("ZCARD", sources[at]), rdb.IntInto(&players)); err != nil {
				return false, err
			}
			ru.totals.Set(sources[at], players)
		}
	}
	return players*int64(len(sources)) > UnionBound, nil
}

// known is how many players the board has, or the largest of its sources, as far as
// this process knows.
func (f ofDays) known(board string, sources []string) (players int64, known bool) {
	players, known = f.ru.totals.Last(board)
	for _, source := range sources {
		size, remembered := f.ru.totals.Last(source)
		players, known = max(players, size), known || remembered
	}
	return players, known
}

// Unite reads the sources, oldest first, and combines them.
func (ru *Rollup) Unite(ctx context.Context, a game.Aggregate, sources []string) (map[string]float64, error) {
	united := NewSums(a)
	for i, source := range sources {
		err := ru.db.ScanMembers(ctx, source, func(page []rdb.Member) error {
			united.Take(i, page)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return maps.Collect(united.Entries()), nil
}

// Replace puts a whole board in place of what there is, from stored scores by
// player, and gives it its expiry.
//
// Cost: 1 billed command for every 10,000 players, and 6.
func (ru *Rollup) Replace(ctx context.Context, b game.Board, all map[string]float64) error {
	return replace(ctx, ru, b, int64(len(all)), maps.All(all))
}

// replace is Replace for so many different players.
func replace(ctx context.Context, ru *Rollup, b game.Board, players int64, all iter.Seq2[string, float64]) error {
	if err := ru.db.Replace(ctx, b.Key, players, all); err != nil {
		return rdb.Wrap("replace "+b.Key, err)
	}
	return replaced(ctx, ru, b, players)
}

// replaced remembers the total of a board that was put in place of another, forgets what else
// was known of that one, and gives the board its expiry.
func replaced(ctx context.Context, ru *Rollup, b game.Board, players int64) error {
	ru.totals.Set(b.Key, players)
	ru.windows.Forget(b.Key)
	end, ok := game.KeyExpires(ru.db.Game, b.Key, b.Period)
	if !ok {
		return nil
	}
	_, err := ru.db.Redis.Do(ctx, rdb.ExpireBy(ru.db, b.Key, end))
	return rdb.Wrap("replace "+b.Key, err)
}
