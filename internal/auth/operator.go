package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
)

const minSecret = 32

// Operator verifies the operator's token.
type Operator struct {
	sum [sha256.Size]byte
}

// NewOperator takes the one token that the operator presents: at least 32
// characters that an Authorization header can carry.
func NewOperator(token string) (*Operator, error) {
	if len(token) < minSecret {
		return nil, errors.New("OPS_TOKEN is too short: use at least 32 characters")
	}
	if !isBearerToken(token) {
		return nil, errors.New("OPS_TOKEN has characters that an Authorization header cannot carry: use letters, digits and -._~+/")
	}
	return &Operator{sum: sha256.Sum256([]byte(token))}, nil
}

// Verify takes the token of an Authorization header, as Bearer returns it,
// and compares it in constant time. An empty one is Missing, another one is
// Invalid.
func (o *Operator) Verify(bearer string) error {
	if bearer == "" {
		return &Error{Code: Missing, Reason: "the operator's token is required"}
	}
	// Sums have one length, so the comparison does not tell the token's.
	sum := sha256.Sum256([]byte(bearer))
	if subtle.ConstantTimeCompare(sum[:], o.sum[:]) != 1 {
		return &Error{Code: Invalid, Reason: "this is not the operator's token"}
	}
	return nil
}
