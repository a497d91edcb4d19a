package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// attackers are hostile callers, each with an id, its credential and an address.
type attackers struct {
	*apitest.Stack
	calls []apitest.Call
	sent  atomic.Int64
}

func newAttackers(s *apitest.Stack, n int) *attackers {
	a := &attackers{Stack: s}
	for i := range n {
		from := fmt.Sprintf("10.%d.%d.%d:4711", i>>16, i>>8&255, i&255)
		a.calls = append(a.calls,
			s.As(fmt.Sprintf("hostile_%d", i), apitest.Post(apitest.Scores, apitest.GoodScore)).CameFrom(from), // the same play, over and over
			apitest.Post(apitest.Scores, apitest.GoodScore).Bearer("forged.token."+strings.Repeat("x", 20)).CameFrom(from),
			apitest.Get(apitest.Daily).CameFrom(from),
		)
	}
	return a
}

// storm sends every call of every attacker, rounds times, from two goroutines.
func (a *attackers) storm(rounds int) {
	var wait sync.WaitGroup
	for half := range 2 {
		wait.Go(func() {
			for range rounds {
				for i := half; i < len(a.calls); i += 2 {
					a.send(a.calls[i])
					a.sent.Add(1)
				}
			}
		})
	}
	wait.Wait()
}

func (a *attackers) send(c apitest.Call) {
	a.Handler.ServeHTTP(httptest.NewRecorder(), a.Request(c))
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestHostileCallersCostNextToNothing(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = strings.Replace(apitest.TestGame, "submit: {player: off}", "submit: {player: 20/1m}", 1)
	s.Handler = s.Process()
	s.Clock.Stop()
	const hostiles, honest = 30, 20
	a := newAttackers(s, hostiles)
	var succeeded atomic.Int64
	var wait sync.WaitGroup
	before := s.Redis.Ran()
	wait.Go(func() { // meanwhile, others play
		for i := range honest {
			c := s.As(fmt.Sprintf("honest_%d", i), apitest.Post(apitest.Scores, apitest.GoodScore)).CameFrom(fmt.Sprintf("192.0.2.%d:4711", i))
			w := httptest.NewRecorder()
			s.Handler.ServeHTTP(w, s.Request(c))
			if w.Code == http.StatusCreated {
				succeeded.Add(1)
			}
		}
	})
	a.storm(100)
	grown := heap()
	a.storm(400)
	require.Less(t, heap(), grown+4<<20, "memory stays flat")
	wait.Wait()
	require.EqualValues(t, honest, succeeded.Load(), "every honest play counted")
	hostile := s.Redis.Ran() - before - 2*honest
	letThrough := int64(hostiles * (20*2 + 10)) // the plays within each one's limit, 2 commands each, and the page that is read anew after some of them
	require.LessOrEqual(t, hostile, letThrough, "%d commands for %d hostile requests", hostile, a.sent.Load())
	require.EqualValues(t, 30+honest, s.Page(apitest.Daily+"?offset=1").Total)
}
