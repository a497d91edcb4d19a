package upstash

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

const (
	maxIdlePerHost   = 64
	handshakeTimeout = 3 * time.Second
	maxHeadBytes     = 64 << 10 // of an answer
)

// httpClient copies the given client, or makes a private one, and makes it return redirects as
// answers.
func httpClient(given *http.Client) *http.Client {
	hc := http.Client{Transport: newTransport()}
	if given != nil {
		hc = *given
	}
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &hc
}

// streamingClient is the client without its limit on a whole exchange: a subscription lasts
// longer.
func streamingClient(hc *http.Client) *http.Client {
	streaming := *hc
	streaming.Timeout = 0
	return &streaming
}

// newTransport makes a transport for HTTP/1.1 to one host. No proxy: a stray environment
// variable would hand every command and the token to a third party. No HTTP/2: with one
// request per connection it is certain which requests were never written, and a dead
// connection stalls no other request. No compression: it costs more CPU than short answers
// save.
func newTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext:         newDialer().DialContext,
		Protocols:           protocols,
		TLSHandshakeTimeout: handshakeTimeout,
		TLSClientConfig:     newTLS(),
		MaxIdleConns:        maxIdlePerHost,
		MaxIdleConnsPerHost: maxIdlePerHost,
		// Less than the 60 s after which common load balancers hang up.
		IdleConnTimeout:        maxIdle,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeadBytes,
	}
}

func newDialer() *net.Dialer {
	return &net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}
}

func newTLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		// A process that was frozen reconnects with a shorter handshake.
		ClientSessionCache: tls.NewLRUClientSessionCache(4),
	}
}
