// Package fault makes errors that know which problem of an HTTP answer they are. So package
// problem does not have to know every package that can fail.
//
// It must not know HTTP: statuses and titles are in package problem.
package fault

import "time"

// Fault is what an answer says of an error.
type Fault struct {
	Code      string        // of a kind in package problem
	Detail    string        // empty: the error's text
	Pointer   string        // the field that is wrong; empty: none
	Wait      time.Duration // before a retry; 0: the kind's own
	Reason    string        // why a play is refused
	OpenDates []string
	Balance   *int64
}

// Coded is an error that is a Fault.
type Coded interface {
	error
	Fault() Fault
}

// value is an error that is always the same Fault.
type value struct {
	text  string
	fault Fault
}

func (v *value) Error() string { return v.text }
func (v *value) Fault() Fault  { return v.fault }

// New makes an error of a kind. The answer has its text, with what wraps it.
func New(code, text string) error { return &value{text, Fault{Code: code}} }

// Of makes an error with a text for logs and a Fault for the answer.
func Of(text string, f Fault) error { return &value{text, f} }

// Unavailable makes an error that may be gone after a while.
func Unavailable(text, detail string, wait time.Duration) error {
	return &value{text, Fault{Code: "temporarily-unavailable", Detail: detail, Wait: wait}}
}

// KeyReused is what an answer says if an idempotency key was used for another request.
const KeyReused = "this Idempotency-Key was used for another request; take a new key for a new request"
