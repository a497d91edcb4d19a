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
	// URL is the database's REST address, http or https, without credentials,
	// query or fragment; a path before it is kept as a prefix.
	URL string
	// Token is sent as a bearer token and appears in no error of this package.
	Token string
	// HTTP carries the requests; nil means a private transport tuned for one
	// host. A given client is copied: its CheckRedirect is replaced, since a
	// redirect would carry the token elsewhere. After a call that timed out its
	// idle connections are closed; over HTTP/2, where one dead connection carries
	// all requests, give its transport a SendPingTimeout as well.
	HTTP *http.Client
	// Timeout bounds one call, waits and retries included; 0 means 5 s. An
	// earlier deadline of the context wins, WithTimeout replaces it. An attempt
	// at a call that may be repeated ends when nothing was heard for 24 % of it
	// (1.2 s), the second for twice as long; commands that can take seconds of the
	// database's time (ZUNIONSTORE and its like) are waited for to the end.
	Timeout time.Duration
	// Attempts is how often one call is tried at most; 0 means 4.
	Attempts int
	// TextAnswers asks for answers as they are stored in the place of base64, which
	// makes those of boards a quarter shorter. It is for databases in which every word
	// is valid UTF-8, as all are that came by REST; of any other, bytes that are not
	// arrive as U+FFFD.
	TextAnswers bool
	// Breaker says when to stop asking a database that does not answer; the
	// zero value is a good one.
	Breaker Breaker
	// ReadRegions is the number of the database's read regions, for the Meter:
	// each bills every write once more.
	ReadRegions int
	// Transport carries calls in place of REST; URL, Token and HTTP are then
	// ignored. See package redistransport.
	Transport Transport

	// Now replaces the clock, which dates in Retry-After and the breaker are
	// held against; it must not run backwards. Nil means time.Now.
	Now func() time.Time
	// Rand replaces the source of the jitter: numbers in [0, 1), from many
	// goroutines at once. Nil means a random one.
	Rand func() float64
	// Sleep replaces the wait between attempts. It ends with the context, whose
	// error it then returns. Nil means a real wait.
	Sleep func(context.Context, time.Duration) error
}

// Client sends commands to one database. It is safe for concurrent use and
// meant to be kept for the life of the process: connections are reused.
type Client struct {
	http        *http.Client
	direct      *direct // for short requests; nil where the http.Client was given
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

// overREST sets up what only REST needs.
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
	if cfg.HTTP == nil {
		c.direct = newDirect(c, base)
	}
	return nil
}

// Meter counts everything this client sent since it was made.
func (c *Client) Meter() *Meter { return &c.meter }

func parseURL(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The parser's own error repeats the text, which may hold a secret.
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
