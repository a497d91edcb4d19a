package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// crowd is many callers of some processes before one Redis, on a clock that
// moves a tick when all have had their turn. Which process serves a request is
// drawn.
type crowd struct {
	*stack
	processes []http.Handler
	random    *rand.Rand
	meters    []upstash.Meter // what strangers who mean harm cost, by process
}

func newCrowd(t *testing.T, processes int) *crowd {
	s := newStack(t)
	s.play("user_b", "daily", "500")
	s.play("user_c", "daily", "400")
	s.clock.Stop()
	return &crowd{s, s.processes(processes), rand.New(rand.NewPCG(1, 2)), make([]upstash.Meter, processes)}
}

// says makes a request from an address, at a process that is drawn.
func (c *crowd) says(request call, from int, hostile bool) int {
	at := c.random.IntN(len(c.processes))
	r := c.request(request.cameFrom(fmt.Sprintf("10.%d.%d.%d:80", from>>16, from>>8&255, from&255)))
	if hostile {
		r = r.WithContext(upstash.WithMeter(r.Context(), &c.meters[at]))
	}
	w := httptest.NewRecorder()
	c.processes[at].ServeHTTP(w, r)
	return w.Code
}

// told counts what readers and players got.
type served struct{ reads, lostReads, scores, lostScores, own, lostOwn int }

func (t served) share() float64 { return float64(t.lostReads) / float64(max(t.reads, 1)) }

// second has honest callers act for a second: readers, each asking for
// something that memory does not have every 5 s, and players who send a score
// and look where they stand.
func (c *crowd) second(n, readers int, t *served) {
	for i := range readers {
		if (n+i)%5 != 0 {
			continue
		}
		t.reads++
		target := []string{daily + "/players/user_b", daily + "/around/user_b?range=5", fmt.Sprint(daily, "?offset=1&limit=", 1+i%200)}[(n+i)/5%3]
		if c.says(get(target), 1_000_000+i, false) != http.StatusOK {
			t.lostReads++
		}
	}
	for i := range 3 {
		player := fmt.Sprint("player_", n%60, "_", i)
		me := 2_000_000 + i // behind an address that hostile callers use too
		if i == 0 {
			me = 1
		}
		t.scores++
		if code := c.says(c.as(player, post(scores, goodScore)), me, false); code >= 300 {
			t.lostScores++
		}
		t.own++
		if c.says(c.as(player, get(daily+"/players/me")), me, false) != http.StatusOK {
			t.lostOwn++
		}
	}
}

func (c *crowd) run(from, seconds, readers int, others func(second int)) (t served) {
	for n := range seconds {
		if others != nil {
			others(from + n)
		}
		c.second(from+n, readers, &t)
		c.clock.Set(c.clock.Now().Add(time.Second))
	}
	return t
}

// strangers are requests of callers for whom nothing speaks.
func (c *crowd) stranger(n int) call {
	switch n % 9 {
	case 0:
		return get(daily + "?offset=1")
	case 1:
		return get(daily + "/players/user_b")
	case 2:
		return get(daily + "/around/user_b?range=50")
	case 3:
		return post(lookup, goodLookup)
	case 4:
		return post(scores, goodScore).bearer("forged.token." + strings.Repeat("x", 20))
	case 5:
		return get(daily + "/players/me")
	case 6:
		return get(fmt.Sprint(daily, "?period=week&offset=", n%100))
	case 7:
		return post(devicesPath, "")
	}
	return get(daily + "/players/me").bearer("expired.token." + fmt.Sprint(n))
}

// deployments are processes that serve everything, and environments of Lambda, of
// which each serves one request at a time, so at most some 20 a second, and
// remembers for itself.
var deployments = map[string]int{"two processes": 2, "twelve processes": 12, "environments of a function": 50}

func TestHonestCallersLoseNothingBesideThoseWhoErr(t *testing.T) {
	for name, processes := range deployments {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t, processes)
			c.run(0, 15, 60, nil)
			expired := c.tokenWith("user_late", map[string]any{"exp": c.clock.Now().Add(-time.Hour).Unix()})
			got := c.run(15, 60, 60, func(second int) {
				for i := range 40 { // each once in three seconds
					if (second+i)%3 != 0 {
						continue
					}
					c.says(get(daily+"/players/me"), 3_000_000+i, false)                                                                     // signed out
					c.says(c.as("x", get(daily+"/players/me")).bearer(expired), 3_100_000+i, false)                                          // expired
					c.says(c.as(fmt.Sprint("late_", i), post(scores, `{"mode":"daily","score":1,"date":"2026-11-10"}`)), 3_200_000+i, false) // late
					for range 4 {                                                                                                            // merely eager
						c.says(get(daily), 3_300_000+i, false)
					}
				}
			})
			t.Logf("%+v", got)
			require.Zero(t, got.lostScores)
			require.Zero(t, got.lostOwn)
			require.Less(t, got.share(), 0.01)
		})
	}
}

func TestAnAttackOfStrangersIsBoundedAndOverWhenItIsOver(t *testing.T) {
	for name, processes := range deployments {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t, processes)
			c.run(0, 15, 60, nil)
			n := 0
			got := c.run(15, 30, 60, func(int) {
				for range 1_000 { // of a thousand addresses, in turn
					n++
					c.says(c.stranger(n+n/1000), 1+n%1000, true)
				}
			})
			dearest := int64(0)
			for i := range c.meters {
				dearest = max(dearest, c.meters[i].Commands())
			}
			t.Logf("in the attack %+v; hostile commands of the process that spent most: %d", got, dearest)
			require.Zero(t, got.lostScores)
			require.Zero(t, got.lostOwn)
			require.Less(t, got.share(), 0.05)
			require.LessOrEqual(t, dearest, int64(3000))
			c.run(45, 10, 60, nil)
			after := c.run(55, 30, 60, nil)
			t.Logf("after it %+v", after)
			require.Zero(t, after.lostReads+after.lostScores+after.lostOwn)
		})
	}
}
