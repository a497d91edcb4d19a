package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

const (
	// stateFresh is how old the state may be that a scrape shows. A state costs some 25
	// commands, and each look keeps a database awake that sleeps when nobody asks it.
	stateFresh = time.Hour
	stateTime  = 20 * time.Second // for making one
)

// gauges shows the product's state to Prometheus.
type gauges struct {
	reporter *status.Reporter

	mu   sync.Mutex
	last status.Status
	at   time.Time // when last was made, or tried to be
}

// Gauges returns the product's state as gauges. Whether this process asks Redis at the moment
// is current; all else is up to an hour old, and left out as long as it is not known.
func (p *Product) Gauges(plan status.Plan) func(context.Context) []usage.Gauge {
	return (&gauges{reporter: Status(p.app, p.kept, plan)}).read
}

func (g *gauges) read(ctx context.Context) []usage.Gauge {
	all := []usage.Gauge{{Name: "redis_circuit_open", Help: "1 while this process does not ask Redis, since calls failed.", Value: one(g.reporter.Redis.Circuit().Open)}}
	s := g.state(ctx)
	if s.Now.IsZero() {
		return all
	}
	add := func(name, help, label, of string, value float64) {
		all = append(all, usage.Gauge{Name: name, Help: help, Label: label, Of: of, Value: value})
	}
	add("status_timestamp_seconds", "When the state below was read.", "", "", seconds(s.Now))
	for _, schedule := range s.Schedules {
		good := 0.0 // never
		if schedule.LastGood != nil {
			good = seconds(schedule.LastGood.Ended)
		}
		add("schedule_last_success_timestamp_seconds", "When a schedule last ran well; 0: never.", "schedule", schedule.Function, good)
	}
	for _, state := range []struct {
		name string
		days []string
	}{{"unclosed", s.Days.Unclosed}, {"unarchived", s.Days.Unarchived}, {"missing", s.Days.Missing}, {"lost", s.Days.Lost}} {
		add("days", "Days of all modes that are not as they should be.", "state", state.name, float64(len(state.days)))
	}
	if s.Repaired != nil {
		add("repair_timestamp_seconds", "When boards that Redis had lost were last repaired.", "", "", seconds(s.Repaired.Ended))
		add("repair_failed", "1 if that repair did not end well.", "", "", one(!s.Repaired.Good()))
	}
	if s.Database.State != "none" {
		add("database_ok", "1 if the history's database answers and has its tables.", "", "", one(s.Database.State == "ok"))
	}
	add("problems", "What is wrong, as lbctl status says.", "", "", float64(len(s.Problems)))
	return all
}

// state returns the state as it was within the hour. One that could not be made is tried again
// after a minute.
func (g *gauges) state(ctx context.Context) status.Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.reporter.Now()
	wait := stateFresh
	if g.last.Now.IsZero() {
		wait = time.Minute
	}
	if !g.at.IsZero() && now.Sub(g.at) < wait {
		return g.last
	}
	g.at = now
	ctx, cancel := context.WithTimeout(ctx, stateTime)
	defer cancel()
	if s, err := g.reporter.Report(ctx); err == nil && !g.reporter.Redis.Circuit().Open {
		g.last = s
	} else {
		g.last = status.Status{}
	}
	return g.last
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func seconds(t time.Time) float64 { return float64(t.Unix()) }
