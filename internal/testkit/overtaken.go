package testkit

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Overtaken does something once for each request that it sends, each time from the
// beginning, with something else done whole just before that request, and once with that
// done behind it. Then it asks what holds whichever came first.
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

// Before has something done whole just before the n-th request from now on. What it gives
// ends that, and reports whether there were so many.
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
