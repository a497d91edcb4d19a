package activity

import (
	"bytes"
	"encoding/json"
	"io"
)

// Unreadable is the reason for what is no event at all.
const Unreadable Reason = "unreadable"

// Read reads one event from JSON. A field that no event has is refused: it may be
// one that is misspelt.
func Read(text []byte) (Event, *Refusal) {
	var e Event
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, refuse(Unreadable, "%.200s", err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return e, refuse(Unreadable, "there is more after the event")
	}
	return e, nil
}
