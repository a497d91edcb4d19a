package bands

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// views keeps boards as this process has read them.
type views struct {
	dbs   *Databases
	set   Settings
	boxes *lru.Cache[string, *box]
	mu    sync.Mutex
}

// box is what a process remembers of one board.
type box struct {
	mu   sync.Mutex // held while the board is read, so that one request reads for all
	at   time.Duration
	view *view
}

// view is a board's layout with counts. It is never changed.
type view struct {
	*Layout
	text   string // of the layout, as Redis has it
	counts counts
}

// counts are how many players each band had.
type counts struct {
	Version int64            `json:"version"` // of the layout
	At      int64            `json:"at"`      // Unix milliseconds
	Players map[string]int64 `json:"players"` // by band
}

// above is how many players are in better bands.
func (v *view) above(i int) (n int64) {
	for _, band := range v.Bands[:i] {
		n += v.counts.Players[band.Key]
	}
	return n
}

func (v *view) total() int64 { return v.above(len(v.Bands)) }

func (v *view) counted() time.Time { return time.UnixMilli(v.counts.At) }

func (s *views) boxOf(key string) *box {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.boxes.Get(key); ok {
		return b
	}
	b := &box{}
	s.boxes.Add(key, b)
	return b
}

// view is the board as this process has read it.
//
// Cost: nothing while that is fresh; else 1 billed command in 1 round trip. For the one
// process that counts in each 10 s, 3 more and 1 for each band, in 3 more round trips.
//
// Errors: ErrNoBands.
func (s *views) view(ctx context.Context, b Board) (*view, error) {
	box := s.boxOf(b.Key)
	box.mu.Lock()
	defer box.mu.Unlock()
	if box.view != nil && s.set.Elapsed()-box.at < s.set.Fresh {
		if box.view.Layout == nil {
			return nil, ErrNoBands
		}
		return box.view, nil
	}
	at := s.set.Elapsed() // before the read, so that the view is never older than at says
	v, err := s.read(ctx, b)
	if err != nil {
		return nil, err
	}
	if v.Layout == nil {
		box.view, box.at = v, at
		return nil, ErrNoBands
	}
	if v.counts.Version != v.Version || s.set.Now().Sub(v.counted()) >= s.set.Fresh {
		if err := s.recount(ctx, b, v); err != nil {
			return nil, err
		}
	}
	box.view, box.at = v, at
	return v, nil
}

// HasBands reports whether a board is kept in bands.
//
// Cost: that of a layout, see [Bands.Rank]; 1 billed command every 10 s for a board that is not
// kept in bands.
func (s *Bands) HasBands(ctx context.Context, b Board) (bool, error) {
	_, err := s.view(ctx, b)
	if errors.Is(err, ErrNoBands) {
		return false, nil
	}
	return err == nil, err
}

// forget makes the next reader read the board from Redis.
func (s *views) forget(b Board) {
	box := s.boxOf(b.Key)
	box.mu.Lock()
	defer box.mu.Unlock()
	box.view = nil
}

// read reads layout and counts from Redis. A view without a layout is a board without bands.
func (s *views) read(ctx context.Context, b Board) (*view, error) {
	reply, err := s.dbs.first().Do(ctx, upstash.Cmd("MGET", game.BandsKey(b.Key), game.BandCountsKey(b.Key)))
	if err != nil {
		return nil, redis.Wrap("read the bands of "+b.Key, err)
	}
	both, err := redis.Texts(reply, 2, "a layout and counts")
	if err != nil {
		return nil, err
	}
	v := &view{text: both[0]}
	if v.text == "" {
		return v, nil
	}
	if v.Layout, err = parseLayout(b, v.text); err != nil {
		return nil, err
	}
	if json.Unmarshal([]byte(both[1]), &v.counts) != nil {
		v.counts = counts{} // so the bands are counted
	}
	return v, nil
}

// turnLife is how long other processes wait for one that has begun to count.
const turnLife = 5 * time.Second

// recount counts the bands, unless another process is counting them and there are older counts
// of this layout.
func (s *views) recount(ctx context.Context, b Board, v *view) error {
	turn, err := s.dbs.first().Do(ctx, upstash.Cmd("SET", game.BandTurnKey(b.Key), "1", "NX", "PX", redis.Itoa(turnLife.Milliseconds())))
	if err != nil {
		return redis.Wrap("count the bands of "+b.Key, err)
	}
	if turn.IsNil() && v.counts.Version == v.Version {
		return nil
	}
	if v.counts, err = s.count(ctx, b, v.Layout); err != nil {
		return err
	}
	if turn.IsNil() {
		return nil
	}
	text, err := json.Marshal(v.counts)
	if err != nil {
		return err
	}
	keep := &redis.Pipeline{}
	keep.Add(upstash.Cmd(s.living(b, "SET", game.BandCountsKey(b.Key), string(text))...).Idempotent(), nil)
	keep.Add(upstash.Cmd("DEL", game.BandTurnKey(b.Key)).Idempotent(), nil)
	_, err = keep.Run(ctx, s.dbs.first())
	return redis.Wrap("keep the counts of "+b.Key, err)
}

// living adds the board's expiry to a SET command.
func (s *views) living(b Board, set ...string) []string {
	if b.Ends.IsZero() {
		return set
	}
	return append(set, "PXAT", redis.Itoa(b.Ends.UnixMilli()))
}

// count counts the bands now.
func (s *views) count(ctx context.Context, b Board, l *Layout) (counts, error) {
	found := make([]int64, len(l.Bands))
	at := s.set.Now()
	w := s.wave()
	for i, band := range l.Bands {
		w.add(band.Database, b.count(band), redis.IntInto(&found[i]))
	}
	if _, err := w.run(ctx); err != nil {
		return counts{}, redis.Wrap("count the bands of "+b.Key, err)
	}
	c := counts{Version: l.Version, At: at.UnixMilli(), Players: map[string]int64{}}
	for i, band := range l.Bands {
		c.Players[band.Key] = found[i]
	}
	return c, nil
}
