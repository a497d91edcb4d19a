package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
)

const minSecret = 32

// Operator verifies the operator's token.
type Operator struct {
	sums [][sha256.Size]byte
}

// NewOperator takes the tokens that the operator may present; several, while one replaces
// another. Each has at least 32 characters that an Authorization header can carry.
func NewOperator(tokens ...string) (*Operator, error) {
	if len(tokens) == 0 {
		return nil, errors.New("OPS_TOKEN is empty: use at least 32 characters")
	}
	o := &Operator{}
	for _, token := range tokens {
		if len(token) < minSecret {
			return nil, errors.New("OPS_TOKEN has a token that is too short: use at least 32 characters for each")
		}
		if !isBearerToken(token) {
			return nil, errors.New("OPS_TOKEN has characters that an Authorization header cannot carry: use letters, digits and -._~+/, and commas between tokens")
		}
		o.sums = append(o.sums, sha256.Sum256([]byte(token)))
	}
	return o, nil
}

// Verify checks the token of an Authorization header, as Bearer returns it, in constant time.
// An empty one is Missing, an unknown one Invalid.
func (o *Operator) Verify(bearer string) error {
	if bearer == "" {
		return &Error{Code: Missing, Reason: "the operator's token is required"}
	}
	// All sums have the same length, so the comparison does not reveal a token's length. All
	// of them are compared, so that the time does not reveal which one matched.
	sum := sha256.Sum256([]byte(bearer))
	known := 0
	for _, own := range o.sums {
		known |= subtle.ConstantTimeCompare(sum[:], own[:])
	}
	if known != 1 {
		return &Error{Code: Invalid, Reason: "this is not the operator's token"}
	}
	return nil
}
