package api

import (
	"errors"
)

// behind is the error of a database whose tables are older than this build needs.
// The functions that take scores link no archive, so it is known by its method.
type behind interface {
	error
	Needs() int64 // migration
}

// behindDetail is what such an error says, without what was being done.
func behindDetail(err error) string {
	var b behind
	errors.As(err, &b)
	return b.Error()
}
