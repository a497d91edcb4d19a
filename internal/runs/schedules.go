package runs

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/template/schedule"
)

// The environment variables that say when the functions run.
const (
	envDaily  = "DAILY_SCHEDULE"
	envWeekly = "WEEKLY_SCHEDULE"
	envSave   = "SAVE_SCHEDULE"
)

// Repair is what runs are noted by that make boards again which Redis has lost: those of
// cron-save and cron-daily do it where it is needed.
const Repair = "repair"

// Expected are the scheduled functions and when they run where nobody says
// otherwise, as template.yaml has it.
var Expected = []Expectation{
	{"cron-daily", envDaily, "cron(20 0 * * ? *)"},
	{"cron-weekly", envWeekly, "cron(30 0 ? * MON *)"},
	{"cron-save", envSave, "rate(4 hours)"},
}

// Expectation is when a function is to run.
type Expectation struct {
	Function   string
	Variable   string // of the environment, that holds another expression
	Expression string // EventBridge's form, in UTC
}

// Plan is when each function is to run.
type Plan map[string]schedule.Schedule

// NewPlan reads the environment for schedules that differ from the expected ones.
func NewPlan(getenv func(string) string) (Plan, error) {
	plan := Plan{}
	for _, e := range Expected {
		expression := getenv(e.Variable)
		if expression == "" {
			expression = e.Expression
		}
		s, err := schedule.Parse(expression)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Variable, err)
		}
		plan[e.Function] = s
	}
	return plan, nil
}

// patience is how long after its due time a run may still be under way, or be
// tried again.
const patience = time.Hour

// Next is when a function runs next.
func (p Plan) Next(function string, now time.Time) time.Time { return p[function].Next(now) }

// Late reports whether a run that was due more than an hour ago has not ended
// well. A run does what is due when it runs, whatever time it is for, so one that
// was fired by hand counts from its end. since is when there was first something
// to do, for a function that has never run; zero: nothing yet.
func (p Plan) Late(function string, past Past, since, now time.Time) bool {
	from := since
	if !past.LastGood.Ended.IsZero() {
		from = past.LastGood.Due
		if past.LastGood.Ended.After(from) {
			from = past.LastGood.Ended
		}
	}
	return !from.IsZero() && !p[function].Next(from).After(now.Add(-patience))
}
