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
		requests, doing := 0, false
		server.Inject(func(upstashtest.Request) (none upstashtest.Fault) {
			if doing {
				return none
			}
			if requests++; requests == at {
				doing = true
				meanwhile()
				doing = false
			}
			return none
		})
		do()
		server.Inject(nil)
		if requests < at {
			meanwhile()
			holds("behind all requests")
			return
		}
		holds(fmt.Sprint("before request ", at))
	}
}

// Empty empties the Redis.
func (r *Redis) Empty() {
	r.tb.Helper()
	_, err := r.Server.Redis().Do(r.tb.Context(), "FLUSHALL")
	require.NoError(r.tb, err)
}
