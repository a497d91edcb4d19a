// Package redistransport carries the calls of an upstash.Client over the Redis protocol, so
// that somebody with a Redis or Valkey of their own can use the same product:
//
//	transport, err := redistransport.New("rediss://user:password@redis.example:6380/0")
//	…
//	client, err := upstash.New(upstash.Config{Transport: transport})
//
// It knows the Redis protocol, through go-redis, and what a call of the client
// is. It must not retry, sort errors or count commands: the client does. Only
// builds that want it import it, since it makes a function larger and slower to
// start.
//
// What differs from REST: words may be any bytes; commands that need a
// connection of their own (blocking ones, WATCH) are passed on and disturb
// others; a Sync has no effect, since there is one database; requests are not
// split, since the protocol has no limit near 10 MB; and the meter's bytes are
// those of the Redis protocol, status replies counted as strings.
package redistransport
