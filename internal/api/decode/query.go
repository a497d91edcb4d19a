package decode

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/framedle/leaderboards/internal/api/problem"
)

// Query reads a query string strictly: unknown and repeated parameters are faults. It
// collects every fault.
type Query struct {
	values url.Values
	taken  []string
	faults []problem.Field
}

// OpenQuery opens the query string of an address. Done reports its faults.
func OpenQuery(u *url.URL) *Query {
	q := &Query{}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		q.faults = append(q.faults, problem.At("?", "the query string is not well formed"))
	}
	q.values = values
	return q
}

// Fault adds a fault of a parameter.
func (q *Query) Fault(name, detail string) {
	q.faults = append(q.faults, problem.At("?"+name, detail))
}

// PathFault adds a fault of a parameter of the path.
func (q *Query) PathFault(name, detail string) {
	q.faults = append(q.faults, problem.At("{"+name+"}", detail))
}

// Text is the value of a parameter, "" if it is absent.
func (q *Query) Text(name string) string {
	q.taken = append(q.taken, name)
	all := q.values[name]
	if len(all) > 1 {
		q.Fault(name, "duplicate parameter")
	}
	if len(all) == 0 {
		return ""
	}
	if all[0] == "" {
		q.Fault(name, "this parameter has no value")
	}
	return all[0]
}

// Number is a parameter's integer value from least to most, or absent if there is no value.
func (q *Query) Number(name string, absent, least, most int64) int64 {
	text := q.Text(name)
	if text == "" {
		return absent
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		q.Fault(name, fmt.Sprintf("this must be a whole number from %d to %d", least, most))
		return absent
	}
	return n
}

// Sound reports whether no fault has been found yet.
func (q *Query) Sound() bool { return len(q.faults) == 0 }

// Has reports whether a parameter was sent, with a value or without.
func (q *Query) Has(name string) bool { return q.values.Has(name) }

// Done reports all faults, unknown parameters included.
func (q *Query) Done() error {
	for _, name := range unknown(q.values, q.taken) {
		if len(q.faults) < maxFaults {
			q.Fault(shorten(name), "unknown parameter; "+allowed(q.taken))
		}
	}
	if len(q.faults) == 0 {
		return nil
	}
	return problem.BadRequest(q.faults[0].Pointer+": "+q.faults[0].Detail, q.faults...)
}
