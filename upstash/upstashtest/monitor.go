package upstashtest

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// monitors are the open /monitor streams. They show the commands that come through this
// server, before each runs. They do not show the commands that scripts call, nor those
// that reach a given Redis by another way.
type monitors struct {
	any atomic.Bool
	mu  sync.Mutex
	all map[*outbox]bool
}

// join adds a stream. leave ends it.
func (m *monitors) join(out *outbox) (leave func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[*outbox]bool{}
	}
	m.all[out] = true
	m.any.Store(true)
	out.add([]byte(`"OK"`))
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.all, out)
		m.any.Store(len(m.all) > 0)
	}
}

// see sends the commands that are about to run to all streams.
func (m *monitors) see(now time.Time, commands []command) {
	if !m.any.Load() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range commands {
		if c.refusal != "" {
			continue
		}
		line := appendMonitorLine(nil, now, c.args)
		for out := range m.all {
			out.add(line)
		}
	}
}

// appendMonitorLine appends a command as MONITOR prints it.
func appendMonitorLine(dst []byte, now time.Time, args [][]byte) []byte {
	dst = strconv.AppendFloat(dst, float64(now.UnixMicro())/1e6, 'f', 6, 64)
	dst = append(dst, " [0 0.0.0.0:0]"...)
	for _, arg := range args {
		dst = append(dst, ' ')
		dst = appendQuoted(dst, arg)
	}
	return dst
}

// appendQuoted quotes as Redis' sdscatrepr does, so that every byte is visible.
func appendQuoted(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\a':
			dst = append(dst, '\\', 'a')
		case c == '\b':
			dst = append(dst, '\\', 'b')
		case c < ' ' || c > '~':
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
