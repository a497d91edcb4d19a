package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const (
	// MaxBody bounds a message in bytes. A user with all metadata that Clerk
	// allows stays below a tenth of it.
	MaxBody = 256 << 10
	// tolerance is how many seconds the time of a delivery may differ from now, in either
	// direction and inclusive.
	tolerance = 300
	// secretPrefix marks a signing secret of Svix.
	secretPrefix = "whsec_"
	// minSecret is the least length of a decoded secret in bytes, as Svix
	// makes them.
	minSecret = 24
)

// Headers are the three headers of a delivery, svix-id, svix-timestamp and svix-signature, as
// they were sent.
type Headers struct {
	ID        string
	Timestamp string
	Signature string
}

// HeadersOf takes them from the headers of a request.
func HeadersOf(h http.Header) Headers {
	return Headers{ID: h.Get("svix-id"), Timestamp: h.Get("svix-timestamp"), Signature: h.Get("svix-signature")}
}

// Verifier checks that a message comes from the Clerk instance. It is safe for concurrent
// use.
type Verifier struct {
	keys [][]byte
	now  func() time.Time
}

// NewVerifier takes the valid signing secrets, as Clerk's dashboard shows them ("whsec_" and
// base64 of 24 bytes or more); several while a secret is being rotated.
func NewVerifier(secrets []string, now func() time.Time) (*Verifier, error) {
	if len(secrets) == 0 {
		return nil, errors.New("CLERK_WEBHOOK_SECRETS is empty: use the signing secret of the webhook endpoint, beginning with whsec_")
	}
	if now == nil {
		return nil, errors.New("webhooks need a clock: now is nil")
	}
	v := &Verifier{now: now}
	for i, secret := range secrets {
		key, err := parseSecret(secret)
		if err != nil {
			return nil, fmt.Errorf("CLERK_WEBHOOK_SECRETS: secret %d of %d %w", i+1, len(secrets), err)
		}
		v.keys = append(v.keys, key)
	}
	return v, nil
}

func parseSecret(secret string) ([]byte, error) {
	text, found := strings.CutPrefix(secret, secretPrefix)
	if !found {
		return nil, errors.New("does not begin with whsec_: use the signing secret as Clerk's dashboard shows it")
	}
	key, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("is not base64 after whsec_: use the signing secret as Clerk's dashboard shows it")
	}
	if len(key) < minSecret {
		return nil, fmt.Errorf("is too short: use at least %d bytes, in base64", minSecret)
	}
	return key, nil
}

// Verify checks the headers of a delivery against the exact bytes of its body, at most
// MaxBody. It returns nil or an *auth.Error: Missing if a header is absent, else Invalid.
func (v *Verifier) Verify(h Headers, body []byte) error {
	d, err := parseHeaders(h)
	if err != nil {
		return err
	}
	if len(body) > MaxBody {
		return invalid("the webhook is longer than 256 KiB")
	}
	if age := v.now().Unix() - d.unix; age > tolerance || age < -tolerance {
		return invalid("the webhook's time is more than 300 seconds from now")
	}
	// Every key is tried with every signature, so that the time does not reveal which one
	// matched.
	match := 0
	for _, key := range v.keys {
		want := mac(key, h.ID, d.unix, body)
		for _, got := range d.v1 {
			match |= subtle.ConstantTimeCompare(want, got)
		}
	}
	if match != 1 {
		return invalid("the webhook's signature does not match its body")
	}
	return nil
}

// Sign returns the headers of a delivery at the given time, cut to whole
// seconds, as Svix sends them. The id must be that of a message: letters,
// digits, - and _, at most 128.
func Sign(secret, id string, at time.Time, body []byte) (Headers, error) {
	key, err := parseSecret(secret)
	if err != nil {
		return Headers{}, fmt.Errorf("the secret %w", err)
	}
	unix := at.Unix()
	return Headers{
		ID:        id,
		Timestamp: strconv.FormatInt(unix, 10),
		Signature: scheme + base64.StdEncoding.EncodeToString(mac(key, id, unix, body)),
	}, nil
}

// mac is the HMAC-SHA256 of "id.timestamp.body".
func mac(key []byte, id string, unix int64, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(append(strconv.AppendInt([]byte(id+"."), unix, 10), '.'))
	h.Write(body)
	return h.Sum(nil)
}

func invalid(reason string) *auth.Error { return &auth.Error{Code: auth.Invalid, Reason: reason} }
