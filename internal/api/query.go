package api

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// query reads a query string strictly: every parameter at most once, none
// unknown, every fault gathered.
type query struct {
	values url.Values
	taken  map[string]bool
	faults []fieldError
}

func newQuery(r *request) *query {
	q := &query{taken: map[string]bool{}}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		q.faults = append(q.faults, fieldError{"?", "the query string is not well formed"})
	}
	q.values = values
	return q
}

func (q *query) fault(name, detail string) {
	q.faults = append(q.faults, fieldError{"?" + name, detail})
}

// path reports a fault of a path parameter.
func (q *query) path(name, detail string) {
	q.faults = append(q.faults, fieldError{"{" + name + "}", detail})
}

// text is a parameter's value, "" when it is absent.
func (q *query) text(name string) string {
	q.taken[name] = true
	all := q.values[name]
	if len(all) > 1 {
		q.fault(name, "this parameter is there more than once")
	}
	if len(all) == 0 {
		return ""
	}
	if all[0] == "" {
		q.fault(name, "this parameter has no value")
	}
	return all[0]
}

// number is a parameter's whole value within least and most.
func (q *query) number(name string, absent, least, most int64) int64 {
	text := q.text(name)
	if text == "" {
		return absent
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		q.fault(name, fmt.Sprintf("this must be a whole number from %d to %d", least, most))
		return absent
	}
	return n
}

func (q *query) done() error {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !q.taken[name] && len(q.faults) < maxFaults {
			q.fault(shorten(name), "this parameter is unknown")
		}
	}
	if len(q.faults) == 0 {
		return nil
	}
	return badRequest(q.faults[0].Pointer+": "+q.faults[0].Detail, q.faults...)
}
