package limit_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// noon is the beginning of a slot.
var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// memory is a Store without Redis, for properties over many moments. Its keys never expire,
// which makes no difference to a Limiter.
type memory struct {
	mu     sync.Mutex
	counts map[string]int
	pauses map[string]int64
	asked  int
	err    error
}

func newMemory() *memory {
	return &memory{counts: map[string]int{}, pauses: map[string]int64{}}
}

func (m *memory) Exchange(_ context.Context, asks []limit.Ask) ([]limit.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	if m.err != nil {
		return nil, m.err
	}
	answers := make([]limit.Answer, len(asks))
	for i, a := range asks {
		key := func(slot int64) string { return a.Rule.Name + a.Caller + strconv.FormatInt(slot, 10) }
		if a.Rule.Pause {
			if until := m.pauses[key(0)]; until > a.Now {
				answers[i].Until = until
				continue
			}
			m.pauses[key(0)] = a.Now + int64(a.Rule.Window)
			continue
		}
		_, exists := m.counts[key(a.Slot)]
		if answers[i].Created = a.Create && !exists; answers[i].Created || !a.Create {
			m.counts[key(a.Slot)] += a.Add
		}
		answers[i].Count = m.counts[key(a.Slot)]
		for before := range answers[i].Before {
			answers[i].Before[before] = m.counts[key(a.Slot-1-int64(before))]
		}
	}
	return answers, nil
}

// submits are limits of the class submit alone.
func submits(l game.CallerLimits) game.Limits {
	if l.RedisDown == "" {
		l.RedisDown = game.LetPass
	}
	return game.Limits{Submit: l}
}

func aMinute(n int) game.Rate { return game.Rate{Count: n, Window: time.Minute} }

func player(id string) limit.Caller { return limit.Caller{Player: id} }

func take(tb require.TestingT, l *limit.Limiter, who limit.Caller) limit.Decision {
	d, err := l.Take(context.Background(), limit.Submit, who)
	require.NoError(tb, err)
	return d
}

// passed makes n requests and returns how many passed.
func passed(tb require.TestingT, l *limit.Limiter, who limit.Caller, n int) (granted int) {
	for range n {
		if take(tb, l, who).Allowed {
			granted++
		}
	}
	return granted
}

// redis is a Redis with as many processes before it as a test asks for.
type redis struct {
	*testkit.Redis
	clock *testkit.Clock
}

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, r *redis)) {
	testkit.OnEngines(t, func(t *testing.T, address string) { test(t, newRedis(t, address)) })
}

func newRedis(tb testing.TB, address string) *redis {
	return &redis{testkit.NewRedis(tb, address, testkit.AtOnce), testkit.Still(noon)}
}

// process is a Limiter with a memory of its own.
func (r *redis) process(l game.Limits) *limit.Limiter {
	return limit.New(limit.Options{Limits: l, Store: limit.NewRedis(r.Client), Now: r.clock.Now})
}

func (r *redis) keys() []string {
	var keys []string
	for _, key := range r.Do("KEYS", "*").([]any) {
		keys = append(keys, key.(string))
	}
	return keys
}
