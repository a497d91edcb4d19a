package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
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
	held     *review.Store // nil: the game holds no plays
	kept     *archive.Archive

	mu   sync.Mutex
	last state
	at   time.Time // when last was made, or tried to be
}

// state is what a scrape shows and Redis or the database knows. The zero state is unknown.
type state struct {
	status.Status
	held int64
}

// Gauges returns the product's state as gauges. Whether this process asks Redis, and whether
// the database answered its last call, are current; all else is up to an hour old, and left out
// as long as it is not known.
func (p *Product) Gauges(plan status.Plan) func(context.Context) []usage.Gauge {
	g := &gauges{reporter: Status(p.app, p.kept, plan), kept: p.kept}
	if game.HoldsPlays(p.app.Game()) {
		g.held = p.app.HeldPlays()
	}
	return g.read
}

// shown collects gauges.
type shown []usage.Gauge

func (all *shown) add(name, help string, value float64) { all.addLabelled(name, help, "", "", value) }

func (all *shown) addLabelled(name, help, label, of string, value float64) {
	*all = append(*all, usage.Gauge{Name: name, Help: help, Label: label, Of: of, Value: value})
}

func (g *gauges) read(ctx context.Context) []usage.Gauge {
	var all shown
	all.add("redis_circuit_open", "1 while the circuit breaker of this process is open, since calls to Redis failed.", one(g.reporter.Redis.Circuit().Open))
	s := g.state(ctx)
	g.database(&all, s.Database.State)
	if s.Now.IsZero() {
		return all
	}
	all.add("status_timestamp_seconds", "Time at which the state below was read.", seconds(s.Now))
	all.add("problems", "Problems, as lbctl status shows them.", float64(len(s.Problems)))
	all.add("writes_accepted", "1 if scores are accepted.", one(s.Writes.Taken))
	all.add("maintenance", "1 during maintenance.", one(s.Writes.Maintenance != nil))
	schedules(&all, s.Schedules)
	for _, state := range []struct {
		name string
		days []string
	}{{"unclosed", s.Days.Unclosed}, {"unarchived", s.Days.Unarchived}, {"missing", s.Days.Missing}, {"lost", s.Days.Lost}} {
		all.addLabelled("days", "Days of all modes with a problem, by kind.", "state", state.name, float64(len(state.days)))
	}
	if s.Repaired != nil {
		all.add("repair_timestamp_seconds", "Time of the last rebuild of boards that Redis had lost.", seconds(s.Repaired.Ended))
		all.add("repair_failed", "1 if that rebuild failed.", one(!s.Repaired.Good()))
	}
	if g.held != nil {
		all.add("held_plays", "Plays under review.", float64(s.held))
	}
	letters(&all, s.Status)
	all.add("commands_today", "Redis commands billed today, in UTC, of all processes.", float64(s.Spent.Today))
	all.add("commands_projected_month", "Redis commands projected for this month.", float64(s.Spent.Projected))
	if s.Spent.Plan > 0 {
		all.add("plan_commands", "Redis commands a month in the plan.", float64(s.Spent.Plan))
	}
	if s.Spent.Drift != nil {
		all.add("drift_ratio", "Difference of our count of a day's commands and Upstash's, as a share of the larger one.", *s.Spent.Drift)
	}
	return all
}

// database shows whether the database answers: what the last call of this process says, and
// whether its tables are those of this build, as the state says.
func (g *gauges) database(all *shown, stated string) {
	if g.kept == nil {
		return
	}
	answers, asked := g.kept.Answers()
	if !asked {
		return
	}
	tables := stated == "" || stated == "ok" || stated == "unreachable" // unknown: not to blame
	all.add("database_ok", "1 if the history's database answered the last call, and has its tables.", one(answers && tables))
}

func schedules(all *shown, of []status.Schedule) {
	for _, schedule := range of {
		good := 0.0 // never
		if schedule.LastGood != nil {
			good = seconds(schedule.LastGood.Ended)
		}
		all.addLabelled("schedule_last_success_timestamp_seconds", "Time of a schedule's last success; 0: never.", "schedule", schedule.Function, good)
		all.addLabelled("schedule_failed", "1 if the last run of a schedule failed.", "schedule", schedule.Function, one(schedule.Last != nil && !schedule.Last.Good()))
		if !schedule.By.IsZero() {
			all.addLabelled("schedule_late_timestamp_seconds", "Time from which a schedule is late, unless it succeeds.", "schedule", schedule.Function, seconds(schedule.By))
		}
	}
}

// letters shows the dead letters that this process can count.
func letters(all *shown, s status.Status) {
	const name, help, kind = "dead_letters", "Messages in the dead-letter queue.", "kind"
	if s.Dead.Runs != nil {
		all.addLabelled(name, help, kind, "failed_runs", float64(*s.Dead.Runs))
	}
	if s.Dead.Scores != nil {
		all.addLabelled(name, help, kind, "queued_scores", float64(*s.Dead.Scores))
	}
	if s.Webhooks == nil {
		return
	}
	dead, waiting := int64(0), int64(0)
	for _, lane := range s.Webhooks {
		dead += lane.Dead
		waiting += lane.Waiting
	}
	all.addLabelled(name, help, kind, "webhooks", float64(dead))
	all.add("webhooks_waiting", "Pending outgoing webhooks.", float64(waiting))
}

// state returns the state as it was within the hour. One that could not be made is tried again
// after a minute.
func (g *gauges) state(ctx context.Context) state {
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
	g.last = g.readState(ctx)
	return g.last
}

func (g *gauges) readState(ctx context.Context) (s state) {
	var err error
	if s.Status, err = g.reporter.Report(ctx); err != nil || g.reporter.Redis.Circuit().Open {
		return state{}
	}
	if g.held != nil {
		if s.held, err = g.held.Count(ctx); err != nil {
			return state{}
		}
	}
	return s
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func seconds(t time.Time) float64 { return float64(t.Unix()) }
