package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

const (
	// silence is how long a stream may be silent before it counts as dead: it sends something
	// every 15 s.
	silence = 45 * time.Second
	// comeBack is the wait after a stream has ended by itself.
	comeBack = 2 * time.Second
	// maxEvent bounds one event in bytes.
	maxEvent = 1 << 20
)

// WatchDuel yields the state of a duel at once and after each change, until the duel is over,
// its players have been erased, or ctx ends. When a stream ends, it opens another. An error is
// the last pair: a [*Problem] with [CodeNoLiveBoards] if the deployment streams nothing; then
// call [Client.Duel] now and then. If another process streams (status 307), use a client with
// that process' address.
func (c *Client) WatchDuel(ctx context.Context, id string) iter.Seq2[Duel, error] {
	return func(yield func(Duel, error) bool) {
		id, err := segment(id)
		if err != nil {
			yield(Duel{}, err)
			return
		}
		r := Request{
			Method: http.MethodGet, Path: "/v1/live/duels/" + id, Header: http.Header{"Accept": {"text/event-stream, application/problem+json"}},
		}
		var answer string
		for attempt := 1; ; attempt++ {
			over, err := c.follow(ctx, r, func(event, data string) (more bool, err error) {
				attempt = 0
				switch {
				case event == "closed":
					return false, nil
				case event != "duel" || data == answer: // yielded before the stream ended
					return true, nil
				}
				var d Duel
				if err := json.Unmarshal([]byte(data), &d); err != nil {
					return false, fmt.Errorf("an event that is not this product's: %w", err)
				}
				answer = data
				return yield(d, nil), nil
			})
			if over {
				return
			}
			var p *Problem
			var cut *NoAnswerError
			again, wait := err == nil || errors.As(err, &cut) && attempt <= c.retries, comeBack
			if errors.As(err, &p) {
				again, wait = p.passes() && p.RetryAfter <= longestWait && attempt <= c.retries, max(wait, p.RetryAfter)
			}
			if !again || ctx.Err() != nil || c.wait(ctx, wait) != nil {
				if err == nil {
					err = ctx.Err()
				}
				yield(Duel{}, err)
				return
			}
		}
	}
}

// follow reads one stream, event by event, as long as take wants more. over reports that it
// does not. A stream that breaks or ends by itself is no error.
func (c *Client) follow(ctx context.Context, r Request, take func(event, data string) (more bool, err error)) (over bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dead := time.AfterFunc(c.timeout, cancel)
	defer dead.Stop()
	response, err := c.send(ctx, r)
	if err != nil {
		return false, &NoAnswerError{Method: r.Method, Path: r.Path, Attempts: 1, Err: err}
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		a := Answer{Status: response.StatusCode, Header: response.Header}
		a.Body, _ = io.ReadAll(io.LimitReader(response.Body, maxEvent)) // without a body, the status has to do
		return false, a.Problem()
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, maxEvent)
	var event, data string
	for lines.Scan() {
		dead.Reset(silence)
		line := lines.Text()
		field, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimPrefix(value, " "); {
		case field == "event":
			event = value
		case field == "data":
			data = value
		case line == "" && event != "":
			more, err := take(event, data)
			if err != nil || !more {
				return err == nil, err
			}
			event, data = "", ""
		}
	}
	return false, nil
}
