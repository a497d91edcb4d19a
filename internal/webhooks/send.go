package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/game"
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
func newClient(w game.Webhook, dial Dial) *http.Client {
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
var errPrivate = errors.New("the endpoint's name leads to an address that is not of the internet; give it private: true in the game file, if that is meant")

// dialer makes a Dial that connects to public addresses of the internet only, whatever the
// endpoint's name resolves to, unless the game file says that the endpoint is private or
// local.
func dialer(w game.Webhook) Dial {
	d := &net.Dialer{Timeout: Patience / 2}
	if !w.Private && !w.Local() {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			if !public(at.Addr().Unmap()) {
				return errPrivate
			}
			return nil
		}
	}
	return d.DialContext
}

// reserved are the networks that netip has no method for: carriers' own, those for
// documentation, benchmarks, protocols and future use (RFC 6890), and those that lead from
// IPv6 into IPv4.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}

// public reports whether an address is a public one of the internet.
func public(a netip.Addr) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, network := range reserved {
		if network.Contains(a) {
			return false
		}
	}
	return true
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
				return fmt.Sprintf("it has not answered within %s", Patience)
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
