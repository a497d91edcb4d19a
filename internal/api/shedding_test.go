package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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
	*apitest.Stack
	processes []http.Handler
	random    *rand.Rand
	meters    []upstash.Meter // what strangers who mean harm cost, by process
}

func newCrowd(t *testing.T, processes int) *crowd {
	s := apitest.NewStack(t)
	s.Play("user_b", "daily", "500")
	s.Play("user_c", "daily", "400")
	s.Clock.Stop()
	return &crowd{s, s.Processes(processes), rand.New(rand.NewPCG(1, 2)), make([]upstash.Meter, processes)}
}

// says makes a request from an address, at a process that is drawn.
func (c *crowd) says(request apitest.Call, from int, hostile bool) int {
	at := c.random.IntN(len(c.processes))
	r := c.Request(request.CameFrom(fmt.Sprintf("10.%d.%d.%d:80", from>>16, from>>8&255, from&255)))
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
		target := []string{apitest.Daily + "/players/user_b", apitest.Daily + "/around/user_b?range=5", fmt.Sprint(apitest.Daily, "?offset=1&limit=", 1+i%200)}[(n+i)/5%3]
		if c.says(apitest.Get(target), 1_000_000+i, false) != http.StatusOK {
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
		if code := c.says(c.As(player, apitest.Post(apitest.Scores, apitest.GoodScore)), me, false); code >= 300 {
			t.lostScores++
		}
		t.own++
		if c.says(c.As(player, apitest.Get(apitest.Daily+"/players/me")), me, false) != http.StatusOK {
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
		c.Clock.Set(c.Clock.Now().Add(time.Second))
	}
	return t
}

// strangers are requests of callers for whom nothing speaks.
func (c *crowd) stranger(n int) apitest.Call {
	switch n % 9 {
	case 0:
		return apitest.Get(apitest.Daily + "?offset=1")
	case 1:
		return apitest.Get(apitest.Daily + "/players/user_b")
	case 2:
		return apitest.Get(apitest.Daily + "/around/user_b?range=50")
	case 3:
		return apitest.Post(apitest.Lookup, goodLookup)
	case 4:
		return apitest.Post(apitest.Scores, apitest.GoodScore).Bearer("forged.token." + strings.Repeat("x", 20))
	case 5:
		return apitest.Get(apitest.Daily + "/players/me")
	case 6:
		return apitest.Get(fmt.Sprint(apitest.Daily, "?period=week&offset=", n%100))
	case 7:
		return apitest.Post(apitest.DevicesPath, "")
	}
	return apitest.Get(apitest.Daily + "/players/me").Bearer("expired.token." + fmt.Sprint(n))
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
			expired := c.TokenWith("user_late", map[string]any{"exp": c.Clock.Now().Add(-time.Hour).Unix()})
			got := c.run(15, 60, 60, func(second int) {
				for i := range 40 { // each once in three seconds
					if (second+i)%3 != 0 {
						continue
					}
					c.says(apitest.Get(apitest.Daily+"/players/me"), 3_000_000+i, false)                                                                     // signed out
					c.says(c.As("x", apitest.Get(apitest.Daily+"/players/me")).Bearer(expired), 3_100_000+i, false)                                          // expired
					c.says(c.As(fmt.Sprint("late_", i), apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"date":"2026-11-10"}`)), 3_200_000+i, false) // late
					for range 4 {                                                                                                                            // merely eager
						c.says(apitest.Get(apitest.Daily), 3_300_000+i, false)
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
