package session

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config is what a verifier must know of the Clerk instance it trusts. The comments and the
// errors name the environment variable that each field usually comes from.
type Config struct {
	// Issuer (CLERK_ISSUER) is the exact claim iss: the https URL of the
	// instance's Frontend API, without a trailing slash.
	Issuer string
	// AuthorizedParties (CLERK_AUTHORIZED_PARTIES) lists the origins whose tokens are
	// accepted, as in the claim azp. NativeParty in the list accepts tokens without azp. If
	// the list is empty, azp is not checked.
	AuthorizedParties []string
	// PEM (CLERK_JWT_KEY) holds public RSA keys of the instance, of 2048 to 8192 bits, as
	// PKIX ("PUBLIC KEY") or PKCS #1 ("RSA PUBLIC KEY"): one, or up to four while keys are
	// being rotated. A literal \n is read as a line end, as environment variables often need
	// it. A key given here is trusted until it is removed from the configuration.
	PEM string
	// JWKSURL (CLERK_JWKS_URL) is the https URL where the instance publishes
	// its keys. Empty with PEM means that no keys are fetched; empty without
	// PEM means the issuer's own, <issuer>/.well-known/jwks.json. With both,
	// keys are fetched only for tokens that no key of PEM has signed.
	JWKSURL string
	// Transport carries the requests for published keys; nil means
	// http.DefaultTransport.
	Transport http.RoundTripper
	// KeysFailed, if set, is called with the error of every failed fetch of the published
	// keys, for the operator's log. It must be safe for concurrent use.
	KeysFailed func(error)
	// Now is the clock for all claims of time. Required.
	Now func() time.Time
}

// NativeParty as an authorized party accepts tokens without the claim azp. Clerk takes azp
// from the header Origin, which every browser sends and a native app does not.
const NativeParty = "native"

func (c Config) check() error {
	var problems []error
	if c.Now == nil {
		problems = append(problems, errors.New("sessions need a clock: Now is nil"))
	}
	if !isIssuer(c.Issuer) {
		problems = append(problems, fmt.Errorf("CLERK_ISSUER: %q is not an issuer: use the https URL of the Clerk Frontend API without a trailing slash, such as https://clerk.example.com", c.Issuer))
	}
	for _, party := range c.AuthorizedParties {
		if party != NativeParty && !isOrigin(party) {
			problems = append(problems, fmt.Errorf("CLERK_AUTHORIZED_PARTIES: %q is not an origin: use scheme and host without a path, such as https://www.example.com, or %s for apps that have none", party, NativeParty))
		}
	}
	return errors.Join(problems...)
}

// keySource is the source of published keys, or nil if none is configured.
func (c Config) keySource() (KeySource, error) {
	url := c.JWKSURL
	if url == "" {
		if strings.TrimSpace(c.PEM) != "" || !isIssuer(c.Issuer) {
			return nil, nil
		}
		url = c.Issuer + "/.well-known/jwks.json"
	}
	source, err := FetchFrom(c.Transport, url)
	if err != nil {
		return nil, fmt.Errorf("CLERK_JWKS_URL: %w", err)
	}
	return source, nil
}

func isIssuer(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(s, "?#") && !strings.HasSuffix(s, "/") && s == strings.TrimSpace(s)
}

// isOrigin accepts schemes other than https too: local pages use http, and native shells and
// extensions use schemes of their own.
func isOrigin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && s == u.Scheme+"://"+u.Host
}
