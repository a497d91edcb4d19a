package leaderboard

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A distribution is counted from the board when somebody asks for it, and not kept beside the
// board: so it costs a submission nothing, and always agrees with the board. The time that
// Redis takes to count one bucket grows with the logarithm of the players.

// rememberDistributions bounds the distributions in memory: 50 buckets of 24 bytes each.
const rememberDistributions = 256

// distributions counts boards, and keeps each count as long as a page may be old: in memory,
// and in Redis for other processes.
type distributions struct {
	pages pages
	held  *lru.Cache[string, game.Distribution]
}

func newDistributions(p pages) distributions {
	return distributions{p, lru.New[string, game.Distribution](rememberDistributions)}
}

// Distribution counts the players of a board by score, in at most so many buckets.
//
// Cost: nothing while it is in memory; 1 billed command if another process has counted the
// board, or if the board is known to have up to 1,200 players. Else 8 and one for each bucket,
// in 4 round trips, besides the refresh of a derived board that is due.
func (r *Reader) Distribution(ctx context.Context, b game.Board, buckets int) (Answer[game.Distribution], error) {
	counted := r.boards.distributions
	key := game.DistributionKey(b.Key, buckets)
	return read(ctx, r, b, question[game.Distribution]{
		current: func() (game.Distribution, error) { return counted.currentDistribution(ctx, b, buckets) },
		keep:    func(game.Distribution) {}, // currentDistribution has kept it
		last:    func() (game.Distribution, bool) { return counted.held.Get(key) },
		archived: func() (game.Distribution, error) {
			d, err := r.archive.Distribution(ctx, b, buckets)
			page := r.boards.pages.newPage(b)
			d.Board, d.UpdatedAt, d.Closed = b, page.UpdatedAt, page.Closed
			return d, err
		},
		nobody:  func(d game.Distribution, err error) bool { return err == nil && d.Total == 0 },
		players: func(d game.Distribution) int64 { return d.Total },
		isPage:  true,
		stale: func(d *game.Distribution, saved time.Time, why error) {
			if d.Stale = why; !saved.IsZero() {
				d.UpdatedAt = saved
			}
		},
		bears: onPages,
	})
}

// currentDistribution returns a board's last count if that is fresh, else a new one.
func (s distributions) currentDistribution(ctx context.Context, b game.Board, buckets int) (game.Distribution, error) {
	key, age := game.DistributionKey(b.Key, buckets), s.pages.windowAge(b)
	if d, ok := s.held.Get(key); ok && s.fresh(d, age) {
		return d, nil
	}
	players, guessed := s.pages.totals.Likely(b.Key)
	small := guessed && players < smallBoard
	if !small {
		if d, ok, err := s.shared(ctx, b, key); err != nil || ok && s.fresh(d, age) {
			return d, err
		}
	}
	if err := s.pages.rollup.Refresh(ctx, b); err != nil {
		return game.Distribution{}, err
	}
	page := s.pages.newPage(b)
	d := game.Distribution{Board: b, UpdatedAt: page.UpdatedAt, Closed: page.Closed, Stale: page.Stale}
	if small {
		whole, err := s.countWhole(ctx, &d, buckets)
		if err != nil || whole {
			s.keep(key, d, err)
			return d, err
		}
	}
	err := s.count(ctx, &d, buckets)
	s.keep(key, d, err)
	if err == nil && d.Total > smallBoard {
		_ = s.share(ctx, key, d, age) // without it the next process counts for itself
	}
	return d, err
}

func (s distributions) fresh(d game.Distribution, age time.Duration) bool {
	old := s.pages.db.Now().Sub(d.UpdatedAt)
	return old >= 0 && old < age
}

func (s distributions) keep(key string, d game.Distribution, err error) {
	if err == nil {
		s.pages.totals.Set(d.Board.Key, d.Total)
		s.held.Add(key, d)
	}
}

// countWhole counts a board that is likely small by reading it: one command. It reports false
// if the board has grown too large for that.
func (s distributions) countWhole(ctx context.Context, d *game.Distribution, buckets int) (bool, error) {
	var entries []game.Entry
	if err := s.pages.db.Ask(ctx, redis.RangeCommand(d.Board, 0, smallBoard), redis.EntriesInto(d.Board, &entries)); err != nil {
		return false, redis.Wrap("read a small board to count it", err)
	}
	if len(entries) > smallBoard {
		return false, nil
	}
	if len(entries) == 0 {
		return true, nil
	}
	d.Buckets = game.Buckets(d.Board.Mode, entries[0].Score, entries[len(entries)-1].Score, buckets)
	players := make([]int64, len(d.Buckets))
	for _, e := range entries {
		players[d.BucketOf(e.Score)]++
	}
	d.Count(players)
	return true, nil
}

// count counts a board of any size in two round trips: the first reads the board's ends, which
// say what buckets there are, and the second counts all buckets at one moment. If players come
// in beyond the ends between the two, the outer buckets become wider and count them too.
func (s distributions) count(ctx context.Context, d *game.Distribution, buckets int) error {
	var ends redis.Pipeline
	best, worst := s.askEnds(&ends, d.Board)
	if _, err := ends.Run(ctx, s.pages.db.Redis); err != nil {
		return redis.Wrap("read a board's ends", err)
	}
	if len(*best) == 0 || len(*worst) == 0 {
		return nil
	}
	d.Buckets = game.Buckets(d.Board.Mode, (*best)[0].Score, (*worst)[0].Score, buckets)
	counts := redis.Pipeline{Atomic: true}
	best, worst = s.askEnds(&counts, d.Board)
	players := make([]int64, len(d.Buckets))
	for i, command := range countCommands(d.Board, d.Buckets) {
		counts.Add(command, redis.IntInto(&players[i]))
	}
	if _, err := counts.Run(ctx, s.pages.db.Redis); err != nil {
		return redis.Wrap("count a board", err)
	}
	if len(*best) == 0 || len(*worst) == 0 { // everybody has left it
		d.Buckets = nil
		return nil
	}
	d.Reach((*best)[0].Score, (*worst)[0].Score)
	d.Count(players)
	return nil
}

// askEnds queues the reading of a board's first and last entry.
func (s distributions) askEnds(p *redis.Pipeline, b game.Board) (best, worst *[]game.Entry) {
	best, worst = new([]game.Entry), new([]game.Entry)
	p.Add(redis.RangeCommand(b, 0, 0), redis.EntriesInto(b, best))
	p.Add(redis.RangeCommand(b, -1, -1), redis.EntriesInto(b, worst))
	return best, worst
}

// countCommands count each bucket of a board. The outer buckets are open-ended.
func countCommands(b game.Board, buckets []game.Bucket) []upstash.Command {
	commands := make([]upstash.Command, len(buckets))
	lowest, highest := 0, len(buckets)-1
	if from, _ := buckets[lowest].Bounds(b.Mode); highest > 0 {
		if other, _ := buckets[highest].Bounds(b.Mode); other < from { // the value counts downwards
			lowest, highest = highest, lowest
		}
	}
	for i, bucket := range buckets {
		from, to := bucket.Bounds(b.Mode)
		least, most := redis.FirstOf(b, from), "("+redis.FirstOf(b, to+1)
		if i == lowest {
			least = "-inf"
		}
		if i == highest {
			most = "+inf"
		}
		commands[i] = upstash.Cmd("ZCOUNT", b.Key, least, most)
	}
	return commands
}

// sharedDistribution is a count that a process leaves in Redis for the others.
type sharedDistribution struct {
	At      int64      `json:"at"` // Unix seconds
	Buckets [][3]int64 `json:"buckets"`
}

// shared reads the count of another process, as long as it may be shown.
func (s distributions) shared(ctx context.Context, b game.Board, key string) (d game.Distribution, ok bool, err error) {
	var shared sharedDistribution
	var p redis.Pipeline
	p.Add(upstash.Cmd("GET", key), func(r upstash.Reply) error {
		text, err := redis.Text(r)
		ok = err == nil && json.Unmarshal([]byte(text), &shared) == nil && len(shared.Buckets) > 0
		return err
	})
	if _, err := p.Run(ctx, s.pages.db.Redis); err != nil || !ok {
		return d, false, redis.Wrap("read how a board was counted", err)
	}
	d = game.Distribution{Board: b, UpdatedAt: time.Unix(shared.At, 0), Closed: s.pages.newPage(b).Closed}
	for _, bucket := range shared.Buckets {
		d.Buckets = append(d.Buckets, game.Bucket{From: game.Score(bucket[0]), To: game.Score(bucket[1]), Players: bucket[2]})
		d.Total += bucket[2]
	}
	s.held.Add(key, d)
	return d, true, nil
}

// share leaves a count in Redis for other processes, for as long as it may be shown.
func (s distributions) share(ctx context.Context, key string, d game.Distribution, age time.Duration) error {
	if age < time.Second {
		return nil
	}
	shared := sharedDistribution{At: d.UpdatedAt.Unix()}
	for _, b := range d.Buckets {
		shared.Buckets = append(shared.Buckets, [3]int64{int64(b.From), int64(b.To), b.Players})
	}
	text, err := json.Marshal(shared)
	if err != nil {
		return err
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd("SET", key, string(text), "EX", redis.Itoa(int64(age/time.Second))).Idempotent(), nil)
	_, err = p.Run(ctx, s.pages.db.Redis)
	return redis.Wrap("tell how a board was counted", err)
}
