package derive

import (
	"context"
	"iter"
	"maps"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// UnionBound is how many entries one command may make Redis unite or compare: each of them
// holds all other commands up for 1 or 2 µs. Redis unites more of them a page at a time.
const UnionBound = 100_000

// CombineInto makes a board hold its sources, oldest first, under the mode's
// aggregate.
//
// Cost: 2 billed commands, or 1 for a board of all players until the last day of its period; 1
// more if the process does not know the board's size. If the sources have more than 100,000
// entries together: that of uniteInRedis.
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
		return uniteInRedis(ctx, ru, b, sources)
	}
	var players int64
	var p redis.Pipeline
	switch {
	case len(sources) == 0:
		p.Add(upstash.Cmd("DEL", b.Key).Idempotent(), nil)
	case b.Mode.Aggregate == game.Last:
		combineLast(&p, b.Key, sources, redis.IntInto(&players))
	default:
		p.Add(Union(b.Key, aggregateWord(b.Mode.Aggregate), sources...), redis.IntInto(&players))
	}
	// Boards of all players are few. They need no expiry while their period lasts for another
	// day: a later refresh, by a reader or a schedule, gives them one.
	isMadeAgain := b.Scope == (game.Scope{}) && b.Period.Kind() != game.Day &&
		ru.db.Now().Before(ru.db.Game.Ends(b.Period).Add(-24*time.Hour))
	if end, ok := ru.db.Game.Expires(b.Period); ok && !isMadeAgain {
		p.Add(redis.ExpireBy(ru.db, b.Key, end), nil)
	}
	u.mark(&p)
	if _, err := p.Run(ctx, ru.db.Redis); err != nil {
		return err
	}
	ru.totals.Set(b.Key, players)
	ru.windows.Outdate(b.Key)
	return nil
}

// Union stores the union of the sources in dst. It may be repeated if dst is not among them.
func Union(dst, aggregate string, sources ...string) upstash.Command {
	args := append([]string{"ZUNIONSTORE", dst, redis.Itoa(int64(len(sources)))}, sources...)
	return upstash.Cmd(append(args, "AGGREGATE", aggregate)...).Idempotent()
}

// readUnion reads the union of the sources.
func readUnion(a game.Aggregate, sources []string) upstash.Command {
	args := append([]string{"ZUNION", redis.Itoa(int64(len(sources)))}, sources...)
	return upstash.Cmd(append(args, "AGGREGATE", aggregateWord(a), "WITHSCORES")...)
}

func aggregateWord(a game.Aggregate) string {
	switch a {
	case game.Max:
		return "MAX"
	case game.Min:
		return "MIN"
	}
	return "SUM"
}

// combineLast queues the commands that make dst hold each player's entry of the newest source
// that has one. Redis has no such aggregate, but of two boards A and B, A + B − (A where B) is
// B if a player is on both; the differences are exact, since two days' scores fit in 53 bits
// together.
func combineLast(p *redis.Pipeline, dst string, sources []string, done func(upstash.Reply) error) {
	p.Atomic = true // nobody else may work on the scratch keys in between
	acc, both := game.ScratchKey(dst, "last"), game.ScratchKey(dst, "both")
	p.Add(Union(acc, "SUM", sources[0]), nil)
	for _, next := range sources[1:] {
		p.Add(upstash.Cmd("ZINTERSTORE", both, "2", acc, next, "WEIGHTS", "1", "0").Idempotent(), nil)
		p.Add(upstash.Cmd("ZUNIONSTORE", acc, "3", acc, next, both, "WEIGHTS", "1", "1", "-1"), nil)
	}
	p.Add(Union(dst, "SUM", acc), done)
	p.Add(upstash.Cmd("DEL", acc, both).Idempotent(), nil)
}

// Large reports whether uniting the sources in one command could hold Redis up. It reckons with
// the number of sources times the largest size that the process remembers, of the board or of a
// source. If it remembers none, it counts the source in the middle, or the newest one if that
// is empty.
func (ru *Rollup) Large(ctx context.Context, board string, sources []string) (bool, error) {
	if len(sources) == 0 {
		return false, nil
	}
	players, known := ru.knownPlayers(board, sources)
	if !known {
		// An empty source in the middle says nothing about the newest one.
		for _, at := range []int{len(sources) / 2, len(sources) - 1} {
			if players > 0 {
				break
			}
			if err := ru.db.Ask(ctx, upstash.Cmd("ZCARD", sources[at]), redis.IntInto(&players)); err != nil {
				return false, err
			}
			ru.totals.Set(sources[at], players)
		}
	}
	return players*int64(len(sources)) > UnionBound, nil
}

// knownPlayers is how many players the board has, or the largest of its sources, as far as
// this process knows.
func (ru *Rollup) knownPlayers(board string, sources []string) (players int64, known bool) {
	players, known = ru.totals.Last(board)
	for _, source := range sources {
		size, remembered := ru.totals.Last(source)
		players, known = max(players, size), known || remembered
	}
	return players, known
}

// Unite reads the sources, oldest first, and combines them.
func (ru *Rollup) Unite(ctx context.Context, a game.Aggregate, sources []string) (map[string]float64, error) {
	united := NewSums(a)
	if err := scanEach(ctx, ru.db, sources, united.Take); err != nil {
		return nil, err
	}
	return maps.Collect(united.Entries()), nil
}

// scanEach reads sources in their order, in pages. Two pages of a source may have the same
// player.
func scanEach(ctx context.Context, db *redis.DB, sources []string, each func(i int, page []redis.Member)) error {
	for i, source := range sources {
		err := db.ScanMembers(ctx, source, func(page []redis.Member) error {
			each(i, page)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Replace puts a whole board in place of what there is, from stored scores by
// player, and gives it its expiry.
//
// Cost: 1 billed command for every 10,000 players, and 6.
func (ru *Rollup) Replace(ctx context.Context, b game.Board, all map[string]float64) error {
	return ru.replace(ctx, b, int64(len(all)), maps.All(all))
}

// replace is Replace for so many different players.
func (ru *Rollup) replace(ctx context.Context, b game.Board, players int64, all iter.Seq2[string, float64]) error {
	if err := ru.db.Replace(ctx, b.Key, players, all); err != nil {
		return redis.Wrap("replace "+b.Key, err)
	}
	return ru.replaced(ctx, b, players)
}

// replaced remembers the total of a board that was put in place of another, forgets what else
// was known of that one, and gives the board its expiry.
func (ru *Rollup) replaced(ctx context.Context, b game.Board, players int64) error {
	ru.totals.Set(b.Key, players)
	ru.windows.Forget(b.Key)
	end, ok := game.KeyExpires(ru.db.Game, b.Key, b.Period)
	if !ok {
		return nil
	}
	_, err := ru.db.Redis.Do(ctx, redis.ExpireBy(ru.db, b.Key, end))
	return redis.Wrap("replace "+b.Key, err)
}

// Sums adds up sources, which are read oldest first and in pages. If a source shows a player on
// two of its pages, the later one counts. Sums takes some 110 bytes for each player, however
// many sources and pages there are. That matters since a function has 256 MB, and a week has
// several times as many players as a day.
type Sums struct {
	aggregate game.Aggregate
	all       map[string]*sum
	block     []sum // new sums are taken from it: one slice of all would be copied as it grows
}

// sum is what a player has in the sources read so far.
type sum struct {
	before  float64 // from all sources but that of newest
	newest  float64
	source  int32 // the source of newest
	several bool  // before has at least one source
}

// sumsAtOnce is how many sums are allocated together.
const sumsAtOnce = 1024

func NewSums(a game.Aggregate) *Sums { return &Sums{aggregate: a, all: map[string]*sum{}} }

// Take adds a page of a source.
func (s *Sums) Take(source int, page []redis.Member) {
	at := int32(source)
	for _, m := range page {
		had := s.all[m.Player]
		switch {
		case had == nil:
			s.all[strings.Clone(m.Player)] = s.add(sum{newest: m.Stored, source: at}) // without a copy, the name would keep the page in memory
		case had.source == at:
			had.newest = m.Stored
		default:
			*had = sum{before: s.total(had), newest: m.Stored, source: at, several: true}
		}
	}
}

func (s *Sums) add(first sum) *sum {
	if len(s.block) == cap(s.block) {
		s.block = make([]sum, 0, sumsAtOnce)
	}
	s.block = append(s.block, first)
	return &s.block[len(s.block)-1]
}

func (s *Sums) total(had *sum) float64 {
	if !had.several {
		return had.newest
	}
	return combined(s.aggregate, had.before, had.newest)
}

// Players is how many there are.
func (s *Sums) Players() int64 { return int64(len(s.all)) }

// Entries are the players, each once, with what they have in all sources.
func (s *Sums) Entries() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for player, had := range s.all {
			if !yield(player, s.total(had)) {
				return
			}
		}
	}
}
