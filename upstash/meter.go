package upstash

import (
	"context"
	"sync"
)

// InnerCalls is the name in Usage.ByName of the commands that scripts called.
const InnerCalls = "redis.call"

// Usage is what was sent. Commands counts as the bill does, and takes the upper bound if
// the vendor says nothing:
//   - every command is 1, whatever its number of keys or members, also when it
//     answers an error;
//   - a script is 1, plus its inner calls as NewScript's function counts them;
//   - PING, INFO, AUTH, CONFIG and COMMAND are free;
//   - a transaction adds 1 for MULTI and 1 for EXEC, also when it is discarded;
//   - with Config.ReadRegions, what is not known to read counts once more for
//     each region: scripts and their inner calls too, but not MULTI, EXEC and
//     SUBSCRIBE;
//   - a subscription is 1 for each time it connects; what Upstash bills for
//     keeping one open is not known here;
//   - what was sent again is counted again; an attempt that surely reached no
//     connection is not counted at all.
//
// With one region, a server of one's own and no discarded transactions, that is exactly what
// INFO commandstats counts.
type Usage struct {
	Commands      int64            // billed commands
	RoundTrips    int64            // HTTP exchanges
	BytesSent     int64            // request bodies, in bytes, without headers
	BytesReceived int64            // answer bodies, in bytes, without headers
	ByName        map[string]int64 // billed commands by upper-case name; sums to Commands
	// Bytes is BytesSent and BytesReceived by upper-case name, including free commands. The
	// brackets and commas of a call count for the commands next to them, an answer that could
	// not be read for the call's first command.
	Bytes map[string]Bytes
}

// Bytes is what commands of one name sent, and the size of their answers.
type Bytes struct{ Sent, Received int64 }

// Meter adds up usage. The zero value is ready; safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	total Usage // without its maps
	names []tally
}

// tally is the count of one name. There are a few dozen names at most, and a few in one
// request, so a linear search finds them.
type tally struct {
	name     string
	commands int64
	billed   bool // commands of this name can cost something
	bytes    Bytes
}

// Usage returns a copy of what was counted since the start or the last Reset.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.total
	u.ByName = make(map[string]int64, len(m.names))
	u.Bytes = make(map[string]Bytes, len(m.names))
	for _, t := range m.names {
		if t.billed {
			u.ByName[t.name] = t.commands
		}
		if t.bytes != (Bytes{}) {
			u.Bytes[t.name] = t.bytes
		}
	}
	return u
}

// Totals returns Usage without the counts by name.
func (m *Meter) Totals() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}

// Commands returns the number of billed commands. It is cheaper than Usage, which also counts
// by name.
func (m *Meter) Commands() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total.Commands
}

// Reset starts the count again from zero.
func (m *Meter) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total, m.names = Usage{}, nil
}

type meterKey struct{}

// meters is the chain of meters of one context, innermost first.
type meters struct {
	meter *Meter
	outer *meters
}

// WithMeter also counts on m every call made with the returned context, besides the meters
// that the context already has and the client's own. The same meter added twice counts once.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	outer, _ := ctx.Value(meterKey{}).(*meters)
	for n := outer; n != nil; n = n.outer {
		if n.meter == m {
			return ctx
		}
	}
	return context.WithValue(ctx, meterKey{}, &meters{meter: m, outer: outer})
}

// bill is what one exchange adds to a meter.
type bill struct {
	request request
	regions int64
	inner   int64 // commands that scripts called
	// sent and received are where each command's part of the request and of the answer ends,
	// in bytes. A single element covers the whole call.
	sent, received []int
}

func (m *Meter) record(b bill) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.RoundTrips++
	if b.request.op == opMultiExec {
		m.add("MULTI", 1, Bytes{})
		m.add("EXEC", 1, Bytes{})
	}
	from := Bytes{}
	for i := range b.request.cmds {
		name := b.request.billedName(i)
		to := Bytes{Sent: end(b.sent, i), Received: end(b.received, i)}
		m.add(name, times(name, b.regions), Bytes{to.Sent - from.Sent, to.Received - from.Received})
		from = to
	}
	if b.inner > 0 {
		m.add(InnerCalls, b.inner*times(InnerCalls, b.regions), Bytes{})
	}
}

// end returns where the part of command i ends. If the parts are not known, everything belongs
// to the first command.
func end(ends []int, i int) int64 {
	if len(ends) == 0 {
		return 0
	}
	return int64(ends[min(i, len(ends)-1)])
}

// times returns how often a command of this name is billed.
func times(name string, regions int64) int64 {
	switch {
	case free(name):
		return 0
	case regions == 0 || reads(name) || name == "SUBSCRIBE" || name == "PSUBSCRIBE":
		return 1
	}
	return 1 + regions
}

// receive counts what a subscription receives.
func (m *Meter) receive(name string, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(name, 0, Bytes{Received: n})
}

func (m *Meter) add(name string, commands int64, bytes Bytes) {
	m.total.Commands += commands
	m.total.BytesSent += bytes.Sent
	m.total.BytesReceived += bytes.Received
	t := m.tallyOf(name)
	t.commands += commands
	t.bytes.Sent += bytes.Sent
	t.bytes.Received += bytes.Received
}

// tallyOf returns the tally of a name. It is valid until the next call.
func (m *Meter) tallyOf(name string) *tally {
	for i := range m.names {
		if m.names[i].name == name {
			return &m.names[i]
		}
	}
	m.names = append(m.names, tally{name: name, billed: !free(name)})
	return &m.names[len(m.names)-1]
}

func (c *Client) bill(r request, replies []Reply, sent, received []int) bill {
	return bill{request: r, regions: c.regions, inner: r.innerCalls(replies), sent: sent, received: received}
}

// record counts one exchange on the client's meter and on those of the context.
func (c *Client) record(ctx context.Context, b bill) {
	c.eachMeter(ctx, func(m *Meter) { m.record(b) })
}

func (c *Client) eachMeter(ctx context.Context, f func(*Meter)) {
	f(&c.meter)
	for n, _ := ctx.Value(meterKey{}).(*meters); n != nil; n = n.outer {
		if n.meter != &c.meter {
			f(n.meter)
		}
	}
}
