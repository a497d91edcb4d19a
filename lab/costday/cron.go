package costday

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// The scheduled functions.
const (
	cronDaily  = "cron-daily"
	cronWeekly = "cron-weekly"
	cronSave   = "cron-save"
	cronUsage  = "cron-usage"
)

// statement replaces the account at Upstash in the function that compares Upstash's daily
// figures with the product's own count. It has figures for the last days.
type statement struct{ clock *stage.Clock }

// Days answers that nothing was spent. Comparing that costs as much as comparing the true
// figures.
func (s statement) Days(context.Context) (map[game.Date]int64, error) {
	today := game.DateOf(s.clock.Now())
	return map[game.Date]int64{today.AddDays(-3): 0, today.AddDays(-2): 0, today.AddDays(-1): 0, today: 0}, nil
}

// cron is one schedule of one function.
type cron struct {
	function string
	schedule template.Expression
}

// due is one firing of a schedule.
type due struct {
	at       time.Time
	function string
}

func cronsOf(t *template.Template) ([]cron, error) {
	var crons []cron
	for _, f := range t.Functions {
		if f.Condition != "" { // not in the deployment of Framedle
			continue
		}
		for _, declared := range f.Schedules {
			if !slices.Contains([]string{cronDaily, cronWeekly, cronSave, cronUsage}, f.Name) {
				return nil, fmt.Errorf("template.yaml has a schedule for %s, which a day does not know", f.Name)
			}
			s, err := template.ParseExpression(declared.Expression)
			if err != nil {
				return nil, fmt.Errorf("template.yaml, function %s: %w", f.Name, err)
			}
			crons = append(crons, cron{f.Name, s})
		}
	}
	return crons, nil
}

// dues lists the firings of all schedules after one time and up to another.
func (s *run) dues(after, until time.Time) []due {
	var all []due
	for _, c := range s.crons {
		for at := c.schedule.Next(after); !at.IsZero() && !at.After(until); at = c.schedule.Next(at) {
			all = append(all, due{at, c.function})
		}
	}
	slices.SortStableFunc(all, func(a, b due) int { return a.at.Compare(b.at) })
	return all
}

// fire runs a scheduled function in an environment that has just started: hosts end
// environments that have been idle for hours.
func (s *run) fire(ctx context.Context, d due, to counts) error {
	s.clock.Forward(d.at)
	e, err := s.newEnvironment(jobs.Around{}, d.function)
	if err != nil {
		return err
	}
	job, watch := jobs.New(e.app, s.Archive).Schedules(statement{s.clock})[d.function], e.watches[d.function]
	err = to.metered(ctx, d.function, func(ctx context.Context, inner *upstash.Meter) error {
		_, err := watch.Scheduled(func(ctx context.Context, at time.Time) (any, error) {
			return job(upstash.WithMeter(ctx, inner), at)
		})(ctx, d.at)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s, due %s: %w", d.function, d.at.Format(time.RFC3339), err)
	}
	return s.end(ctx, e, to)
}
