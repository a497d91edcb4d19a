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
	// signatureTolerance is how many seconds the time of a signature may differ from now, in
	// either direction and inclusive.
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
	// Path is the URL's path from /v1 on, percent escapes decoded, without the query. It is
	// decoded because API Gateway passes it decoded, and no other form is the same on every
	// host.
	Path string
	Body []byte
}

// Server is a game server with a valid signature.
type Server struct {
	Key   string // identifies its signing key: 8 hex digits, the same in every process
	Bound bool   // the signature covers method and path, not only the body
}

// Signatures verifies the requests that game servers sign.
type Signatures struct {
	keys  [][]byte
	names []string // of the keys
	now   func() time.Time
}

// NewSignatures takes the valid keys, each of at least 32 characters; several while a key is
// being rotated.
func NewSignatures(keys []string, now func() time.Time) (*Signatures, error) {
	if len(keys) == 0 {
		return nil, errors.New("SIGNING_KEYS is empty: use at least one key of 32 characters or more")
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

// Verify checks the header Framedle-Signature of a request. If there is a v2, v1 is ignored:
// an invalid v2 refuses the request even beside a valid v1. The Server's key is the first
// configured key that has signed. The error is nil or an *Error: Missing for an empty header,
// else Invalid.
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
	// Every key is tried with every signature, so that the time does not reveal which one
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

// Sign returns the header with a v1 signature, which covers the body only.
func Sign(key string, at time.Time, body []byte) string { return header(key, at, "v1", "", body) }

func header(key string, at time.Time, scheme, prefix string, body []byte) string {
	unix := at.Unix()
	return "t=" + strconv.FormatInt(unix, 10) + "," + scheme + "=" + hex.EncodeToString(mac([]byte(key), unix, prefix, body))
}

// prefix is what the text of a v2 signature has before the body. The text has only one
// reading: a method contains no full stop, no route's path contains a brace, and every body
// that is read is empty or a JSON object, which begins with a brace.
func (r Request) prefix() string { return r.Method + "." + r.Path + "." }

// mac is the HMAC-SHA256 of "t.body", with the prefix between t and body.
func mac(key []byte, unix int64, prefix string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(append(strconv.AppendInt(nil, unix, 10), '.'))
	h.Write([]byte(prefix))
	h.Write(body)
	return h.Sum(nil)
}

// signature is a parsed header Framedle-Signature.
type signature struct {
	unix   int64
	v1, v2 [][]byte
}

// parseSignature reads "t=<unix seconds>,v2=<hex>[,v2=<hex>…]", with v1 in place of v2 or in
// addition, in any order and without white space. There must be exactly one t, in decimal
// without leading zeros, so that a signed time has only one notation. There must be at least
// one signature, at most eight of each scheme, each of 64 hex digits in either case. It
// ignores other schemes, so that a v3 can be introduced beside v2.
func parseSignature(header string) (signature, error) {
	var s signature
	if len(header) > maxSignatureHeader {
		return s, badSignature("is longer than 2048 bytes")
	}
	haveTime := false
	for item := range strings.SplitSeq(header, ",") {
		scheme, value, ok := strings.Cut(item, "=")
		if !ok || scheme == "" {
			return signature{}, badSignature("must look like t=<unix seconds>,v2=<hex>")
		}
		var err error
		switch scheme {
		case "t":
			if haveTime {
				return signature{}, badSignature("has more than one t")
			}
			haveTime = true
			if s.unix, ok = parseUnix(value); !ok {
				return signature{}, badSignature("has a t that is not a time in whole unix seconds")
			}
		case "v1":
			s.v1, err = addSum(s.v1, scheme, value)
		case "v2":
			s.v2, err = addSum(s.v2, scheme, value)
		}
		if err != nil {
			return signature{}, err
		}
	}
	if !haveTime {
		return signature{}, badSignature("has no t")
	}
	if len(s.v1)+len(s.v2) == 0 {
		return signature{}, badSignature("has neither v2 nor v1")
	}
	return s, nil
}

func addSum(sums [][]byte, scheme, value string) ([][]byte, error) {
	if len(sums) == maxSignatures {
		return nil, badSignature("has more than 8 " + scheme)
	}
	sum, err := hex.DecodeString(value)
	if err != nil || len(sum) != sha256.Size {
		return nil, badSignature("has a " + scheme + " that is not 64 hex digits")
	}
	return append(sums, sum), nil
}

func parseUnix(s string) (int64, bool) {
	if len(s) > maxUnixDigits {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == s
}

func badSignature(what string) *Error {
	return &Error{Code: Invalid, Reason: "the header Framedle-Signature " + what}
}
