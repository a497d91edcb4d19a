package importer

import (
	"encoding/json"
	"fmt"
	"strings"
)

// readJSON reads a row from an object on one line. The score must be a number, and stays as it
// is written; null means absent.
func readJSON(line []byte, layout Layout) (Row, *Fault) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(line, &values); err != nil || values == nil {
		return Row{}, &Fault{"", `the line is not one JSON object such as {"player":"user_a","mode":"daily_frame","date":"2026-11-21","score":800}`}
	}
	var row Row
	from := map[string]string{}
	for name, raw := range values {
		field, known := layout.ownColumn(name)
		switch {
		case !known && name == "values":
			if fault := row.readValues(raw); fault != nil {
				return Row{}, fault
			}
			continue
		case !known:
			return Row{}, &Fault{"", fmt.Sprintf("the field %.40q is unknown; use %s", name, layout.Names())}
		case field == "":
			continue
		case from[field] != "":
			return Row{}, &Fault{field, "this is there twice, also as " + max(name, from[field])}
		}
		if from[field] = name; string(raw) == "null" {
			continue
		}
		into := row.field(field)
		if isValue(field) {
			into = row.value(field)
		}
		if fault := readField(field, raw, into); fault != nil {
			return Row{}, fault
		}
	}
	return row, row.sortValues()
}

func readField(name string, raw json.RawMessage, into *string) *Fault {
	if name == "score" || isValue(name) {
		if c := raw[0]; c != '-' && (c < '0' || c > '9') {
			return &Fault{name, "this must be a number, without quotes"}
		}
		*into = string(raw)
		return nil
	}
	if name == "details" {
		*into = string(raw)
		return nil
	}
	if list := []string(nil); name == "groups" && json.Unmarshal(raw, &list) == nil {
		*into = strings.Join(list, " ")
		return nil
	}
	if json.Unmarshal(raw, into) != nil {
		return &Fault{name, "this must be a string"}
	}
	*into = strings.TrimSpace(*into)
	return nil
}
