package session

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Config is what a verifier must know of the Clerk instance it trusts. The
// comments name the environment variable that each field usually comes from,
// as the errors do.
type Config struct {
	// Issuer (CLERK_ISSUER) is the exact claim iss: the https URL of the
	// instance's Frontend API, without a trailing slash.
	Issuer string
	// AuthorizedParties (CLERK_AUTHORIZED_PARTIES) lists the origins whose
	// tokens are taken, as in the claim azp. Empty means that azp is not
	// looked at.
	AuthorizedParties []string
	// PEM (CLERK_JWT_KEY) is the instance's public RSA key of at least 2048
	// bits, as PKIX ("PUBLIC KEY") or PKCS #1 ("RSA PUBLIC KEY"). A literal \n
	// stands for a line end, as environment variables often have it.
	PEM string
	// Now is the clock that every time claim is held against. Required.
	Now func() time.Time
}

func (c Config) check() error {
	var problems []error
	if c.Now == nil {
		problems = append(problems, errors.New("sessions need a clock: Now is nil"))
	}
	if !isIssuer(c.Issuer) {
		problems = append(problems, fmt.Errorf("CLERK_ISSUER: %q is not an issuer: use the https URL of the Clerk Frontend API without a trailing slash, such as https://clerk.example.com", c.Issuer))
	}
	for _, party := range c.AuthorizedParties {
		if !isOrigin(party) {
			problems = append(problems, fmt.Errorf("CLERK_AUTHORIZED_PARTIES: %q is not an origin: use scheme and host without a path, such as https://www.example.com", party))
		}
	}
	return errors.Join(problems...)
}

func isIssuer(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(s, "?#") && !strings.HasSuffix(s, "/") && s == strings.TrimSpace(s)
}

// isOrigin takes schemes other than https too: local pages have http, native
// shells and extensions their own.
func isOrigin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && s == u.Scheme+"://"+u.Host
}
