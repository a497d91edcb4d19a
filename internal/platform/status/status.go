// Package status reports the state of the product: what the schedules have done, which days
// are not in the state in which they should be, how the archive compares with Redis, what is
// spent, and what to do about each problem.
//
// It knows what each finding means for an operator. It must not know HTTP, and it changes
// nothing.
package status

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Archive is the part of the history that a status reads. An error means that it does not
// answer.
type Archive interface {
	// Schema returns the newest migration that the archive has had, and the newest that this
	// build knows.
	Schema(ctx context.Context) (has, needs int64, err error)
	// WholeDays returns the dates, from a date on, that the archive has completely.
	WholeDays(ctx context.Context, mode string, from game.Date) ([]WholeDay, error)
	// Lasting returns those of the modes that have results of days before a date.
	Lasting(ctx context.Context, modes []string, before game.Date) ([]string, error)
}

// WholeDay is a day that the archive has completely, and how many players it has.
type WholeDay struct {
	Date    game.Date
	Players int64
}

// Usage has the cost of each day.
type Usage interface {
	Days(ctx context.Context, from, to game.Date) ([]usage.Day, error)
}

// Reporter makes a Status.
type Reporter struct {
	Game         *game.Game
	Notices      *control.Notices
	Calendar     *derive.Calendar
	Redis        *upstash.Client
	Runs         Log
	Plan         Plan
	Archive      Archive // nil: none
	Usage        Usage
	Alone        Usage // the same from Redis only, for when the archive does not answer
	Dead         DeadLetters
	Astray       func(context.Context) (rows, most int64, err error) // rows of the record of submissions that are not in their month's table; nil: there is no record
	Webhooks     func(context.Context) ([]Webhook, error)            // the state of webhooks that the game sends; nil: it sends none
	Degraded     func() []string                                     // the degradation measures in force in this process; nil: none
	PlanCommands int64                                               // commands a month in Upstash's plan; 0: the free plan's; [usage.NoPlan]: none
	Version      string                                              // of this build
	Now          func() time.Time
}

// Status is the state of the product.
type Status struct {
	Now       time.Time  `json:"now"`
	Game      string     `json:"game"`
	Version   string     `json:"version"`
	Good      bool       `json:"good"` // there are no problems
	Problems  []Problem  `json:"problems"`
	Redis     Redis      `json:"redis"`
	Writes    Writes     `json:"writes"`
	Database  Database   `json:"database"`
	Schedules []Schedule `json:"schedules"`
	Dead      Dead       `json:"dead_letters"`
	Days      Days       `json:"days"`
	Spent     Spent      `json:"spent"`
	// Repaired is the newest repair of boards that Redis had lost; nil: there was none since
	// this Redis exists.
	Repaired *Run      `json:"repaired,omitempty"`
	Webhooks []Webhook `json:"webhooks,omitempty"` // in games that send webhooks
}

// Problem is something that is wrong, and what to do about it.
type Problem struct {
	What string `json:"what"`
	Do   string `json:"do"`
}

// Database is the state of the history.
type Database struct {
	State  string `json:"state"`  // none, ok, behind, empty, failing or unreachable
	Schema int64  `json:"schema"` // newest migration that the database has had
	Needs  int64  `json:"needs"`  // newest migration that this build knows
}

// Schedule is the state of a scheduled function.
type Schedule struct {
	Function string    `json:"function"`
	Last     *Run      `json:"last"` // null: it has never run
	LastGood *Run      `json:"last_good"`
	Next     time.Time `json:"next"`
	Late     bool      `json:"late"`
	By       time.Time `json:"-"` // from then on it is late, unless it runs well; zero: it has nothing to do
}

// Days lists the days that are not in the state in which they should be, each as mode and
// date.
type Days struct {
	Open       []string `json:"open"`       // dates that take scores now
	Unclosed   []string `json:"unclosed"`   // over, and not taken in
	Unarchived []string `json:"unarchived"` // taken in and still in Redis, and not in the archive
	Missing    []string `json:"missing"`    // in the archive and not in Redis, which should still have them
	Lost       []string `json:"lost"`       // expired before they were rolled up
	Archived   string   `json:"archived"`   // newest date that the archive has completely; empty: none
}

// Spent is the pace of billed commands.
type Spent struct {
	Today     int64   `json:"today"`
	Projected int64   `json:"projected_month"`
	Plan      int64   `json:"plan"`  // 0: there is none
	Share     float64 `json:"share"` // of the plan, 1 for all of it
	// Drift is by how much the product's count of the newest compared day differs from
	// Upstash's, as a share; null: not compared.
	Drift *float64 `json:"drift"`
	// Degraded are the degradation measures in force in this process.
	Degraded []string `json:"degraded"`
}

// Report makes a Status.
//
// Cost: 5 billed commands, 1 for each mode and each mode with groups, and those of
// usage.Ledger.Days; 1 query for each mode, 2 besides, 2 for usage, 1 if the game sends
// webhooks. Errors: those of Redis. A database that does not answer is a finding, and
// so is an open circuit to Redis: then Report asks Redis nothing, and leaves out what Redis
// knows.
func (r *Reporter) Report(ctx context.Context) (Status, error) {
	s := Status{
		Now: r.Now().UTC(), Game: r.Game.Name, Version: r.Version, Problems: []Problem{}, Schedules: []Schedule{},
		Days: Days{Open: []string{}, Unclosed: []string{}, Unarchived: []string{}, Missing: []string{}, Lost: []string{}},
	}
	for _, d := range r.Game.OpenDates(s.Now) {
		s.Days.Open = append(s.Days.Open, d.String())
	}
	s.Writes.Refused, s.Spent = []string{}, Spent{Plan: usage.Included(r.PlanCommands), Degraded: []string{}}
	if r.Degraded != nil {
		s.Spent.Degraded = r.Degraded()
	}
	r.dead(ctx, &s)
	if !r.circuit(ctx, &s) {
		r.database(ctx, &s)
		return s, nil
	}
	if err := r.writes(ctx, &s); err != nil {
		return s, err
	}
	past, err := r.Runs.Read(ctx)
	if err != nil {
		return s, err
	}
	view, err := r.Calendar.Survey(ctx)
	if err != nil {
		return s, err
	}
	days := r.Calendar.DayStates(view)
	r.schedules(&s, past, r.firstDue(days))
	r.repaired(&s, past[Repair].Last)
	usable := r.database(ctx, &s)
	if err := r.days(ctx, &s, days, usable); err != nil {
		return s, err
	}
	r.astray(ctx, &s)
	r.webhooks(ctx, &s)
	if err := r.spent(ctx, &s); err != nil {
		return s, err
	}
	s.Good = len(s.Problems) == 0
	return s, nil
}

// repaired adds a problem if a repair did not end well.
func (r *Reporter) repaired(s *Status, last Run) {
	if last.Ended.IsZero() {
		return
	}
	s.Repaired = &last
	if !last.Good() {
		s.problem("the next cron-save continues; if it fails again: docs/operate/runbook.md, Loss of Redis", "rebuild of lost boards is incomplete: %s", last.Error)
	}
}

func (s *Status) problem(do, what string, args ...any) {
	s.Problems = append(s.Problems, Problem{What: fmt.Sprintf(what, args...), Do: do})
}

// by is what to do about a scheduled function that is late.
var by = map[string]string{
	"cron-daily":  "check its log, then run it: docs/operate/runbook.md, Missed schedule",
	"cron-weekly": "check its log, then run it: docs/operate/runbook.md, Missed schedule",
	"cron-save":   "check its log, then run it: docs/operate/runbook.md, Missed schedule; until it runs, newer data is in Redis only",
}

// firstDue is when a schedule first had something to do.
func (r *Reporter) firstDue(days []derive.DayState) (since time.Time) {
	for _, d := range days {
		if over := r.Game.Ends(game.Day.Of(d.Date)); since.IsZero() || over.Before(since) {
			since = over
		}
	}
	return since
}

// schedules checks each function's runs. A function that has never run is late if it was due
// after since.
func (r *Reporter) schedules(s *Status, past map[string]Past, since time.Time) {
	for _, e := range Expected {
		p := past[e.Function]
		if e.Function == "cron-save" && r.Archive == nil {
			continue // the function has nothing to do
		}
		one := Schedule{Function: e.Function, Next: r.Plan.Next(e.Function, s.Now), Late: r.Plan.Late(e.Function, p, since, s.Now), By: r.Plan.by(e.Function, p, since)}
		if !p.Last.Ended.IsZero() {
			one.Last = &p.Last
		}
		if !p.LastGood.Ended.IsZero() {
			one.LastGood = &p.LastGood
		}
		s.Schedules = append(s.Schedules, one)
		do := by[e.Function] + "; then check that its schedule is enabled"
		if s.Writes.Maintenance != nil {
			do = "nothing: it is paused during maintenance and catches up with its next run"
		}
		switch {
		case one.Last != nil && !one.Last.Good():
			s.problem(by[e.Function], "the last run of %s failed: %s", e.Function, one.Last.Error)
		case one.Late && one.LastGood == nil:
			s.problem(do, "%s has never run", e.Function)
		case one.Late:
			s.problem(do, "%s is late; last success: %s", e.Function, one.LastGood.Due.Format(time.RFC3339))
		}
	}
}

// onTime reports whether a scheduled function has run well when it was due last.
func (s *Status) onTime(function string) bool {
	i := slices.IndexFunc(s.Schedules, func(one Schedule) bool { return one.Function == function })
	return i >= 0 && s.Schedules[i].LastGood != nil && !s.Schedules[i].Late
}

// database reports whether the archive can be asked for days.
func (r *Reporter) database(ctx context.Context, s *Status) (usable bool) {
	s.Database.State = "none"
	if r.Archive == nil {
		return false
	}
	has, needs, err := r.Archive.Schema(ctx)
	s.Database.Schema, s.Database.Needs = has, needs
	switch {
	case err != nil:
		s.unreachable()
	case has == 0:
		s.Database.State = "empty"
		s.problem("lbctl migrate; if it had tables before, see docs/operate/postgres-lost.md", "the database has no tables; migrations 1 to %d are pending", needs)
	case has < needs:
		s.Database.State = "behind"
		s.problem("lbctl migrate", "the database has schema %d and this build requires %d: migrations from %d on are pending", has, needs, has+1)
	default:
		s.Database.State = "ok"
	}
	return s.Database.State == "ok"
}

// astray adds a problem if the record of submissions has rows without a table for their
// month. Such rows are not lost: they are in the default table.
func (r *Reporter) astray(ctx context.Context, s *Status) {
	if r.Astray == nil || s.Database.State != "ok" {
		return
	}
	rows, most, err := r.Astray(ctx)
	if err != nil {
		s.failed(err)
		return
	}
	if rows == 0 {
		return
	}
	orMore := ""
	if rows == most {
		orMore = " or more"
	}
	s.problem("check that cron-daily runs: it creates the tables and moves the rows; docs/operate/audit.md, Months", "%d%s rows of score_audit are in its default partition, since their month has none", rows, orMore)
}

func (s *Status) unreachable() {
	s.Database.State = "unreachable"
	s.problem("check the database and DATABASE_URL; the game continues, and the schedules archive later", "the database is not responding")
}

// failed is for a database that has returned its version, and then failed.
func (s *Status) failed(err error) {
	if s.Database.State == "failing" {
		return
	}
	s.Database.State = "failing"
	s.problem("see docs/operate/postgres-lost.md if tables are missing; otherwise try again, the game continues", "the database failed: %v", err)
}

// counted reads what days cost, from Redis only if the archive does not answer.
func (r *Reporter) counted(ctx context.Context, s *Status, from, to game.Date) ([]usage.Day, error) {
	var failed error
	if s.Database.State == "ok" || s.Database.State == "none" {
		days, err := r.Usage.Days(ctx, from, to)
		if err == nil {
			return days, nil
		}
		failed = err
	}
	days, err := r.Alone.Days(ctx, from, to)
	if err == nil && failed != nil {
		s.failed(failed) // Redis has answered, so the archive has failed
	}
	return days, err
}

func (r *Reporter) spent(ctx context.Context, s *Status) error {
	today := r.Game.Today(s.Now)
	days, err := r.counted(ctx, s, today.AddDays(1-usage.ProjectionDays), today)
	if err != nil {
		return err
	}
	plan := s.Spent.Plan
	s.Spent.Today, s.Spent.Projected = days[len(days)-1].Total().Commands, usage.ProjectMonth(days)
	s.Spent.Share = usage.Share(s.Spent.Projected, plan)
	if plan > 0 && s.Spent.Projected > plan {
		s.problem("see docs/operate/bill.md", "projected %d commands this month; the plan includes %d", s.Spent.Projected, plan)
	}
	for _, d := range slices.Backward(days) {
		if d.Check == nil {
			continue
		}
		if part, compared := d.Check.Drift(); compared {
			s.Spent.Drift = &part
			if d.Check.Drifts() {
				s.problem("see docs/operate/usage.md, Drift from Upstash", "%s: we counted %d commands, Upstash %d", d.Date, d.Check.Counted, d.Check.Upstash)
			}
		}
		break
	}
	return nil
}
