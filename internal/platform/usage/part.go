package usage

import (
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Part is what a day has cost by one function, route and caller.
type Part struct {
	Function string
	Route    string // as [Call] has it; Unknown in counts of an earlier version
	Caller   string // a Kind, or "server " and the id of the signing key; Unknown in counts of an earlier version
}

// lambdaField is what a process's field of what AWS bills has after the last colon.
const lambdaField = "lambda"

// fieldOf is the field of a count in a day's hash. These are all fields:
//
//	function:process:caller:route  a Count
//	function:process:callers       what an earlier version has written of callers; it expires with the hash
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
	drained bool // the hash has its expiry
}

// readDay reads a day's hash: each field is followed by its value.
func readDay(date game.Date, texts []string) (counted, error) {
	d := counted{Day: Day{Date: date, Outcomes: true, ByFunction: map[string]Count{}, Parts: map[Part]Count{}}}
	for i := 0; i+1 < len(texts); i += 2 {
		field, value := texts[i], texts[i+1]
		names := strings.SplitN(field, ":", 4)
		of := Part{names[0], Unknown, Unknown}
		switch {
		case field == drainedField:
			d.drained = true
			continue
		case len(names) == 3 && names[2] == lambdaField:
			l, err := parseLambda(value)
			if err != nil {
				return d, err
			}
			d.addLambda(names[0], l)
			continue
		case len(names) == 3:
			continue // a record of another version
		case len(names) == 4:
			of.Caller, of.Route = names[2], names[3]
		}
		c, err := ParseCount(value)
		if err != nil {
			return d, err
		}
		d.count(of, c)
	}
	return d, nil
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

// count adds a part to the day.
func (d *Day) count(of Part, c Count) {
	function, part := d.ByFunction[of.Function], d.Parts[of]
	function.Add(c)
	part.Add(c)
	d.ByFunction[of.Function], d.Parts[of] = function, part
}
