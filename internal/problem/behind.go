package problem

import (
	"errors"
)

// Behind is the error of a database whose tables are older than this build needs.
// The functions that take scores link no archive, so it is known by its method.
type Behind interface {
	error
	Needs() int64 // migration
}

// BehindDetail is what such an error says, without what was being done.
func BehindDetail(err error) string {
	var b Behind
	errors.As(err, &b)
	return b.Error()
}
