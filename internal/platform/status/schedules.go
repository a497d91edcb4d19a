package status

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/platform/template"
)

// The environment variables with the schedules of functions.
const (
	envDaily  = "DAILY_SCHEDULE"
	envWeekly = "WEEKLY_SCHEDULE"
	envSave   = "SAVE_SCHEDULE"
)

// Repair is the name under which repairs are recorded: cron-save and cron-daily make
// boards again that Redis has lost, where this is necessary.
const Repair = "repair"

// Expected are the scheduled functions and their default schedules, which are those of
// template.yaml.
var Expected = []Expectation{
	{"cron-daily", envDaily, "cron(20 0 * * ? *)"},
	{"cron-weekly", envWeekly, "cron(30 0 ? * MON *)"},
	{"cron-save", envSave, "rate(4 hours)"},
}

// Expectation is the schedule of a function.
type Expectation struct {
	Function   string
	Variable   string // environment variable that may set another expression
	Expression string // EventBridge's form, in UTC
}

// Plan is the schedule of each function.
type Plan map[string]template.Expression

// NewPlan makes the plan of the expected schedules, except where the environment sets
// others.
func NewPlan(getenv func(string) string) (Plan, error) {
	plan := Plan{}
	for _, e := range Expected {
		expression := getenv(e.Variable)
		if expression == "" {
			expression = e.Expression
		}
		s, err := template.ParseExpression(expression)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Variable, err)
		}
		plan[e.Function] = s
	}
	return plan, nil
}

// patience is how long after its due time a run may still be in progress or be retried.
const patience = time.Hour

// Next is when a function is due next.
func (p Plan) Next(function string, now time.Time) time.Time { return p[function].Next(now) }

// Late reports whether a run was due more than an hour ago and has not ended well.
func (p Plan) Late(function string, past LastRuns, since, now time.Time) bool {
	by := p.deadline(function, past, since)
	return !by.IsZero() && !by.After(now)
}

// deadline is when a run has to have ended well; zero where there is nothing to do. A run does
// everything that is due when it runs, whatever time it was started for; so a run that was
// started by hand counts from its end. since is when there was first something to do, for a
// function that has never run; zero where there has been nothing.
func (p Plan) deadline(function string, past LastRuns, since time.Time) time.Time {
	from := since
	if !past.LastGood.Ended.IsZero() {
		from = past.LastGood.Due
		if past.LastGood.Ended.After(from) {
			from = past.LastGood.Ended
		}
	}
	if from.IsZero() {
		return time.Time{}
	}
	return p[function].Next(from).Add(patience)
}
