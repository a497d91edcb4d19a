package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const minSecret = 32

// Role is what an operator may do. Each role may also do what the ones before it may.
type Role int

// The roles. NoRole is that of everybody else.
const (
	NoRole     Role = iota
	Read            // see everything, change nothing
	Moderate        // and decide about players: bans, scores, badges
	Administer      // and everything else
)

var roleNames = []string{"", "read", "moderate", "administer"}

func (r Role) String() string { return roleNames[r] }

// RoleOf finds a role by its name.
func RoleOf(name string) (Role, error) {
	if i := slices.Index(roleNames, name); i > 0 {
		return Role(i), nil
	}
	return NoRole, fmt.Errorf("%.20q is not a role; use %s", name, strings.Join(roleNames[1:], ", "))
}

// Operator is a person who operates the product. The zero Operator is nobody.
type Operator struct {
	Name string // empty: the holder of OPS_TOKEN
	Role Role
}

// Actor is the operator in the audit. It has a space, which no player's id has.
func (o Operator) Actor() string { return strings.TrimSpace("operator " + o.Name) }

// longestName bounds an operator's name, in characters.
const longestName = 32

// ValidOperator refuses a name that no operator can have.
func ValidOperator(name string) error {
	if len(name) < 1 || len(name) > longestName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
		return fmt.Errorf("%.40q is not an operator's name; use 1 to %d of a-z, 0-9, _ . and -", name, longestName)
	}
	return nil
}

// token is a token that is known by its hash.
type token struct {
	sum [sha256.Size]byte
	of  Operator
}

// Operators verify the tokens of operators.
type Operators struct{ sums []token }

// NewOperators takes tokens whose holder may do everything; several, while one replaces
// another. Each has at least 32 characters that an Authorization header can carry.
func NewOperators(tokens ...string) (*Operators, error) {
	if len(tokens) == 0 {
		return nil, errors.New("OPS_TOKEN is empty: use at least 32 characters")
	}
	o := &Operators{}
	for _, secret := range tokens {
		if len(secret) < minSecret {
			return nil, errors.New("OPS_TOKEN has a token that is too short: use at least 32 characters for each")
		}
		if !isBearerToken(secret) {
			return nil, errors.New("OPS_TOKEN has characters that an Authorization header cannot carry: use letters, digits and -._~+/, and commas between tokens")
		}
		o.sums = append(o.sums, token{sha256.Sum256([]byte(secret)), Operator{Role: Administer}})
	}
	return o, nil
}

// mostOperators bounds how many tokens every request is compared with.
const mostOperators = 100

// With adds operators with names, each as name:role:hash, to those of o, which may be nil. The
// hash is the SHA-256 of the operator's token in hexadecimal. A name may have several tokens,
// while one replaces another. The error names every wrong entry.
func (o *Operators) With(entries ...string) (*Operators, error) {
	all := &Operators{}
	if o != nil {
		all.sums = slices.Clone(o.sums)
	}
	var errs []error
	if len(entries) > mostOperators {
		errs = append(errs, fmt.Errorf("OPERATORS has %d entries: use up to %d", len(entries), mostOperators))
	}
	for i, entry := range entries {
		one, err := parseOperator(entry)
		if err == nil {
			err = all.admits(one)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("OPERATORS: entry %d: %w", i+1, err))
			continue
		}
		all.sums = append(all.sums, one)
	}
	return all, errors.Join(errs...)
}

// parseOperator reads an entry. An error does not repeat the text where the hash should be:
// it may be a token.
func parseOperator(entry string) (token, error) {
	parts := strings.Split(entry, ":")
	if len(parts) != 3 {
		return token{}, errors.New("this is not name:role:hash; lbctl operator prints an entry")
	}
	one := token{of: Operator{Name: parts[0]}}
	nameErr := ValidOperator(parts[0])
	var roleErr, hashErr error
	one.of.Role, roleErr = RoleOf(parts[1])
	sum, err := hex.DecodeString(parts[2])
	if err != nil || len(sum) != sha256.Size {
		hashErr = errors.New("the last part is not 64 hexadecimal digits; use the SHA-256 of the token, as lbctl operator prints it")
	}
	copy(one.sum[:], sum)
	var faults []string
	for _, err := range []error{nameErr, roleErr, hashErr} {
		if err != nil {
			faults = append(faults, err.Error())
		}
	}
	if len(faults) > 0 {
		return token{}, errors.New(strings.Join(faults, "; "))
	}
	return one, nil
}

// admits refuses a token that would not say who holds it, or what the holder may do.
func (o *Operators) admits(one token) error {
	for _, other := range o.sums {
		if subtle.ConstantTimeCompare(other.sum[:], one.sum[:]) == 1 {
			return errors.New("another entry has the same token; make one for each with lbctl operator")
		}
		if other.of.Name == one.of.Name && other.of.Role != one.of.Role {
			return fmt.Errorf("%s has the role %s in another entry; give all tokens of an operator one role", one.of.Name, other.of.Role)
		}
	}
	return nil
}

// Verify finds the operator of the token of an Authorization header, as Bearer returns it, in
// constant time. An empty token is Missing, an unknown one Invalid.
func (o *Operators) Verify(bearer string) (Operator, error) {
	if bearer == "" {
		return Operator{}, &Error{Code: Missing, Reason: "the operator's token is required"}
	}
	// All sums have the same length, so the comparison does not reveal a token's length. All
	// of them are compared, so that the time does not reveal which one matched.
	sum := sha256.Sum256([]byte(bearer))
	found := -1
	for i, own := range o.sums {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], own.sum[:]), i, found)
	}
	if found < 0 {
		return Operator{}, &Error{Code: Invalid, Reason: "this is not an operator's token"}
	}
	return o.sums[found].of, nil
}

// NewOperatorToken makes a token for an operator, and the entry that [Operators.With] takes.
func NewOperatorToken(of Operator) (secret, entry string) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // it never fails
	secret = hex.EncodeToString(random[:])
	sum := sha256.Sum256([]byte(secret))
	return secret, of.Name + ":" + of.Role.String() + ":" + hex.EncodeToString(sum[:])
}
