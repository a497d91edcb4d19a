package webhookstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"github.com/framedle/leaderboards/internal/feature/webhook"
)

// maxAnswer bounds how much of an answer is read, in bytes: enough to reuse the connection,
// and to say what was wrong.
const maxAnswer = 4 << 10

// gone begins the error of an endpoint that wants no more messages.
const gone = "status 410"

// Dial opens a connection to an address.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// newClient makes the client for one endpoint. It follows no redirects and uses no proxy, so
// that it reaches only what the game file names.
func newClient(w webhook.Endpoint, dial Dial) *http.Client {
	if dial == nil {
		dial = dialer(w)
	}
	return &http.Client{
		Timeout: Patience,
		Transport: &http.Transport{
			DialContext: dial, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 1,
			TLSHandshakeTimeout: Patience / 2, MaxResponseHeaderBytes: 16 << 10, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// errPrivate is returned for an address that an endpoint's name must not lead to.
var errPrivate = errors.New("the endpoint resolves to a private address; set private: true in the game file if that is intended")

// public lets addresses of the internet through: those of 2000::/3 and of IPv4, less the
// networks for special purposes that IANA's registries list. The library's lists are generated
// from the registries.
var public = ssrf.New(ssrf.WithAnyNetwork(), ssrf.WithAnyPort())

// dialer makes a Dial that connects to public addresses of the internet only, whatever the
// endpoint's name resolves to, unless the game file says that the endpoint is private or
// local. It checks the address that the name resolved to, just before it connects.
func dialer(w webhook.Endpoint) Dial {
	d := &net.Dialer{Timeout: Patience / 2}
	if !w.Private && !w.Local() {
		d.Control = func(network, address string, c syscall.RawConn) error {
			if err := public.Safe(network, address, c); err != nil {
				return errPrivate
			}
			return nil
		}
	}
	return d.DialContext
}

// send posts a message. It returns why the endpoint did not accept it; "" for a status of 200
// to 299. It ignores the rest of the answer.
func send(ctx context.Context, client *http.Client, to string, body []byte, signed http.Header) (why string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	r.Header = signed
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "framedle-leaderboards-webhooks/1")
	answer, err := client.Do(r)
	if err != nil {
		if at := (*url.Error)(nil); errors.As(err, &at) {
			err = at.Err // the address may contain secrets
			if at.Timeout() {
				return fmt.Sprintf("no response within %s", Patience)
			}
		}
		return fmt.Sprintf("%.300s", err.Error())
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		// Reading the rest, if that is quick, lets the connection be used again.
		stop := time.AfterFunc(time.Second, func() { _ = answer.Body.Close() })
		defer stop.Stop()
		_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer)
		return ""
	}
	return fmt.Sprintf("status %d", answer.StatusCode)
}
