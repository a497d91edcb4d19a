package upstash

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// exchange is one attempt: one HTTP request and its answer.
//
// The transport never repeats a request by itself once a byte of it was written: it repeats a
// POST only with an Idempotency-Key header, which this package never sets. It repeats, by
// GetBody, only a request whose connection had died unnoticed before the first byte. call
// makes all other repetitions; it knows which are safe.
type exchange struct {
	client   *Client
	request  request
	body     *body
	readOnly bool
	only     [1]Reply      // Do's reply, as a slice without an allocation
	end      time.Time     // of the call
	quiet    time.Duration // how long it may hear nothing; 0: as long as the call takes
	timer    *time.Timer   // ends the attempt after hearing nothing for quiet; nil: does not
	watch    watch         // used on a direct connection

	wanted atomic.Int32 // connections asked for
	got    atomic.Int32 // connections that were got
	wrote  atomic.Int32 // requests written in full or given up
	onConn atomic.Bool  // the last one asked for was got
}

var (
	jsonType    = []string{"application/json"}
	wantBase64  = []string{"base64"}
	noUserAgent = []string{""}
)

// keptBody is the largest request buffer that is kept for reuse, in bytes.
const keptBody = 1 << 20

func (c *Client) body() *body {
	if b, ok := c.bodies.Get().(*body); ok {
		return b
	}
	return &body{bytes: make([]byte, 0, 1<<10)}
}

func (c *Client) reader() *reader {
	if d, ok := c.readers.Get().(*reader); ok {
		return d
	}
	return &reader{asText: c.textAnswers}
}

// callREST makes attempts at a call over REST.
func (c *Client) callREST(ctx context.Context, r request) (reply Reply, lost int, failure *Error) {
	body := c.body()
	reusable := true
	defer func() {
		if reusable && cap(body.bytes) <= keptBody {
			c.bodies.Put(body)
		}
	}()
	if failure := body.encode(r); failure != nil {
		return Reply{}, 0, failure
	}
	return c.attempts(ctx, r, func(end time.Time, quiet time.Duration) (Reply, *Error) {
		x := exchange{client: c, request: r, body: body, readOnly: r.readOnly(), end: end, quiet: quiet}
		reply, failure := x.run(ctx)
		reusable = reusable && x.bodyIsFree()
		return reply, failure
	})
}

// run sends the request and reads the answer. It bills everything that may have arrived.
func (x *exchange) run(ctx context.Context) (Reply, *Error) {
	c := x.client
	if ctx.Err() != nil {
		return Reply{}, x.unavailable(ctx, 0, ctx.Err(), false)
	}
	if !x.isDirect() {
		var end func()
		ctx, end = x.listen(ctx)
		defer end()
	}
	holder, _ := ctx.Value(syncKey{}).(*Sync)
	token, age := "", 0
	if holder != nil {
		token, age = holder.current()
	}
	res, err := x.send(ctx, token)
	if err != nil {
		unsent := x.surelyUnsent()
		if !unsent {
			c.record(ctx, x.bill(nil, nil))
		}
		return Reply{}, x.unavailable(ctx, 0, err, !unsent)
	}
	defer res.Body.Close()
	if holder != nil {
		holder.take(res.Header.Get(syncHeader), age, x.readOnly)
	}
	return x.read(ctx, res)
}

func (x *exchange) isDirect() bool {
	return x.client.direct != nil && len(x.body.bytes) <= longestDirect
}

// send sends the request and returns the answer, whose body is still to be read.
func (x *exchange) send(ctx context.Context, syncToken string) (*http.Response, error) {
	c := x.client
	if x.isDirect() {
		return c.direct.send(ctx, x, syncToken)
	}
	header := http.Header{
		"Authorization": c.bearer,
		"Content-Type":  jsonType,
		"User-Agent":    noUserAgent,
	}
	if !c.textAnswers {
		header["Upstash-Encoding"] = wantBase64
	}
	if syncToken != "" {
		header[syncHeader] = []string{syncToken}
	}
	target := x.target()
	return c.http.Do((&http.Request{
		Method:        http.MethodPost,
		URL:           target,
		Host:          target.Host,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		ContentLength: int64(len(x.body.bytes)),
		Body:          x.open(),
		GetBody:       func() (io.ReadCloser, error) { return x.open(), nil },
	}).WithContext(httptrace.WithClientTrace(ctx, x.trace())))
}

// read reads the answer, completely or not at all.
func (x *exchange) read(ctx context.Context, res *http.Response) (Reply, *Error) {
	c := x.client
	d := c.reader()
	defer func() {
		if d.release() {
			c.readers.Put(d)
		}
	}()
	err := d.fill(x.heard(res.Body), res.ContentLength)
	received := len(d.body)
	if err != nil {
		c.record(ctx, x.bill(nil, []int{received}))
		if errors.Is(err, errTooLong) {
			return Reply{}, x.fail(res, KindTooLarge, "answer exceeds 64 MiB: ask for less at once", true)
		}
		return Reply{}, x.unavailable(ctx, res.StatusCode, err, true)
	}
	count := -1
	if x.request.op != opDo {
		count = len(x.request.cmds)
	}
	reply, err := d.decode(count)
	replies := x.replies(reply, err)
	for i := range replies {
		if replies[i].kind == replyError {
			replies[i].text = x.hideToken(replies[i].text)
		}
	}
	ends := d.ends
	if len(ends) == 0 || len(ends) != len(replies) {
		ends = []int{received}
	}
	c.record(ctx, x.bill(replies, ends))
	return x.judge(res, reply, err)
}

// judge distinguishes replies from errors. Errors come with status 200 and 400, results with
// 200 only.
func (x *exchange) judge(res *http.Response, reply Reply, err error) (Reply, *Error) {
	status := res.StatusCode
	known := status == http.StatusOK || status == http.StatusBadRequest
	switch {
	case err == nil && known && reply.kind != replyError:
		return reply, nil
	case err == nil && reply.kind == replyError:
		kind := kindOfText(reply.text)
		maybe := x.request.op == opDo && partlyApplied(reply.text, x.request.cmds[0].runsCode())
		if kind == KindItem && !known {
			kind = kindOfStatus(status)
			maybe = maybe || kind == KindUnavailable || kind == KindProtocol
		}
		return Reply{}, x.fail(res, kind, reply.text, maybe)
	case !known:
		kind := kindOfStatus(status)
		return Reply{}, x.fail(res, kind, statusText(status), kind == KindUnavailable || kind == KindProtocol)
	case errors.Is(err, errTooLong):
		return Reply{}, x.fail(res, KindTooLarge, "answer has too many values: ask for less at once", true)
	}
	// It is a proxy's page or half an answer: the next attempt may get a whole one.
	return Reply{}, x.fail(res, KindUnavailable, "answer not understood: "+err.Error(), true)
}

func statusText(status int) string {
	if status >= 300 && status < 400 {
		return "answered by a redirect, which is not followed: the url must be the database's own"
	}
	return strings.ToLower(http.StatusText(status))
}

// replies returns the answers in the order of the commands, as bill needs them.
func (x *exchange) replies(reply Reply, err error) []Reply {
	switch {
	case err != nil:
		return nil
	case x.request.op == opDo:
		x.only[0] = reply
		return x.only[:]
	case len(reply.items) != len(x.request.cmds):
		return nil
	}
	return reply.items
}

func (x *exchange) bill(replies []Reply, received []int) bill {
	return x.client.bill(x.request, replies, x.body.ends, received)
}

func (x *exchange) fail(res *http.Response, kind Kind, message string, maybe bool) *Error {
	place, name := x.request.whose()
	return &Error{
		Op:           x.request.describe(),
		Status:       res.StatusCode,
		Message:      x.hideToken(message),
		kind:         kind,
		place:        place,
		command:      name,
		maybeApplied: maybe,
		retryAfter:   retryAfter(res.Header.Get("Retry-After"), x.client.now()),
	}
}

func (x *exchange) unavailable(ctx context.Context, status int, err error, maybe bool) *Error {
	if why := x.watch.why(); why != nil {
		err = why
	}
	e := x.client.unavailable(ctx, x.request, err, maybe)
	e.Status = status
	return e
}

func (c *Client) unavailable(ctx context.Context, r request, err error, maybe bool) *Error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	// The network's errors for an ended context vary; the cause does not.
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	place, name := r.whose()
	return &Error{
		Op:           r.describe(),
		Message:      c.hideToken(err.Error()),
		kind:         KindUnavailable,
		place:        place,
		command:      name,
		cause:        err,
		maybeApplied: maybe,
	}
}

func (x *exchange) hideToken(text string) string { return x.client.hideToken(text) }

// shortestSecret is the length from which a token is hidden, in characters. Shorter tokens are
// those of local servers, and may occur by chance in any error.
const shortestSecret = 8

// hideToken removes the token from a text, in case a server or proxy repeats what it was sent.
func (c *Client) hideToken(text string) string {
	if len(c.token) < shortestSecret {
		return text
	}
	return strings.ReplaceAll(text, c.token, "[token]")
}

func (x *exchange) target() *url.URL {
	switch x.request.op {
	case opPipeline:
		return x.client.pipeline
	case opMultiExec:
		return x.client.multi
	}
	return x.client.single
}

// open returns the body from its start. With exactly this type, the transport puts header and
// body into one packet.
func (x *exchange) open() io.ReadCloser { return io.NopCloser(bytes.NewReader(x.body.bytes)) }

// trace notes how far the request gets. A connection that was got counts as written to, since
// the moment of the first byte is known only later, and not reliably.
func (x *exchange) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn:      func(string) { x.asks() },
		GotConn:      func(httptrace.GotConnInfo) { x.gets() },
		WroteRequest: func(httptrace.WroteRequestInfo) { x.writes() },
	}
}

func (x *exchange) asks() {
	x.wanted.Add(1)
	x.onConn.Store(false)
}

func (x *exchange) gets() {
	x.got.Add(1)
	x.onConn.Store(true)
}

func (x *exchange) writes() { x.wrote.Add(1) }

// surelyUnsent is true only if the transport has reported that it looked for a connection and
// found none. A transport that reports nothing may have sent the request.
func (x *exchange) surelyUnsent() bool { return x.wanted.Load() > 0 && !x.onConn.Load() }

// bodyIsFree reports whether nothing reads the body any more: the transport may go on reading
// after an early answer.
func (x *exchange) bodyIsFree() bool { return x.got.Load() > 0 && x.got.Load() == x.wrote.Load() }
