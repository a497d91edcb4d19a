package doctor

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// busyDay is a day's commands from which on a run of a schedule must show among
// what is counted; what spends next to nothing is not written down.
const busyDay = 1000

// schedule is a function and how many days its last run may be ago, today counted.
type schedule struct {
	name string
	days int
	when string
}

var schedulesRun = []schedule{
	{"cron-daily", 2, "each day"}, {"cron-weekly", 9, "each Monday"}, {"cron-save", 2, "every four hours"},
}

// day is one of GET /v1/ops/usage, oldest first.
type day struct {
	Date       string
	Commands   int64
	ByFunction map[string]struct{ Calls, Failed int64 } `json:"by_function"`
}

// schedules looks for the runs among what each day cost.
func (e *examination) schedules(ctx context.Context) {
	if e.OpsToken == "" {
		return // said where the stores are asked
	}
	a, err := e.ask(ctx, http.MethodGet, "/v1/ops/usage?days=9", "", bearer(e.OpsToken))
	var told struct{ Days []day }
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &told) != nil || len(told.Days) == 0 {
		if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden {
			return // said already
		}
		e.add("schedules", Wrong, "usage is not told: %s", a.found())
		return
	}
	for _, s := range schedulesRun {
		e.schedule(s, told.Days)
	}
}

func (e *examination) schedule(s schedule, days []day) {
	const fix = "On AWS look at the rule of the function in EventBridge, on Cloud Run at the job in Cloud Scheduler and its token"
	since := time.Duration(s.days-1) * 24 * time.Hour
	var last *day
	busy := false
	for i := range days {
		if of := days[i].ByFunction[s.name]; of.Calls > 0 {
			last = &days[i]
		}
		// Today's own runs may be to come.
		busy = busy || i < len(days)-s.days+1 && days[i].Commands >= busyDay
	}
	switch {
	case last != nil && last.ByFunction[s.name].Failed > 0:
		e.add("schedules", Wrong, "%s: %d of %d runs of %s failed. Its log says why; the next run goes on", s.name, last.ByFunction[s.name].Failed, last.ByFunction[s.name].Calls, last.Date)
	case last != nil && !olderThan(last.Date, e.Now(), since):
		e.add("schedules", Good, "%s ran on %s", s.name, last.Date)
	case last == nil && !busy:
		e.add("schedules", Note, "%s has not been counted yet. It runs %s; a run that had nothing to do is not counted", s.name, s.when)
	case last == nil:
		e.add("schedules", Wrong, "%s has not run in these %d days. %s", s.name, len(days), fix)
	default:
		e.add("schedules", Wrong, "%s ran last on %s, and should %s. %s", s.name, last.Date, s.when, fix)
	}
}

func olderThan(date string, now time.Time, age time.Duration) bool {
	at, err := time.Parse(time.DateOnly, date)
	return err != nil || now.UTC().Truncate(24*time.Hour).Sub(at) > age
}
