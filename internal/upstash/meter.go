package upstash

import (
	"context"
	"maps"
	"sync"
)

// InnerCalls is the name in Usage.ByName of what scripts called.
const InnerCalls = "redis.call"

// Usage is what was sent. Commands counts as the bill does, leaning to the
// upper bound where the vendor says nothing:
//   - every command is 1, whatever its number of keys or members, also when it
//     answers an error;
//   - a script is 1, plus its inner calls as NewScript's function counts them;
//   - PING, INFO, AUTH, CONFIG and COMMAND are free;
//   - a transaction adds 1 for MULTI and 1 for EXEC;
//   - what was sent again is counted again; an attempt that surely reached no
//     connection is not counted at all.
type Usage struct {
	Commands      int64            // billed commands
	RoundTrips    int64            // HTTP exchanges
	BytesSent     int64            // request bodies, in bytes, without headers
	BytesReceived int64            // answer bodies, in bytes, without headers
	ByName        map[string]int64 // billed commands by upper-case name; sums to Commands
}

// Meter adds up usage. The zero value is ready; safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	usage Usage
}

// Usage is a copy of what was counted since the start or the last Reset.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.usage
	u.ByName = maps.Clone(m.usage.ByName)
	if u.ByName == nil {
		u.ByName = map[string]int64{}
	}
	return u
}

// Reset starts the count again from zero.
func (m *Meter) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage = Usage{}
}

type meterKey struct{}

// meters is the chain of meters of one context, innermost first.
type meters struct {
	meter *Meter
	outer *meters
}

// WithMeter counts every call made with the returned context on m as well, on
// the meters the context already carries, and on the client's own. The same
// meter twice counts once.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	outer, _ := ctx.Value(meterKey{}).(*meters)
	for n := outer; n != nil; n = n.outer {
		if n.meter == m {
			return ctx
		}
	}
	return context.WithValue(ctx, meterKey{}, &meters{meter: m, outer: outer})
}

func (m *Meter) record(r request, inner int64, sent, received int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := &m.usage
	u.RoundTrips++
	u.BytesSent += int64(sent)
	u.BytesReceived += int64(received)
	if u.ByName == nil {
		u.ByName = make(map[string]int64)
	}
	add := func(name string, n int64) {
		u.Commands += n
		u.ByName[name] += n
	}
	r.bill(add)
	if inner > 0 {
		add(InnerCalls, inner)
	}
}
