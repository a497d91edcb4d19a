package testkit

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Overtaken tests do against an interruption at every point. For each request that do sends,
// it calls begin, then do, and runs meanwhile just before that request; in the end once more
// with meanwhile after do. Each time it calls holds, which checks what must hold in every
// order.
func Overtaken(server *upstashtest.Server, begin, do, meanwhile func(), holds func(when string)) {
	for at := 1; ; at++ {
		begin()
		end := Before(server, at, meanwhile)
		do()
		if !end() {
			meanwhile()
			holds("behind all requests")
			return
		}
		holds(fmt.Sprint("before request ", at))
	}
}

// Before runs do just before the n-th request from now on. end stops that, and reports whether
// there were n requests.
func Before(server *upstashtest.Server, n int, do func()) (end func() bool) {
	requests, doing := 0, false
	server.Inject(func(upstashtest.Request) (none upstashtest.Fault) {
		if doing {
			return none
		}
		if requests++; requests == n {
			doing = true
			do()
			doing = false
		}
		return none
	})
	return func() bool {
		server.Inject(nil)
		return requests >= n
	}
}

// Empty empties the Redis.
func (r *Redis) Empty() {
	r.tb.Helper()
	_, err := r.Server.Redis().Do(r.tb.Context(), "FLUSHALL")
	require.NoError(r.tb, err)
}
