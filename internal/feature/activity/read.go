package activity

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"time"
)

// Unreadable is the reason for text that is not an event.
const Unreadable Reason = "unreadable"

// Read reads one event from JSON. It refuses unknown fields, which may be misspelt.
func Read(text []byte) (Event, *Refusal) {
	var e Event
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, refuse(Unreadable, "%.200s", reasonOf(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return e, refuse(Unreadable, "there is more after the event")
	}
	return e, nil
}

// reasonOf describes an error of JSON without names of Go types.
func reasonOf(err error) string {
	var kind *json.UnmarshalTypeError
	var at *time.ParseError
	switch {
	case errors.As(err, &at), strings.HasPrefix(err.Error(), "Time."):
		return "at is not a timestamp; use RFC 3339, such as 2026-11-21T12:00:00Z"
	case errors.As(err, &kind) && kind.Field == "":
		return "this is not a JSON object but of type " + kind.Value
	case errors.As(err, &kind) && kind.Type.Kind() == reflect.Slice:
		return kind.Field + " is of type " + kind.Value + "; use an array of strings"
	case errors.As(err, &kind):
		return kind.Field + " is of type " + kind.Value + "; use a string"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "this is not a JSON object: unexpected end"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
