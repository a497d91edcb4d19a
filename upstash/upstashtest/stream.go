package upstashtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// streamKind is the command for a path that is answered with a stream of server-sent
// events, or "".
func streamKind(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, kind := range [...]string{"subscribe", "psubscribe", "monitor"} {
		if strings.EqualFold(name, kind) {
			return kind
		}
	}
	return ""
}

// serveStream answers /subscribe/CHANNEL…, /psubscribe/PATTERN… and /monitor until the
// client goes. It ignores a body: SDKs send an empty array.
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request, x *exchange, may access, kind string) {
	c, err := parsePath(r.URL.EscapedPath(), "", nil)
	channels := c.args[min(1, len(c.args)):]
	switch {
	case err != nil:
		s.fail(w, x, http.StatusBadRequest, malformed(err))
		return
	case may != accessFull:
		s.fail(w, x, http.StatusBadRequest, noPermission(kind))
		return
	case (kind == "monitor") != (len(channels) == 0), len(channels) > 0 && len(channels[0]) == 0:
		s.fail(w, x, http.StatusBadRequest, "ERR wrong number of arguments for '"+kind+"' command")
		return
	}
	s.bill(s.engine.catalog.kind(c.args[0]))
	s.ledger.roundTrips.Add(1)
	out := newOutbox()
	var cancel func()
	if kind == "monitor" {
		cancel = s.monitors.join(out)
	} else {
		cancel, err = s.engine.subscribe(r.Context(), out, kind, channels)
	}
	if err != nil {
		status, text := http.StatusServiceUnavailable, "ERR engine unreachable: "+err.Error()
		var refusal EngineError
		if errors.As(err, &refusal) {
			status, text = http.StatusBadRequest, refusal.Error()
		}
		s.fail(w, x, status, text)
		return
	}
	defer cancel()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		copyStream(r.Context(), w, out)
	}
}

func copyStream(ctx context.Context, w http.ResponseWriter, out *outbox) {
	flush := http.NewResponseController(w)
	var spare []byte
	for {
		select {
		case <-ctx.Done():
			return
		case <-out.ready:
		}
		pending, open := out.take(spare[:0])
		if _, err := w.Write(pending); err != nil || flush.Flush() != nil || !open {
			return
		}
		if spare = pending; cap(spare) > keptBytes {
			spare = nil
		}
	}
}

// subscribe opens a connection of its own and puts every event into out, the
// confirmations first. cancel ends it.
func (e *Engine) subscribe(ctx context.Context, out *outbox, name string, channels [][]byte) (cancel func(), err error) {
	e.catalog.kind([]byte(name)).sent.Add(1)
	if e.embedded != nil {
		defer e.embedded.Enter()()
	}
	c, err := e.pool.dial(ctx)
	if err != nil {
		return nil, err
	}
	c.out = resp.AppendCommand(c.out[:0], append([][]byte{[]byte(name)}, channels...)...)
	if _, err := c.Write(c.out); err != nil {
		_ = c.Close()
		return nil, err
	}
	for range channels {
		if err := c.forward(out); err != nil {
			_ = c.Close()
			return nil, err
		}
	}
	_ = c.SetDeadline(time.Time{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer out.close()
		for c.forward(out) == nil {
		}
	}()
	return func() { _ = c.Close(); <-done }, nil
}

// forward reads one event and puts it into out, its parts separated by commas.
func (c *conn) forward(out *outbox) error {
	v, err := c.Value(0)
	if err != nil {
		return err
	}
	if refusal, ok := v.(EngineError); ok {
		return refusal
	}
	parts, ok := v.([]any)
	if !ok {
		return fmt.Errorf("%w: event %v", resp.ErrProtocol, v)
	}
	var text bytes.Buffer
	for i, part := range parts {
		if i > 0 {
			text.WriteByte(',')
		}
		switch part := part.(type) {
		case string:
			text.WriteString(part)
		case int64:
			text.WriteString(strconv.FormatInt(part, 10))
		}
	}
	if !out.add(text.Bytes()) {
		return errors.New("upstashtest: subscriber is too slow")
	}
	return nil
}
