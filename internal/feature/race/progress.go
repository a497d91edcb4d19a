package race

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// rememberRaces is how many races a process follows, in entries of some 500 bytes. A race
	// that is forgotten is read again.
	rememberRaces = 4096
	// beatEvery is the least time between two writes of a player's progress to Redis. So
	// every process knows progress to about that, and that the player is still there.
	beatEvery = 5 * time.Second
	// takeEvery is the least time between two updates of a player's progress; updates in
	// between are ignored.
	takeEvery = 250 * time.Millisecond
	// againEvery is how often a process reads a race again that it follows: so long may it show a
	// player who was erased meanwhile, or has left.
	againEvery = 30 * time.Second
)

// tracks are the races whose players have sent this process their progress.
type tracks struct {
	mu    *sync.Mutex
	races *lru.Cache[string, *track]
}

// track is the progress of the players of a race, as far as this process knows.
type track struct {
	race     Race
	read     time.Time // when the race was read
	progress []float64
	taken    []time.Time // when progress was last updated
	beat     []time.Time // when it was last written to Redis
}

func newTracks() tracks {
	races := lru.New[string, *track](rememberRaces)
	return tracks{&sync.Mutex{}, races}
}

// Progress takes a player's progress, from 0 to 1, and returns everybody's in the order of
// the seats, as far as this process knows. Progress decides nothing. But a player who has
// sent it once is out after a silence, while a player who never sends it is awaited until the
// end. Errors: ErrUnknown, ErrEarly, ErrOver.
//
// Cost: 2 billed commands in 1 round trip at most every 5 s for each player and process, 1 more
// for the first of a race and then every 30 s, else none.
func (s *Store) Progress(ctx context.Context, id, player string, progress float64) (Race, []float64, error) {
	now := s.now()
	t, err := s.track(ctx, id, player)
	if err != nil {
		return Race{}, nil, err
	}
	at := t.race.Seat(player)
	switch {
	case at < 0:
		return Race{}, nil, ErrUnknown
	case t.race.State == Waiting || now.Before(t.race.StartsAt):
		return Race{}, nil, ErrEarly
	case t.race.State != Started || now.UnixMilli() > t.race.Until.UnixMilli() || t.race.Seats[at].Left:
		return Race{}, nil, ErrOver
	}
	s.tracks.mu.Lock()
	if now.Sub(t.taken[at]) >= takeEvery {
		t.taken[at], t.progress[at] = now, max(t.progress[at], progress)
	}
	beats := now.Sub(t.beat[at]) >= beatEvery
	if beats {
		t.beat[at] = now
	}
	all := append([]float64(nil), t.progress...)
	s.tracks.mu.Unlock()
	if !beats {
		return t.race, all, nil
	}
	// This needs no script, because a player's seat in a started race does not change. EXPIRE
	// is for a record that was lost meanwhile and that HSET makes again.
	key := RecordKey(id)
	result, err := s.redis.Pipeline(ctx,
		upstash.Cmd("HSET", key, nth("seen", at+1), redis.Millis(now), nth("progress", at+1), game.FormatStored(all[at])).Idempotent(),
		upstash.Cmd("EXPIRE", key, redis.Seconds(s.rules.Keep)).Idempotent())
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		s.tracks.mu.Lock()
		t.beat[at] = time.Time{}
		s.tracks.mu.Unlock()
		return Race{}, nil, fmt.Errorf("note the progress of a player: %w", err)
	}
	return t.race, all, nil
}

// Forget forgets the races that show a player, who may be erased by now. They are read again.
func (s *Store) Forget(player string) {
	for _, id := range s.tracks.races.Keys() {
		if t, ok := s.tracks.races.Peek(id); ok && t.race.Seat(player) >= 0 {
			s.tracks.races.Remove(id)
		}
	}
}

// Knows reports whether a player's progress in a race can be taken at no cost now.
func (s *Store) Knows(id, player string) bool {
	t, ok := s.tracks.races.Get(id)
	if !ok {
		return false
	}
	at := t.race.Seat(player)
	s.tracks.mu.Lock()
	defer s.tracks.mu.Unlock()
	return at >= 0 && s.now().Sub(t.beat[at]) < beatEvery && s.now().Sub(t.read) < againEvery
}

// track finds what this process knows of a started race.
func (s *Store) track(ctx context.Context, id, player string) (*track, error) {
	known, ok := s.tracks.races.Get(id)
	if ok && s.now().Sub(known.read) < againEvery {
		return known, nil
	}
	r, err := s.race(ctx, id)
	if err != nil {
		return nil, err
	}
	n := len(r.Seats)
	t := &track{r, s.now(), make([]float64, n), make([]time.Time, n), make([]time.Time, n)}
	for i, seat := range r.Seats {
		t.progress[i] = seat.Progress
	}
	if ok && len(known.progress) == n { // the seats of a started race stay
		t.progress, t.taken, t.beat = known.progress, known.taken, known.beat
	}
	if r.State != Started || r.Seat(player) < 0 {
		return t, nil // not remembered: the race has not started, or the player is not in it
	}
	s.tracks.mu.Lock()
	defer s.tracks.mu.Unlock()
	if other, ok := s.tracks.races.Get(id); ok && other != known {
		return other, nil
	}
	s.tracks.races.Add(id, t)
	return t, nil
}

// WithProgress adds the progress that this process knows of to a race's seats, if it is further than
// in Redis.
func (s *Store) WithProgress(r Race) Race {
	t, ok := s.tracks.races.Get(r.ID)
	if !ok || len(t.progress) != len(r.Seats) {
		return r
	}
	s.tracks.mu.Lock()
	defer s.tracks.mu.Unlock()
	r.Seats = slices.Clone(r.Seats)
	for i := range r.Seats {
		r.Seats[i].Progress = max(r.Seats[i].Progress, t.progress[i])
	}
	return r
}
