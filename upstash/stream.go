package upstash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

var (
	eventStream  = []string{"text/event-stream"}
	errConfirm   = errors.New("subscription was not confirmed in time")
	errEndStream = errors.New("the server ended the subscription")
)

// restStream is a Stream over server-sent events.
type restStream struct {
	client  *Client
	ctx     context.Context
	cancel  context.CancelCauseFunc
	request request
	names   []string
	body    io.ReadCloser
	events  *sseReader
	early   *Message // the message that ended the wait for confirmations
}

// listenREST opens a subscription and waits for its confirmation.
func (c *Client) listenREST(ctx context.Context, r request, names []string) (*restStream, *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &restStream{client: c, ctx: ctx, cancel: cancel, request: r, names: names}
	timer := time.AfterFunc(c.timeout, func() { cancel(errConfirm) })
	defer timer.Stop()
	if failure := s.open(); failure != nil {
		cancel(nil)
		return nil, failure
	}
	if failure := s.confirm(); failure != nil {
		_ = s.Close()
		return nil, failure
	}
	return s, nil
}

func (s *restStream) open() *Error {
	c := s.client
	target := *c.single
	target.Path, target.RawPath = listenPath(c.single, s.request.cmds[0].name(), s.names)
	req := (&http.Request{
		Method: http.MethodPost, URL: &target, Host: target.Host,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Authorization": c.bearer,
			"Accept":        eventStream,
			"Cache-Control": []string{"no-cache"},
			"User-Agent":    noUserAgent,
		},
		Body: http.NoBody,
	}).WithContext(s.ctx)
	res, err := c.streaming.Do(req)
	if err != nil {
		return c.unavailable(s.ctx, s.request, err, false)
	}
	c.record(s.ctx, c.bill(s.request, nil, nil, nil))
	if res.StatusCode != http.StatusOK || strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		defer res.Body.Close()
		x := exchange{client: c, request: s.request, body: &body{}}
		return x.refusal(s.ctx, res)
	}
	s.body = res.Body
	s.events = newSSE(s, maxEvent)
	return nil
}

// refusal makes an error of an answer that is no stream, and so always an error.
func (x *exchange) refusal(ctx context.Context, res *http.Response) *Error {
	d := x.client.reader()
	if err := d.fill(io.LimitReader(res.Body, keptBytes), -1); err != nil {
		return x.unavailable(ctx, res.StatusCode, err, false)
	}
	reply, err := d.decode(-1)
	if _, failure := x.judge(res, reply, err); failure != nil {
		failure.maybeApplied = false
		return failure
	}
	return x.fail(res, KindProtocol, "answered by a result, want a stream of events", false)
}

// listenPath returns the path of a subscription, plain and escaped.
func listenPath(base *url.URL, command string, names []string) (plain, escaped string) {
	plain, escaped = base.Path+strings.ToLower(command), base.EscapedPath()+strings.ToLower(command)
	for _, name := range names {
		plain += "/" + name
		escaped += "/" + url.PathEscape(name)
	}
	return plain, escaped
}

// Read reads the stream's body, and counts it on the meter.
func (s *restStream) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if n > 0 {
		name := s.request.cmds[0].name()
		s.client.eachMeter(s.ctx, func(m *Meter) { m.receive(name, int64(n)) })
	}
	return n, err
}

// confirm waits until every name is confirmed. An earlier message also ends the wait: a server
// that sends one has subscribed the client.
func (s *restStream) confirm() *Error {
	for confirmed := 0; confirmed < len(s.names); {
		f, failure := s.frame()
		switch {
		case failure != nil:
			return failure
		case f.kind == "subscribe" || f.kind == "psubscribe":
			confirmed++
		default:
			s.early = &f.message
			return nil
		}
	}
	return nil
}

// Next waits for a message; the error is an *Error.
func (s *restStream) Next() (Message, error) {
	if m := s.early; m != nil {
		s.early = nil
		return *m, nil
	}
	for {
		f, failure := s.frame()
		if failure != nil {
			return Message{}, failure
		}
		if f.kind == "message" || f.kind == "pmessage" {
			return f.message, nil
		}
	}
}

// frame returns the next known event.
func (s *restStream) frame() (frame, *Error) {
	for {
		data, err := s.events.next()
		switch {
		case errors.Is(err, errTooLong):
			e := s.client.unavailable(s.ctx, s.request, fmt.Errorf("event exceeds %d bytes", maxEvent), false)
			e.kind = KindTooLarge
			return frame{}, e
		case errors.Is(err, io.EOF):
			return frame{}, s.client.unavailable(s.ctx, s.request, errEndStream, false)
		case err != nil:
			return frame{}, s.client.unavailable(s.ctx, s.request, err, false)
		}
		text := string(data)
		if f, ok := parseFrame(text, s.names); ok {
			return f, nil
		}
		if e := s.refused(text); e != nil {
			return frame{}, e
		}
	}
}

// refused makes an error of an event with an error.
func (s *restStream) refused(text string) *Error {
	if !strings.HasPrefix(text, "{") {
		return nil
	}
	d := reader{body: []byte(text)}
	reply, err := d.decode(-1)
	if err != nil || reply.kind != replyError {
		return nil
	}
	return s.client.notCarried(s.ctx, s.request, Refusal(s.client.hideToken(reply.text)), false)
}

// Close ends the subscription.
func (s *restStream) Close() error {
	s.cancel(context.Canceled)
	return s.body.Close()
}
