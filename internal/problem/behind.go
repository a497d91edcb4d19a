package problem

import "errors"

// behind is the error of a database whose tables are older than this build needs. It is
// recognized by its method, because the functions that take scores do not link the archive.
type behind interface {
	error
	Needs() int64 // migration
}

// Behind reports whether an error is a behind, and its text without the operation's.
func Behind(err error) (detail string, yes bool) {
	var b behind
	if yes = errors.As(err, &b); yes {
		detail = b.Error()
	}
	return detail, yes
}
