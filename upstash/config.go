package upstash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	defaultTimeout  = 5 * time.Second
	defaultAttempts = 4
)

// Config says which database to talk to and how patiently.
type Config struct {
	// URL is the database's REST address, http or https, without credentials, query or
	// fragment. A path is kept as a prefix.
	URL string
	// Token is sent as a bearer token and appears in no error of this package.
	Token string
	// HTTP sends the requests; nil means a private transport that is tuned for one host. The
	// client uses a copy with another CheckRedirect, since a redirect would carry the token
	// elsewhere. After a call that timed out, it closes idle connections. Over HTTP/2, where
	// one dead connection carries all requests, also give the transport a SendPingTimeout.
	HTTP *http.Client
	// NetHTTP sends short requests through net/http too, as all requests are with HTTP. By
	// default they go over connections of the client's own, which takes a tenth less CPU for
	// a whole request of the product.
	NetHTTP bool
	// Timeout bounds one call, including waits and retries; 0 means 5 s. An earlier deadline
	// of the context takes precedence; WithTimeout replaces it. If a call may be repeated, its
	// first attempt ends after hearing nothing for 24 % of the timeout (1.2 s), the second
	// after twice as long, and so on. Commands that can keep the database busy for seconds
	// (ZUNIONSTORE and the like) are waited for to the end.
	Timeout time.Duration
	// Attempts is the largest number of attempts at one call; 0 means 4.
	Attempts int
	// TextAnswers asks for answers as plain text instead of base64, which makes those of
	// boards a quarter shorter. Use it for databases in which every word is valid UTF-8: all
	// words that came by REST are. In others, invalid bytes arrive as U+FFFD.
	TextAnswers bool
	// Breaker decides when to stop asking a database that does not answer. The zero value is a
	// good choice.
	Breaker Breaker
	// ReadRegions is the number of the database's read regions, for the Meter: each bills
	// every write once more.
	ReadRegions int
	// Transport sends calls instead of REST; URL, Token and HTTP are then ignored. See package
	// redistransport.
	Transport Transport

	// Now replaces the clock for dates in Retry-After and for the breaker. It must not run
	// backwards. Nil means time.Now.
	Now func() time.Time
	// Rand replaces the source of the jitter: numbers in [0, 1). It is called from many
	// goroutines at once. Nil means a random source.
	Rand func() float64
	// Sleep replaces the wait between attempts. If the context ends first, it returns the
	// context's error. Nil means a real wait.
	Sleep func(context.Context, time.Duration) error
}

// Client sends commands to one database. It is safe for concurrent use and
// meant to be kept for the life of the process: connections are reused.
type Client struct {
	http        *http.Client
	direct      *direct // for short requests; nil if Config.HTTP or NetHTTP was given
	streaming   *http.Client
	token       string
	bearer      []string
	textAnswers bool
	single      *url.URL
	pipeline    *url.URL
	multi       *url.URL
	timeout     time.Duration
	maxAttempts int
	maxRequest  int // bytes
	transport   Transport
	circuit     circuit
	regions     int64
	now         func() time.Time
	rand        func() float64
	sleep       func(context.Context, time.Duration) error
	meter       Meter
	bodies      sync.Pool // of *body
	readers     sync.Pool // of *reader
}

// New checks the configuration and returns a client. It opens no connection.
// Errors name the field that is wrong and never show the token.
func New(cfg Config) (*Client, error) {
	if cfg.Timeout < 0 || cfg.Attempts < 0 || cfg.ReadRegions < 0 || cfg.Breaker.negative() {
		return nil, errors.New("upstash: timeout, attempts, read regions and the breaker's numbers must not be negative, leave them 0 for the defaults")
	}
	c := &Client{
		timeout:     cfg.Timeout,
		maxAttempts: cfg.Attempts,
		maxRequest:  MaxRequest,
		transport:   cfg.Transport,
		regions:     int64(cfg.ReadRegions),
		now:         cfg.Now,
		rand:        cfg.Rand,
		sleep:       cfg.Sleep,
	}
	if cfg.Transport == nil {
		if err := c.overREST(cfg); err != nil {
			return nil, err
		}
	}
	if c.timeout == 0 {
		c.timeout = defaultTimeout
	}
	if c.maxAttempts == 0 {
		c.maxAttempts = defaultAttempts
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.rand == nil {
		c.rand = rand.Float64
	}
	if c.sleep == nil {
		c.sleep = sleep
	}
	c.circuit.set, c.circuit.now = cfg.Breaker.withDefaults(), c.now
	return c, nil
}

// overREST sets up what only a client over REST needs.
func (c *Client) overREST(cfg Config) error {
	base, err := parseURL(cfg.URL)
	if err != nil {
		return err
	}
	if err := checkToken(cfg.Token); err != nil {
		return err
	}
	c.http = httpClient(cfg.HTTP)
	c.streaming = streamingClient(c.http)
	c.token = cfg.Token
	c.bearer = []string{"Bearer " + cfg.Token}
	c.textAnswers = cfg.TextAnswers
	c.single = base
	c.pipeline = base.JoinPath("pipeline")
	c.multi = base.JoinPath("multi-exec")
	if cfg.HTTP == nil && !cfg.NetHTTP {
		c.direct = newDirect(c, base)
	}
	return nil
}

// Meter returns the meter of everything that this client has sent since it was made.
func (c *Client) Meter() *Meter { return &c.meter }

func parseURL(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The parser's own error repeats the URL, which may contain a secret.
		return nil, errors.New("upstash: url cannot be parsed, want something like https://name.upstash.io")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("upstash: url has scheme %q, want http or https", u.Scheme)
	case u.Hostname() == "":
		return nil, errors.New("upstash: url has no host, want something like https://name.upstash.io")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("upstash: url carries credentials, a query or a fragment, want the bare address and the token apart")
	}
	return u.JoinPath("/"), nil
}

func checkToken(token string) error {
	if token == "" {
		return errors.New("upstash: token is empty, want the database's REST token")
	}
	for i := range len(token) {
		if token[i] <= ' ' || token[i] > '~' {
			return fmt.Errorf("upstash: token has an unprintable character or a space at byte %d, want visible ASCII", i)
		}
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
