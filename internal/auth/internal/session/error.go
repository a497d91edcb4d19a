package session

// Code says how a credential failed.
type Code string

const (
	// Missing means that no credential was given. HTTP answers 401.
	Missing Code = "missing"
	// Invalid means that the credential does not prove who is calling. HTTP
	// answers 401.
	Invalid Code = "invalid"
	// Forbidden means that the credential is good and the right is lacking.
	// HTTP answers 403.
	Forbidden Code = "forbidden"
)

// Error is a refused credential.
type Error struct {
	Code Code
	// Reason says in lower case what was wrong. It never repeats any part of
	// the credential and may be shown to the caller.
	Reason string
}

func (e *Error) Error() string { return e.Reason }

func invalid(reason string) *Error { return &Error{Code: Invalid, Reason: reason} }
