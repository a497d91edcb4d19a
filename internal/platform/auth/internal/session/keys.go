package session

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	fetchTimeout = 3 * time.Second
	// refreshAfter is the age at which a set is fetched again in the background. A withdrawn
	// key is trusted for about as long.
	refreshAfter = time.Hour
	// expireAfter is the age at which a set is no longer used, if every newer fetch has
	// failed.
	expireAfter = 24 * time.Hour
	// fetchInterval is the least time from one fetch to the next.
	fetchInterval = 30 * time.Second
	// emptyInterval is fetchInterval while no keys are known: nobody can be verified
	// meanwhile.
	emptyInterval = 2 * time.Second
	// absentFor is how long a kid that was not in a fetched set causes no further fetch.
	absentFor = 2 * time.Minute
	// maxAbsent bounds how many such kids are remembered. For further ones, only
	// fetchInterval limits the fetches.
	maxAbsent = 1000
)

// ErrUnknownKey is returned by Find for a kid that is not published.
var ErrUnknownKey = errors.New("the key is not published")

// KeysConfig is what Keys is made of. All but Failed is required.
type KeysConfig struct {
	Source KeySource
	Now    func() time.Time
	// Failed is called with the error of each failed fetch, on the goroutine that fetched.
	Failed func(error)
}

// Keys are the keys that a Clerk instance publishes, as a JSON Web Key Set (RFC 7517). It is safe
// for concurrent use, and runs a goroutine only while a fetch is under way, three seconds at most.
//
// A known key costs no network. An unknown kid may have been published a moment ago, so it is
// worth a fetch. But anybody can write any kid into a token, so the number of fetches is bounded:
// one at a time, for which all callers wait; one in 30 seconds, or in 2 while there are no keys
// at all; and none for two minutes for a kid that a fetch did not find.
//
// A set is fetched again in the background once it is an hour old. So a key that the instance
// has withdrawn is forgotten, and a new key is known before the old one is withdrawn. If the
// fetch fails, the known keys are used until they are a day old.
type Keys struct {
	source KeySource
	now    func() time.Time
	failed func(error)

	mu      sync.Mutex
	keys    KeySet               // of the last good fetch; nil before it
	fetched time.Time            // when that fetch ended
	began   time.Time            // when the last fetch began, good or not
	lastErr error                // of the last fetch
	absent  map[string]time.Time // kids that a fetch did not find, and when
	flight  chan struct{}        // closed when the fetch under way has ended; nil when none is
}

// NewKeys returns no keys yet. It fetches nothing until a key is asked for.
func NewKeys(c KeysConfig) *Keys {
	return &Keys{source: c.Source, now: c.Now, failed: c.Failed, absent: map[string]time.Time{}}
}

// Known returns the key of a kid, or nil, without waiting. It starts a background fetch if
// the set is old.
func (c *Keys) Known(kid string) *rsa.PublicKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if !c.serves(now) {
		return nil
	}
	if now.Sub(c.fetched) >= refreshAfter && c.mayFetch(now) {
		c.fetch(now)
	}
	return c.keys[kid]
}

// Find returns the key of a kid. If the key is not known and a fetch is due, Find fetches the
// set first. The error is ErrUnknown if a fetched set does not have the key; any other error
// says why there is no set, and is temporary.
func (c *Keys) Find(ctx context.Context, kid string) (*rsa.PublicKey, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if key := c.keys[kid]; key != nil && c.serves(now) {
		return key, nil
	}
	if !c.worthFetching(kid, now) {
		return c.judge(kid, now, false)
	}
	if c.flight == nil {
		c.fetch(now)
	}
	flight := c.flight
	c.mu.Unlock()
	select {
	case <-flight:
	case <-ctx.Done():
	}
	c.mu.Lock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("waiting for the key set: %w", err)
	}
	return c.judge(kid, c.now(), true)
}

// judge says what is known of a kid without another fetch. Asked says that a fetch was just
// made for it.
func (c *Keys) judge(kid string, now time.Time, asked bool) (*rsa.PublicKey, error) {
	serves := c.serves(now)
	key := c.keys[kid]
	switch {
	case serves && key != nil:
		return key, nil
	case serves && c.lastErr == nil:
		if asked {
			c.rememberAbsent(kid, now)
		}
		return nil, ErrUnknownKey
	case c.lastErr != nil:
		return nil, c.lastErr
	default:
		return nil, errors.New("the key set is too old")
	}
}

func (c *Keys) serves(now time.Time) bool {
	return c.keys != nil && now.Sub(c.fetched) < expireAfter
}

func (c *Keys) worthFetching(kid string, now time.Time) bool {
	if c.serves(now) {
		if !possible(kid) {
			return false
		}
		if since, found := c.absent[kid]; found {
			if age := now.Sub(since); age >= 0 && age < absentFor {
				return false
			}
		}
	}
	return c.flight != nil || c.mayFetch(now)
}

// possible reports whether a set could have a key of that kid.
func possible(kid string) bool { return kid != "" && len(kid) <= maxKid }

// mayFetch reports whether a fetch may begin. A clock that was set back must not prevent
// fetches until it has caught up.
func (c *Keys) mayFetch(now time.Time) bool {
	if c.flight != nil {
		return false
	}
	interval := fetchInterval
	if !c.serves(now) {
		interval = emptyInterval
	}
	since := now.Sub(c.began)
	return c.began.IsZero() || since >= interval || since < 0
}

// fetch begins a fetch. It is not bound to a caller's context, because a caller that gives up
// must not cancel the fetch for the others.
func (c *Keys) fetch(now time.Time) {
	c.began = now
	flight := make(chan struct{})
	c.flight = flight
	go func() {
		keys, err := c.get()
		if err != nil && c.failed != nil {
			c.failed(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.lastErr = err
		if err == nil {
			c.keys, c.fetched = keys, c.now()
		}
		c.flight = nil
		close(flight)
	}()
}

func (c *Keys) get() (KeySet, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	data, err := c.source(ctx)
	if err != nil {
		return nil, err
	}
	return ParseKeySet(data)
}

func (c *Keys) rememberAbsent(kid string, now time.Time) {
	if !possible(kid) {
		return
	}
	if len(c.absent) >= maxAbsent {
		for old, since := range c.absent {
			if now.Sub(since) >= absentFor {
				delete(c.absent, old)
			}
		}
	}
	if len(c.absent) < maxAbsent {
		c.absent[kid] = now
	}
}

// KeySource returns a key set as published, cut after 64 KiB and one byte. It must return when
// ctx ends.
type KeySource func(ctx context.Context) ([]byte, error)

// FetchFrom returns the source that gets an https URL through transport; nil is
// http.DefaultTransport. It does not follow redirects, which could lead away from https, or
// to somebody else's keys.
func FetchFrom(transport http.RoundTripper, address string) (KeySource, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || address != strings.TrimSpace(address) {
		return nil, fmt.Errorf("%q is not the URL of a key set: use https, such as https://clerk.example.com/.well-known/jwks.json", address)
	}
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func(ctx context.Context) ([]byte, error) { return get(ctx, client, address) }, nil
}

func get(ctx context.Context, client *http.Client, address string) (body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("asking for the key set: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking for the key set: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking for the key set: %s answered %d: want 200", address, response.StatusCode)
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, maxSet+1))
	if err != nil {
		return nil, fmt.Errorf("reading the key set: %w", err)
	}
	return body, nil
}

// Limits of what is read.
const (
	maxSet      = 64 << 10 // bytes of a whole set
	maxKeys     = 64       // usable keys in a set; an instance publishes one or two
	maxKid      = 128      // bytes
	minBits     = 2048     // RFC 7518, section 3.3
	maxBits     = 8192     // bounds what a verification costs; crypto/tls has the same bound
	maxExponent = 1<<31 - 1
)

// KeySet holds RSA public keys that verify RS256, by kid.
type KeySet map[string]*rsa.PublicKey

// key is a JSON Web Key with the members that matter here.
type key struct {
	Type       string `json:"kty"`
	ID         string `json:"kid"`
	Algorithm  string `json:"alg"`
	Use        string `json:"use"`
	Modulus    string `json:"n"`
	Exponent   string `json:"e"`
	PrivateKey string `json:"d"`
}

// ParseKeySet reads a JSON Web Key Set of at most 64 KiB. It skips keys that cannot verify RS256,
// as RFC 7517, section 5, advises: other types, other uses, other algorithms, without kid,
// malformed, shorter than 2048 or longer than 8192 bits, and keys whose private part is
// public. It is an error if no key is left, if more than 64 are, or if two have the same kid.
func ParseKeySet(data []byte) (KeySet, error) {
	if len(data) > maxSet {
		return nil, errors.New("the key set is longer than 64 KiB")
	}
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, errors.New(`the key set is not JSON of the form {"keys":[…]}`)
	}
	set := KeySet{}
	for _, raw := range document.Keys {
		var k key
		if json.Unmarshal(raw, &k) != nil {
			continue
		}
		public, ok := k.public()
		if !ok {
			continue
		}
		if _, twice := set[k.ID]; twice {
			return nil, errors.New("the key set has two keys of one kid")
		}
		if len(set) == maxKeys {
			return nil, fmt.Errorf("the key set has more than %d keys", maxKeys)
		}
		set[k.ID] = public
	}
	if len(set) == 0 {
		return nil, errors.New("the key set has no RSA key for RS256")
	}
	return set, nil
}

func (k key) public() (*rsa.PublicKey, bool) {
	switch {
	case k.Type != "RSA", !possible(k.ID), k.PrivateKey != "":
		return nil, false
	case k.Algorithm != "" && k.Algorithm != "RS256", k.Use != "" && k.Use != "sig":
		return nil, false
	}
	n, ok := unsigned(k.Modulus)
	if !ok {
		return nil, false
	}
	e, ok := unsigned(k.Exponent)
	if !ok || !e.IsInt64() || e.Int64() > maxExponent {
		return nil, false
	}
	public := &rsa.PublicKey{N: n, E: int(e.Int64())}
	return public, CheckSize(public) == nil
}

// unsigned reads a Base64urlUInt (RFC 7518, section 2).
func unsigned(s string) (*big.Int, bool) {
	if s == "" || strings.ContainsAny(s, "\r\n") { // encoding/base64 skips line ends
		return nil, false
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	return new(big.Int).SetBytes(b), err == nil
}

// CheckSize refuses a key of fewer than 2048 or more than 8192 bits, an even
// modulus, and an exponent that is even or less than 3.
func CheckSize(k *rsa.PublicKey) error {
	if bits := k.N.BitLen(); bits < minBits || bits > maxBits {
		return fmt.Errorf("an RSA key of %d bits: use at least %d and at most %d", bits, minBits, maxBits)
	}
	if k.N.Bit(0) == 0 || k.E < 3 || k.E&1 == 0 {
		return errors.New("these numbers are not an RSA key")
	}
	return nil
}
