package auth

import (
	"errors"
	"net/url"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/auth/internal/session"
)

type (
	// Player is the player of a session token. ID is always set. Name, Picture, Country and
	// Groups are set only if the claims have them in valid form.
	Player = session.Player
	// SessionConfig is what a verifier must know of the Clerk instance it
	// trusts.
	SessionConfig = session.Config
	// Sessions verifies the session tokens of one Clerk instance. It uses no network as long
	// as their keys are known.
	Sessions = session.Sessions
	// Error is a refused credential: a Code, and a Reason that may be shown.
	Error = session.Error
	// Code says why a credential was refused.
	Code = session.Code
)

// The codes of an Error. HTTP answers 401 to Missing and Invalid, 403 to
// Forbidden and 503 to Unavailable.
const (
	Missing     = session.Missing
	Invalid     = session.Invalid
	Forbidden   = session.Forbidden
	Unavailable = session.Unavailable
)

// NewSessions returns a verifier for the Clerk instance that c describes. An error names each
// variable that is wrong and says what would be right. NewSessions refuses an issuer on
// localhost or below .localhost, because development tokens have such issuers.
func NewSessions(c SessionConfig) (*Sessions, error) {
	if isLocal(c.Issuer) {
		return nil, errors.New("CLERK_ISSUER: a .localhost issuer is for development and is never accepted here: use the https URL of the Clerk Frontend API, such as https://clerk.example.com")
	}
	return session.New(c)
}

func isLocal(issuer string) bool {
	u, err := url.Parse(issuer)
	if err != nil {
		return false // not an issuer at all, which session.New reports
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// ShownName makes a name fit for others' pages, by the rules for names in session tokens:
// trimmed, at most 80 characters, without characters that are invisible or not assigned, reverse
// the direction of text or pile up. It returns "" if no letter or digit is left.
func ShownName(name string) string { return session.Name(name) }

// NameFault says why ShownName would change a name; "" if it would not.
func NameFault(name string) string { return session.NameFault(name) }

// ShownPicture returns the canonical form of a picture's address, if it is an absolute https
// URL of at most 512 bytes of printable ASCII, without a user and with the name of a host that
// may be public; else "".
func ShownPicture(address string) string { return session.Picture(address) }
