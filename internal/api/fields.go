package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxFaults is how many faults of one object or query are told.
const maxFaults = 16

// fields reads a JSON object strictly: names must match to the letter, none
// may be unknown or there twice, and every fault is gathered with a pointer to
// its place.
type fields struct {
	values map[string]json.RawMessage
	at     string // pointer of the object itself
	taken  map[string]bool
	faults []fieldError
}

// object opens one JSON object. Its own faults are reported by done.
func object(raw []byte, at string) *fields {
	f := &fields{at: at, taken: map[string]bool{}}
	if err := json.Unmarshal(raw, &f.values); err != nil {
		f.fault("", "this is not a JSON object: "+jsonFault(err))
	} else if f.values == nil {
		f.fault("", "this is not a JSON object but null")
	} else if members(raw) > len(f.values) {
		name := repeatedName(raw)
		f.fault(name, repeatedFault(name))
	}
	return f
}

// jsonFault says what is wrong with JSON, without naming Go types.
func jsonFault(err error) string {
	switch e := err.(type) {
	case *json.SyntaxError:
		return fmt.Sprintf("%s at byte %d", strings.TrimPrefix(e.Error(), "json: "), e.Offset)
	case *json.UnmarshalTypeError:
		return "it is a " + e.Value
	}
	return "it ends too early"
}

func (f *fields) fault(name, detail string) {
	pointer := f.at
	if name != "" {
		pointer += "/" + escapePointer(name)
	}
	f.faults = append(f.faults, fieldError{pointer, detail})
}

// itemFault is a fault of one item of an array.
func (f *fields) itemFault(name string, item int, detail string) {
	f.faults = append(f.faults, fieldError{f.at + "/" + escapePointer(name) + "/" + strconv.Itoa(item), detail})
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(shorten(name))
}

// shorten bounds a name that a client made up.
func shorten(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), 80)], "")
}

// take returns a field's raw value; null and absent are the same.
func (f *fields) take(name string, required bool) (json.RawMessage, bool) {
	f.taken[name] = true
	raw, ok := f.values[name]
	if !ok || string(raw) == "null" {
		if required && f.values != nil {
			f.fault(name, "this field is required")
		}
		return nil, false
	}
	return raw, true
}

// text reads a string field.
func (f *fields) text(name string, required bool) (string, bool) {
	raw, ok := f.take(name, required)
	if !ok {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		f.fault(name, "this must be a string")
		return "", false
	}
	return s, true
}

// number reads the exact text of a number field.
func (f *fields) number(name string, required bool) (string, bool) {
	raw, ok := f.take(name, required)
	if !ok {
		return "", false
	}
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		f.fault(name, "this must be a number, not a string or anything else")
		return "", false
	}
	return string(raw), true
}

// texts reads a field that holds strings.
func (f *fields) texts(name string, required bool, most int) ([]string, bool) {
	raw, ok := f.take(name, required)
	if !ok {
		return nil, false
	}
	var all []*string
	if json.Unmarshal(raw, &all) != nil {
		f.fault(name, "this must be an array of strings")
		return nil, false
	}
	if len(all) > most {
		f.fault(name, fmt.Sprintf("this has %d items; at most %d are allowed", len(all), most))
		return nil, false
	}
	read := make([]string, len(all))
	for i, s := range all {
		if s == nil {
			f.itemFault(name, i, "this must be a string")
			return nil, false
		}
		read[i] = *s
	}
	return read, true
}

// done reports every fault, unknown fields too.
func (f *fields) done() error {
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		if !f.taken[name] && len(f.faults) < maxFaults {
			f.fault(name, "this field is unknown")
		}
	}
	if len(f.faults) == 0 {
		return nil
	}
	detail := f.faults[0].Detail
	if where := f.faults[0].Pointer; where != "" {
		detail = where + ": " + detail
	}
	return badRequest(detail, f.faults...)
}

// shown reads a string that others will see, and puts it into the form in which
// they do; an empty one takes it back.
func (f *fields) shown(name string, form func(string) (string, error)) *string {
	text, ok := f.text(name, false)
	if !ok {
		return nil
	}
	if text = strings.TrimSpace(text); text != "" {
		formed, err := form(text)
		if err != nil {
			f.fault(name, err.Error())
		}
		text = formed
	}
	return &text
}

// flag reads a field that is true or false.
func (f *fields) flag(name string) *bool {
	raw, ok := f.take(name, false)
	if !ok {
		return nil
	}
	yes := string(raw) == "true"
	if !yes && string(raw) != "false" {
		f.fault(name, "this must be true or false")
	}
	return &yes
}

func joined(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
