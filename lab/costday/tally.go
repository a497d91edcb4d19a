package costday

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/framedle/leaderboards/upstash"
)

// Count is what the requests of one route spent.
type Count struct {
	Requests   int64
	Commands   int64 // billed
	RoundTrips int64
	Sent       int64            // bytes of bodies to Redis
	Received   int64            // bytes of bodies from Redis
	ByName     map[string]int64 // billed, by upper-case name
	Shapes     map[string]Shape // requests, by the commands that each took
}

// Shape is the sum of the requests that took the same commands.
type Shape struct {
	Requests int64
	Bytes    int64 // of bodies, in both directions
}

func (c *Count) add(requests int64, u upstash.Usage) {
	c.Requests += requests
	c.Commands += u.Commands
	c.RoundTrips += u.RoundTrips
	c.Sent += u.BytesSent
	c.Received += u.BytesReceived
	for name, n := range u.ByName {
		c.ByName[name] += n
	}
}

// Tally adds up what was spent, by route. It is safe for concurrent use.
type Tally struct {
	mu     sync.Mutex
	routes map[string]*Count
}

// NewTally makes an empty Tally.
func NewTally() *Tally { return &Tally{routes: map[string]*Count{}} }

// Add counts one request of a route.
func (t *Tally) Add(route string, u upstash.Usage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.routes[route]
	if c == nil {
		c = &Count{ByName: map[string]int64{}, Shapes: map[string]Shape{}}
		t.routes[route] = c
	}
	c.add(1, u)
	took := c.Shapes[shape(u.ByName)]
	took.Requests++
	took.Bytes += u.BytesSent + u.BytesReceived
	c.Shapes[shape(u.ByName)] = took
}

// Routes returns a copy of the counts, by route.
func (t *Tally) Routes() map[string]Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	routes := map[string]Count{}
	for route, c := range t.routes {
		copied := *c
		copied.ByName, copied.Shapes = maps.Clone(c.ByName), maps.Clone(c.Shapes)
		routes[route] = copied
	}
	return routes
}

// shape names the commands of one request: "EXPIRE 2ZADD ZREVRANK".
func shape(byName map[string]int64) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		switch n := byName[name]; n {
		case 0:
		case 1:
			words = append(words, name)
		default:
			words = append(words, fmt.Sprint(n, name))
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " ")
}

// sum adds u to into.
func sum(into *upstash.Usage, u upstash.Usage) {
	into.Commands += u.Commands
	into.RoundTrips += u.RoundTrips
	into.BytesSent += u.BytesSent
	into.BytesReceived += u.BytesReceived
	if into.ByName == nil {
		into.ByName = map[string]int64{}
	}
	for name, n := range u.ByName {
		into.ByName[name] += n
	}
}
