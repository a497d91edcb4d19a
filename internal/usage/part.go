package usage

import (
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/usage/heavy"
)

// Part is what a day has cost by one function, route and caller.
type Part struct {
	Function string
	Route    string // as [Call] has it; Unknown in counts of an earlier version
	Caller   string // a Kind, or "server " and the id of the signing key; Unknown in counts of an earlier version
}

// callersField is what a process's field of callers has after the last colon.
const callersField = "callers"

// lambdaField is the same for what AWS bills.
const lambdaField = "lambda"

// fieldOf is the field of a count in a day's hash. These are all fields:
//
//	function:process:caller:route  a Count
//	function:process:callers       a heavy.Record
//	function:process:lambda        a Lambda, of a process that runs there
//	function:process               a Count that an earlier version has written
//	drained                        there once the hash has its expiry
//
// The counts of all fields add up to what the day has cost. So the earlier version, which adds
// them up by function, gets the same sums.
func fieldOf(process string, of purpose) string { return process + ":" + of.caller + ":" + of.route }

// purpose is what a process counts calls by.
type purpose struct{ route, caller string }

// drainedField is in the hash once the hash has its expiry.
const drainedField = "drained"

// counted is a day as its hash has it.
type counted struct {
	Day
	callers []string // fields with records of callers
	drained bool     // the hash has its expiry
}

// forgotten replaces a record of callers, and is the value of drainedField. The version before
// this one reads it as a count of zeros.
var forgotten = Count{}.String()

// readDay reads a day's hash: each field is followed by its value.
func readDay(date game.Date, texts []string) (counted, error) {
	d := counted{Day: Day{Date: date, Outcomes: true, ByFunction: map[string]Count{}, Parts: map[Part]Count{}}}
	var records []heavy.Record
	for i := 0; i+1 < len(texts); i += 2 {
		field, value := texts[i], texts[i+1]
		names := strings.SplitN(field, ":", 4)
		isCallers := len(names) == 3 && names[2] == callersField
		of := Part{names[0], Unknown, Unknown}
		switch {
		case field == drainedField:
			d.drained = true
			continue
		case isCallers && value == forgotten:
			continue
		case isCallers:
			r, err := heavy.ParseRecord(value)
			if err != nil {
				return d, err
			}
			records, d.callers = append(records, r), append(d.callers, field)
			continue
		case len(names) == 3 && names[2] == lambdaField:
			l, err := parseLambda(value)
			if err != nil {
				return d, err
			}
			d.addLambda(names[0], l)
			continue
		case len(names) == 3:
			continue // a record of a later version, which ran before a rollback to this one
		case len(names) == 4:
			of.Caller, of.Route = names[2], names[3]
		}
		c, err := ParseCount(value)
		if err != nil {
			return d, err
		}
		d.count(of, c)
	}
	if len(records) > 0 {
		d.Callers = d.dearest(heavy.Merge(records))
	}
	return d, nil
}

// dearest adds the game servers, whose costs the counts have exactly, and keeps the dearest
// callers.
func (d *Day) dearest(s heavy.Summary) *heavy.Summary {
	byKey := map[string]int64{}
	for of, c := range d.Parts {
		if key, is := ServerKey(of.Caller); is {
			byKey[key] += c.Commands
		}
	}
	for key, commands := range byKey {
		if commands > 0 {
			s = s.With(string(Server)+":"+key, commands)
		}
	}
	s = s.Top(mostCallers)
	return &s
}

// addLambda adds what AWS bills for a process of a function.
func (d *Day) addLambda(function string, more Lambda) {
	if d.Lambda == nil {
		d.Lambda = map[string]Lambda{}
	}
	l := d.Lambda[function]
	l.Add(more)
	d.Lambda[function] = l
}

// mostCallers is how many of a day's dearest callers are named.
const mostCallers = 20

// count adds a part to the day.
func (d *Day) count(of Part, c Count) {
	function, part := d.ByFunction[of.Function], d.Parts[of]
	function.Add(c)
	part.Add(c)
	d.ByFunction[of.Function], d.Parts[of] = function, part
}
