package rdb

import (
	"strconv"
	"time"
)

// Fields reads fields of hashes, where one that is absent is empty. It keeps the first
// error of many.
type Fields struct{ Err error }

// Keep keeps an error, where it is the first.
func (f *Fields) Keep(err error) {
	if f.Err == nil {
		f.Err = err
	}
}

// Whole reads a whole number; an empty text is 0.
func (f *Fields) Whole(text string) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	f.Keep(err)
	return n
}

// Number reads a number as Redis writes them; an empty text is 0.
func (f *Fields) Number(text string) float64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	f.Keep(err)
	return n
}

// Time reads Unix milliseconds; an empty text is the zero time.
func (f *Fields) Time(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	return time.UnixMilli(f.Whole(text)).UTC()
}
