package api_test

import (
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
	*stack
	calls []call
	sent  atomic.Int64
}

func newAttackers(s *stack, n int) *attackers {
	a := &attackers{stack: s}
	for i := range n {
		from := fmt.Sprintf("10.%d.%d.%d:4711", i>>16, i>>8&255, i&255)
		a.calls = append(a.calls,
			s.as(fmt.Sprintf("hostile_%d", i), post(scores, goodScore)).cameFrom(from), // the same play, over and over
			post(scores, goodScore).bearer("forged.token."+strings.Repeat("x", 20)).cameFrom(from),
			get(daily).cameFrom(from),
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

func (a *attackers) send(c call) {
	a.handler.ServeHTTP(httptest.NewRecorder(), a.request(c))
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestHostileCallersCostNextToNothing(t *testing.T) {
	s := newStack(t)
	s.game = strings.Replace(testGame, "submit: {player: off}", "submit: {player: 20/1m}", 1)
	s.handler = s.process()
	s.clock.Stop()
	const hostiles, honest = 30, 20
	a := newAttackers(s, hostiles)
	var succeeded atomic.Int64
	var wait sync.WaitGroup
	before := s.redis.Ran()
	wait.Go(func() { // meanwhile, others play
		for i := range honest {
			c := s.as(fmt.Sprintf("honest_%d", i), post(scores, goodScore)).cameFrom(fmt.Sprintf("192.0.2.%d:4711", i))
			w := httptest.NewRecorder()
			s.handler.ServeHTTP(w, s.request(c))
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
	hostile := s.redis.Ran() - before - 2*honest
	letThrough := int64(hostiles * (20*2 + 10)) // the plays within each one's limit, 2 commands each, and the page that is read anew after some of them
	require.LessOrEqual(t, hostile, letThrough, "%d commands for %d hostile requests", hostile, a.sent.Load())
	require.EqualValues(t, 30+honest, s.page(daily+"?offset=1").Total)
}
