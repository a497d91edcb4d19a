package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	defaultTimeout = 10 * time.Second
	defaultRetries = 2
	minSigningKey  = 32 // characters; a deployment takes no shorter one

	// idleConnections is how many connections are kept open between requests.
	idleConnections = 64
	// maxAnswerHeader bounds the headers of an answer in bytes. The product's are
	// below 2 KB; net/http alone would read 10 MB.
	maxAnswerHeader = 64 << 10
)

// Config says which deployment to call, and with which credentials.
type Config struct {
	// URL is the product's address, with or without /v1 at its end. Unencrypted http is
	// allowed only to this machine, since requests carry credentials.
	URL string
	// SigningKey signs the requests of a game server; empty for a client that only reads. It
	// has at least 32 characters.
	SigningKey string
	// SignatureV1 signs only the body, for deployments before v2.
	SignatureV1 bool
	// OpsToken is the operator's token, for [Client.Ops]. With a SigningKey as well, scores
	// are sent as the operator's import, which may fill closed dates and set PlayedAt: leave
	// it empty in a game server.
	OpsToken string
	// Timeout bounds each attempt of a request; 0 for 10 seconds. The context bounds
	// all of them together.
	Timeout time.Duration
	// Retries is how often a request is sent again; 0 for 2, negative for none.
	Retries int
	// Transport sends the requests; nil for one of the client's own.
	Transport http.RoundTripper
	// Now is the clock for signatures, which may be 300 seconds off; nil for the machine's
	// clock.
	Now func() time.Time
}

// Client is safe for concurrent use. Make one for the whole process.
type Client struct {
	base       url.URL
	signingKey string
	scheme     string // of signatures: v1 or v2
	bearer     string
	timeout    time.Duration
	retries    int
	http       *http.Client
	now        func() time.Time
	wait       func(context.Context, time.Duration) error
	random     func() float64 // in [0, 1)
}

// New makes a client. It refuses an address that is not an http URL or that would carry
// credentials over a network unencrypted, and secrets that no deployment accepts.
func New(c Config) (*Client, error) {
	base, err := address(c.URL)
	if err != nil {
		return nil, err
	}
	if c.SigningKey != "" && len(c.SigningKey) < minSigningKey {
		return nil, fmt.Errorf("the signing key has %d characters; use one of at least %d, as the deployment has", len(c.SigningKey), minSigningKey)
	}
	if strings.ContainsFunc(c.OpsToken, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, errors.New("the operator's token has characters in it that no header takes")
	}
	client := &Client{
		base: base, signingKey: c.SigningKey, scheme: "v2", timeout: c.Timeout, retries: c.Retries, now: c.Now, wait: sleep, random: rand.Float64,
		http: &http.Client{Transport: c.Transport, CheckRedirect: keepRedirect},
	}
	if c.SignatureV1 {
		client.scheme = "v1"
	}
	if c.OpsToken != "" {
		client.bearer = "Bearer " + c.OpsToken
	}
	if client.timeout <= 0 {
		client.timeout = defaultTimeout
	}
	if client.retries == 0 {
		client.retries = defaultRetries
	}
	if client.now == nil {
		client.now = time.Now
	}
	if c.Transport == nil {
		transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: 90 * time.Second}
		transport.MaxIdleConnsPerHost = idleConnections
		transport.MaxResponseHeaderBytes = maxAnswerHeader
		client.http.Transport = transport
	}
	return client, nil
}

// address parses the product's address. Its error contains no password.
func address(text string) (url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return url.URL{}, errors.New("the address is not a URL such as https://api.example.com")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return url.URL{}, fmt.Errorf("the address of %s has a user, a query or a fragment; use one such as https://api.example.com", base.Host)
	case base.Scheme == "http" && !loopback(base.Hostname()):
		return url.URL{}, fmt.Errorf("the address http://%s would carry secrets unencrypted; use https", base.Host)
	}
	return url.URL{Scheme: base.Scheme, Host: base.Host, Path: strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), "/v1")}, nil
}

// keepRedirect returns a redirect as an answer: following it would send the credentials to an
// address that the caller did not name.
func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }
