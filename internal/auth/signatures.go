package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// signatureTolerance is how many seconds a signature's time may lie from
	// now, either side, the bound included.
	signatureTolerance = 300
	// maxSignatures is how many v1 entries one header may carry; key rotation
	// needs two.
	maxSignatures = 8
	// maxSignatureHeader bounds the header in bytes: eight v1 entries take
	// 552, which leaves room for schemes to come.
	maxSignatureHeader = 2048
	// maxUnixDigits keeps t far inside 64 bits (the year 5138).
	maxUnixDigits = 11
)

// Signatures verifies the bodies that game servers sign.
type Signatures struct {
	keys [][]byte
	now  func() time.Time
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
		s.keys = append(s.keys, []byte(key))
	}
	return s, nil
}

// Verify holds the header Framedle-Signature against the exact bytes of the
// body. It returns nil or an *Error: Missing for an empty header, else
// Invalid.
func (s *Signatures) Verify(header string, body []byte) error {
	if header == "" {
		return &Error{Code: Missing, Reason: "the header Framedle-Signature is required"}
	}
	claim, err := parseSignature(header)
	if err != nil {
		return err
	}
	if d := s.now().Unix() - claim.unix; d > signatureTolerance || d < -signatureTolerance {
		return &Error{Code: Invalid, Reason: "the signature's time is more than 300 seconds from now"}
	}
	// Every key meets every signature: the time taken must not tell which
	// matched.
	match := 0
	for _, key := range s.keys {
		want := mac(key, claim.unix, body)
		for _, got := range claim.v1 {
			match |= subtle.ConstantTimeCompare(want, got)
		}
	}
	if match != 1 {
		return &Error{Code: Invalid, Reason: "the signature does not match the body"}
	}
	return nil
}

// Sign returns the header Framedle-Signature for a body sent at the given
// time, cut to whole seconds.
func Sign(key string, at time.Time, body []byte) string {
	unix := at.Unix()
	return "t=" + strconv.FormatInt(unix, 10) + ",v1=" + hex.EncodeToString(mac([]byte(key), unix, body))
}

// mac is the HMAC-SHA256 of "t.body".
func mac(key []byte, unix int64, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(append(strconv.AppendInt(nil, unix, 10), '.'))
	h.Write(body)
	return h.Sum(nil)
}
