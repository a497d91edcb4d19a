package problem

import "errors"

// behind is the error of a database whose tables are older than this build needs.
// The functions that take scores link no archive, so it is known by its method.
type behind interface {
	error
	Needs() int64 // migration
}

// Behind reports whether an error is that, and what it says without what was being done.
func Behind(err error) (detail string, yes bool) {
	var b behind
	if yes = errors.As(err, &b); yes {
		detail = b.Error()
	}
	return detail, yes
}
