package session

import "github.com/framedle/leaderboards/internal/fault"

// Code says why a credential was refused.
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
	// Unavailable means that the credential cannot be checked at present, because the keys
	// cannot be fetched. HTTP answers 503; a retry after some seconds is safe.
	Unavailable Code = "unavailable"
)

// Error is a refused credential.
type Error struct {
	Code Code
	// Reason says in lower case what was wrong. It never repeats any part of
	// the credential and may be shown to the caller.
	Reason string

	cause error
}

// Error is the text for logs: the Reason and, if there is one, the cause, which only the
// operator may see.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.cause.Error()
}

// Fault never has the cause.
func (e *Error) Fault() fault.Fault {
	switch e.Code {
	case Unavailable:
		return fault.Fault{Code: "temporarily-unavailable", Detail: e.Reason}
	case Forbidden:
		return fault.Fault{Code: "forbidden", Detail: e.Reason}
	}
	return fault.Fault{Code: "unauthenticated", Detail: e.Reason}
}

// Unwrap returns the cause of Unavailable, else nil.
func (e *Error) Unwrap() error { return e.cause }

func invalid(reason string) *Error { return &Error{Code: Invalid, Reason: reason} }
