package api

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/problem"
)

// query reads a query string strictly: every parameter at most once, none
// unknown, every fault gathered.
type query struct {
	values url.Values
	taken  []string
	faults []problem.Field
}

// newQuery opens the query string of an address. Its own faults are reported by done.
func newQuery(u *url.URL) *query {
	q := &query{}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		q.faults = append(q.faults, problem.At("?", "the query string is not well formed"))
	}
	q.values = values
	return q
}

// fault is a fault of a parameter.
func (q *query) fault(name, detail string) {
	q.faults = append(q.faults, problem.At("?"+name, detail))
}

// path is a fault of a parameter of the path.
func (q *query) path(name, detail string) {
	q.faults = append(q.faults, problem.At("{"+name+"}", detail))
}

// text is a parameter's value, "" when it is absent.
func (q *query) text(name string) string {
	q.taken = append(q.taken, name)
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

// sound reports whether no fault has been found yet.
func (q *query) sound() bool { return len(q.faults) == 0 }

// has reports whether a parameter is there, with a value or without.
func (q *query) has(name string) bool { return q.values.Has(name) }

// done reports every fault, unknown parameters too.
func (q *query) done() error {
	for _, name := range fields.Unknown(q.values, q.taken) {
		if len(q.faults) < fields.MaxFaults {
			q.fault(fields.Shorten(name), "this parameter is unknown")
		}
	}
	if len(q.faults) == 0 {
		return nil
	}
	return problem.BadRequest(q.faults[0].Pointer+": "+q.faults[0].Detail, q.faults...)
}
