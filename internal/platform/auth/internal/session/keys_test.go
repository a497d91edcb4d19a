package session_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth/internal/session"
)

var errDown = errors.New("nobody answers")

// publisher is an instance that publishes keys, in a bubble of synctest whose
// clock rules.
type publisher struct {
	mu      sync.Mutex
	text    string
	err     error
	delay   time.Duration
	fetches int
	failed  atomic.Int64
}

func (p *publisher) publish(kids ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.err = keySet(kids...), nil
}

func (p *publisher) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

func (p *publisher) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fetches
}

func (p *publisher) source(ctx context.Context) ([]byte, error) {
	p.mu.Lock()
	p.fetches++
	text, err, delay := p.text, p.err, p.delay
	p.mu.Unlock()
	select {
	case <-time.After(delay):
		return []byte(text), err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *publisher) cache() *session.Keys {
	return session.NewKeys(session.KeysConfig{Source: p.source, Now: time.Now, Failed: func(error) { p.failed.Add(1) }})
}

func found(t *testing.T, c *session.Keys, kid string) {
	t.Helper()
	key, err := c.Find(t.Context(), kid)
	require.NoError(t, err)
	require.NotNil(t, key)
}

func unknown(t *testing.T, c *session.Keys, kid string) {
	t.Helper()
	_, err := c.Find(t.Context(), kid)
	require.ErrorIs(t, err, session.ErrUnknownKey)
}

// bubble runs a test on a clock of its own.
func bubble(t *testing.T, test func(*testing.T, *publisher, *session.Keys)) {
	synctest.Test(t, func(t *testing.T) {
		p := &publisher{delay: 10 * time.Millisecond}
		p.publish("a")
		test(t, p, p.cache())
		time.Sleep(time.Minute) // a fetch that is still under way ends
	})
}

func TestNothingIsFetchedBeforeItIsNeeded(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		require.Nil(t, c.Known("a"))
		require.Zero(t, p.count())
		found(t, c, "a")
		require.NotNil(t, c.Known("a"))
		found(t, c, "a")
		require.Equal(t, 1, p.count())
	})
}

func TestManyAtOnceWaitForOneFetch(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		var group sync.WaitGroup
		for range 1000 {
			group.Go(func() {
				_, err := c.Find(t.Context(), "a")
				assert.NoError(t, err)
			})
		}
		group.Wait()
		require.Equal(t, 1, p.count())
	})
}

func TestAStormOfUnknownKeysCausesOneFetchInEachInterval(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		found(t, c, "a")
		began := time.Now()
		// 1,000 callers, each with a kid of its own, ten times a second for
		// five minutes and a half.
		const callers, rounds = 1000, 3300
		for round := range rounds {
			if round%100 == 0 { // all of them at once, now and then
				var group sync.WaitGroup
				for caller := range callers {
					group.Go(func() {
						_, err := c.Find(t.Context(), fmt.Sprint("x", round, "-", caller))
						assert.ErrorIs(t, err, session.ErrUnknownKey)
					})
				}
				group.Wait()
			}
			unknown(t, c, fmt.Sprint("y", round))
			require.NotNil(t, c.Known("a"), "the storm must not disturb the others")
			time.Sleep(time.Until(began.Add(time.Duration(round+1) * 100 * time.Millisecond)))
		}
		require.Equal(t, 1+330/30-1, p.count())
	})
}

func TestAKidThatWasAskedForInVainIsNotAskedForAgainSoon(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		found(t, c, "a")
		time.Sleep(30 * time.Second)
		unknown(t, c, "other")
		require.Equal(t, 2, p.count())
		for range 3 {
			time.Sleep(39 * time.Second)
			unknown(t, c, "other")
		}
		require.Equal(t, 2, p.count())
		time.Sleep(3 * time.Second)
		unknown(t, c, "other")
		require.Equal(t, 3, p.count())
	})
}

func TestNoFetchIsMadeForAKidThatNoKeyCanHave(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		found(t, c, "a")
		time.Sleep(time.Minute)
		unknown(t, c, "")
		unknown(t, c, string(make([]byte, 129)))
		require.Equal(t, 1, p.count())
	})
}

func TestARotationLosesNobody(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		found(t, c, "a")
		p.publish("a", "b")
		time.Sleep(30 * time.Second)
		require.NotNil(t, c.Known("a"))
		require.Nil(t, c.Known("b"))
		found(t, c, "b") // the first token of the new key brings it
		require.NotNil(t, c.Known("a"), "the old key stays as long as it is published")
		require.Equal(t, 2, p.count())

		p.publish("b")
		time.Sleep(time.Hour)
		require.NotNil(t, c.Known("b")) // old enough to be fetched again
		synctest.Wait()
		time.Sleep(time.Second)
		require.Equal(t, 3, p.count())
		require.Nil(t, c.Known("a"), "a withdrawn key is forgotten")
		require.NotNil(t, c.Known("b"))
	})
}

func TestNobodyWaitsForABackgroundFetch(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		found(t, c, "a")
		time.Sleep(time.Hour)
		before := time.Now()
		for range 100 {
			require.NotNil(t, c.Known("a"))
		}
		require.Equal(t, before, time.Now())
		synctest.Wait()
		require.Equal(t, 2, p.count())
	})
}

func TestKnownKeysOutliveAPublisherThatIsDownForADay(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		found(t, c, "a")
		p.fail(errDown)
		for range 23 {
			time.Sleep(time.Hour)
			require.NotNil(t, c.Known("a"))
		}
		require.EqualValues(t, 22, p.failed.Load(), "one attempt an hour, the last one still under way")
		_, err := c.Find(t.Context(), "b")
		require.ErrorIs(t, err, errDown, "nobody can tell whether b is published")

		time.Sleep(time.Hour)
		require.Nil(t, c.Known("a"))
		_, err = c.Find(t.Context(), "a")
		require.ErrorIs(t, err, errDown)

		p.publish("a")
		time.Sleep(2 * time.Second)
		found(t, c, "a")
	})
}

func TestWithoutAnyKeyAFetchIsTriedEveryTwoSeconds(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		p.delay = 0
		for name, fail := range map[string]func(){
			"nobody answers": func() { p.fail(errDown) },
			"no keys":        func() { p.publish() },
		} {
			fail()
			before := p.count()
			for range 100 {
				_, err := c.Find(t.Context(), "a")
				require.Error(t, err, name)
				require.NotErrorIs(t, err, session.ErrUnknownKey, name)
				time.Sleep(100 * time.Millisecond)
			}
			require.Equal(t, before+5, p.count(), name)
		}
		p.publish("a")
		found(t, c, "a")
	})
}

func TestAFetchEndsAfterThreeSeconds(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		p.delay = time.Hour
		before := time.Now()
		_, err := c.Find(t.Context(), "a")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 3*time.Second, time.Since(before))
	})
}

func TestACallerThatGivesUpLeavesTheFetchToTheOthers(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, c *session.Keys) {
		p.delay = time.Second
		hasty, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := c.Find(hasty, "a")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		found(t, c, "a")
		require.Equal(t, 1, p.count())
	})
}

func TestAClockThatIsSetBackDoesNotStopFetches(t *testing.T) {
	bubble(t, func(t *testing.T, p *publisher, _ *session.Keys) {
		var offset time.Duration
		c := session.NewKeys(session.KeysConfig{Source: p.source, Now: func() time.Time { return time.Now().Add(offset) }})
		found(t, c, "a")
		offset = -48 * time.Hour
		p.publish("a", "b")
		require.NotNil(t, c.Known("a"))
		found(t, c, "b")
	})
}
