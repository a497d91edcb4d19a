package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// signatureTolerance is how many seconds a signature's time may lie from
	// now, either side, the bound included.
	signatureTolerance = 300
	// maxSignatures is how many entries of each scheme one header may carry; key
	// rotation needs two.
	maxSignatures = 8
	// maxSignatureHeader bounds the header in bytes: eight entries of each of two
	// schemes take 1,101, which leaves room for schemes to come.
	maxSignatureHeader = 2048
	// maxUnixDigits keeps t far inside 64 bits (the year 5138).
	maxUnixDigits = 11
)

// Request is what a game server signs.
type Request struct {
	Method string // in capitals
	// Path is the URL's path from /v1 on, percent escapes decoded, without the
	// query. Decoded, because API Gateway hands it on like that and no other
	// form is the same on every host.
	Path string
	Body []byte
}

// Server is a game server whose signature held.
type Server struct {
	Key   string // names its signing key: 8 hex digits, the same in every process
	Bound bool   // the signature speaks for method and path too, not for the body alone
}

// Signatures verifies the requests that game servers sign.
type Signatures struct {
	keys  [][]byte
	names []string // of the keys
	now   func() time.Time
}

// NewSignatures takes the keys that are good at present, each at least 32
// characters; two or more while a key is being rotated.
func NewSignatures(keys []string, now func() time.Time) (*Signatures, error) {
	if len(keys) == 0 {
		return nil, errors.New("SIGNING_KEYS is empty: give at least one key of 32 characters or more")
	}
	if now == nil {
		return nil, errors.New("signatures need a clock: now is nil")
	}
	s := &Signatures{now: now}
	for i, key := range keys {
		if len(key) < minSecret {
			return nil, fmt.Errorf("SIGNING_KEYS: key %d of %d is too short: use at least 32 characters", i+1, len(keys))
		}
		if key != strings.TrimSpace(key) {
			return nil, fmt.Errorf("SIGNING_KEYS: key %d of %d begins or ends with white space: remove it", i+1, len(keys))
		}
		name := sha256.Sum256([]byte(key))
		s.keys, s.names = append(s.keys, []byte(key)), append(s.names, hex.EncodeToString(name[:4]))
	}
	return s, nil
}

// Verify holds the header Framedle-Signature against a request. Where there is a
// v2, v1 does not count: a v2 that does not hold refuses the request whatever
// stands beside it. The Server's key is the first one of the configuration that
// holds. The error is nil or an *Error: Missing for an empty header, else
// Invalid.
func (s *Signatures) Verify(header string, r Request) (Server, error) {
	if header == "" {
		return Server{}, &Error{Code: Missing, Reason: "the header Framedle-Signature is required"}
	}
	claim, err := parseSignature(header)
	if err != nil {
		return Server{}, err
	}
	if d := s.now().Unix() - claim.unix; d > signatureTolerance || d < -signatureTolerance {
		return Server{}, &Error{Code: Invalid, Reason: "the signature's time is more than 300 seconds from now"}
	}
	bound := len(claim.v2) > 0
	sums, prefix, covers := claim.v1, "", "the body"
	if bound {
		sums, prefix, covers = claim.v2, r.prefix(), "method, path and body"
	}
	// Every key meets every signature: the time taken must not tell which
	// matched.
	matched := -1
	for i, key := range slices.Backward(s.keys) {
		want, holds := mac(key, claim.unix, prefix, r.Body), 0
		for _, got := range sums {
			holds |= subtle.ConstantTimeCompare(want, got)
		}
		matched = subtle.ConstantTimeSelect(holds, i, matched)
	}
	if matched < 0 {
		return Server{}, &Error{Code: Invalid, Reason: "the signature does not match " + covers}
	}
	return Server{Key: s.names[matched], Bound: bound}, nil
}

// SignRequest returns the header Framedle-Signature, v2, for a request sent at
// the given time, cut to whole seconds.
func SignRequest(key string, at time.Time, r Request) string {
	return header(key, at, "v2", r.prefix(), r.Body)
}

// Sign returns the header with a v1, which speaks for the body alone.
func Sign(key string, at time.Time, body []byte) string { return header(key, at, "v1", "", body) }

func header(key string, at time.Time, scheme, prefix string, body []byte) string {
	unix := at.Unix()
	return "t=" + strconv.FormatInt(unix, 10) + "," + scheme + "=" + hex.EncodeToString(mac([]byte(key), unix, prefix, body))
}

// prefix is what a v2 has before the body. Nobody can move the border between
// the two: a method holds no full stop, no route's path a brace, and every body
// that is read is empty or a JSON object, which begins with one.
func (r Request) prefix() string { return r.Method + "." + r.Path + "." }

// mac is the HMAC-SHA256 of "t.body", with a prefix of the body between the two.
func mac(key []byte, unix int64, prefix string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(append(strconv.AppendInt(nil, unix, 10), '.'))
	h.Write([]byte(prefix))
	h.Write(body)
	return h.Sum(nil)
}
