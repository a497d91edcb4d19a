// Package status reports the state of the product: what the schedules have done, which days
// are not in the state in which they should be, how the archive compares with Redis, what is
// spent, and what to do about each problem.
//
// It knows what each finding means for an operator. It must not know HTTP, and it changes
// nothing.
package status

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
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
	if err := r.readSpending(ctx, &s); err != nil {
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
func (r *Reporter) schedules(s *Status, past map[string]LastRuns, since time.Time) {
	for _, e := range Expected {
		p := past[e.Function]
		if e.Function == "cron-save" && r.Archive == nil {
			continue // the function has nothing to do
		}
		one := Schedule{Function: e.Function, Next: r.Plan.Next(e.Function, s.Now), Late: r.Plan.Late(e.Function, p, since, s.Now), By: r.Plan.deadline(e.Function, p, since)}
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

func (r *Reporter) readSpending(ctx context.Context, s *Status) error {
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

// Redis is the state of this process's connection to Redis, on which the rest of a status
// depends.
type Redis struct {
	Circuit  string     `json:"circuit"`    // closed, or open: calls fail at once
	Failures int        `json:"failures"`   // in a row, until now
	Since    *time.Time `json:"since"`      // when the first of them was; null: none
	Last     string     `json:"last_error"` // empty: none
}

// circuit reports whether Redis can be asked. If this process's circuit is open, a status
// cannot include what Redis knows. circuit first tries a PING, as the breaker allows, because
// this process may make no other call that would close the circuit. PING is not billed.
func (r *Reporter) circuit(ctx context.Context, s *Status) (closed bool) {
	state := r.Redis.Circuit()
	if state.Open {
		_, _ = r.Redis.Do(ctx, upstash.Cmd("PING")) // the circuit has the result
		state = r.Redis.Circuit()
	}
	s.Redis = Redis{Circuit: "closed", Failures: state.Failures}
	if state.Last != nil {
		since := state.Since.UTC()
		s.Redis.Since, s.Redis.Last = &since, state.Last.Error()
	}
	if !state.Open {
		return true
	}
	s.Redis.Circuit = "open"
	s.problem("docs/operate/runbook.md, Slow or unreachable Redis, or Exhausted quota; the circuit breaker closes by itself with the first response",
		"Redis is not responding since %s, and this process's circuit breaker is open after %d consecutive failures: %s", s.Redis.Since.Format(time.RFC3339), state.Failures, s.Redis.Last)
	return false
}

// DeadLetters count the messages that wait for an operator. A nil function means that there
// is no such queue.
type DeadLetters struct {
	Runs   func(context.Context) (int64, error) // scheduled runs that failed permanently
	Scores func(context.Context) (int64, error) // queued scores that could not be written
}

// Dead is how many dead letters there are; null if there is no such queue, or it did not
// answer.
type Dead struct {
	Runs   *int64 `json:"failed_runs"`
	Scores *int64 `json:"queued_scores"`
}

// countingTime bounds the counting of one queue: an operator waits for the status, most of
// all when something is wrong.
const countingTime = 4 * time.Second

const deadLettersPage = "docs/operate/runbook.md, Dead letters"

func (r *Reporter) dead(ctx context.Context, s *Status) {
	s.Dead.Runs = s.letters(ctx, r.Dead.Runs, "failed run")
	s.Dead.Scores = s.letters(ctx, r.Dead.Scores, "unwritten score")
}

func (s *Status) letters(ctx context.Context, count func(context.Context) (int64, error), of string) *int64 {
	if count == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, countingTime)
	defer cancel()
	n, err := count(ctx)
	if err != nil {
		s.problem("allow the function ops to read the queue's attributes, as in template.yaml: "+deadLettersPage, "the dead-letter queue of %ss could not be counted: %v", of, err)
		return nil
	}
	if n > 0 {
		s.problem("fix the cause in its log, then redrive: "+deadLettersPage, "%s in the dead-letter queue", plural(n, of))
	}
	return &n
}

// Webhook is the state of sending one kind of event to one endpoint.
type Webhook struct {
	Endpoint string `json:"endpoint"`
	Event    string `json:"event"`
	Waiting  int64  `json:"waiting"` // not sent yet
	Dead     int64  `json:"dead"`    // given up
	Failures int64  `json:"failures"`
	Error    string `json:"error"` // the last failure; empty for none
	// Oldest is since when the oldest event waits; null: none waits.
	Oldest *time.Time `json:"oldest"`
}

// slowWebhook is how long an event may wait: two runs of the rarest plan in template.yaml.
const slowWebhook = 9 * time.Hour

// webhooks checks the webhooks that the game sends, if any.
func (r *Reporter) webhooks(ctx context.Context, s *Status) {
	if r.Webhooks == nil || s.Database.State != "ok" {
		return
	}
	var err error
	if s.Webhooks, err = r.Webhooks(ctx); err != nil {
		s.failed(err)
		return
	}
	for _, w := range s.Webhooks {
		switch {
		case w.Dead > 0:
			s.problem("fix the endpoint, then run lbctl webhooks resend: docs/build/webhooks-out.md, Failed deliveries", "deliveries of %s to %s that failed permanently: %d", w.Event, w.Endpoint, w.Dead)
		case w.Failures > 0:
			s.problem("fix the endpoint; retries are automatic: docs/build/webhooks-out.md, Failed deliveries", "deliveries of %s to %s are failing, %d pending: %s", w.Event, w.Endpoint, w.Waiting, w.Error)
		case w.Oldest != nil && s.Now.Sub(*w.Oldest) > slowWebhook:
			s.problem("set WEBHOOK_SECRETS where the schedules run: docs/build/webhooks-out.md", "deliveries of %s to %s are not sent, %d pending", w.Event, w.Endpoint, w.Waiting)
		}
	}
}

// Writes says whether scores and all other changes are accepted.
type Writes struct {
	Taken       bool         `json:"taken"`
	Maintenance *Maintenance `json:"maintenance"` // null: none is on
	// Refused are the rules of this build that do not fit the stored boards.
	Refused []string `json:"refused_rules"`
}

// Maintenance is a maintenance that is on. One from the deployment's settings has neither
// beginning nor end.
type Maintenance struct {
	Since  *time.Time `json:"since"`
	Until  *time.Time `json:"until"`
	Reason string     `json:"reason"`
}

// writes checks what stops writes, in Redis and in the settings of this process.
func (r *Reporter) writes(ctx context.Context, s *Status) error {
	halt, err := control.ReadHalt(ctx, r.Redis, r.Game, s.Now)
	if err != nil {
		return err
	}
	deployed := (*control.MaintenanceError)(nil)
	switch m := halt.Maintenance; {
	case errors.As(r.Notices.Halted(), &deployed) && deployed.Until.IsZero():
		s.Writes.Maintenance = &Maintenance{Reason: deployed.Reason}
		s.problem("redeploy without MAINTENANCE to end it", "maintenance mode is on, by deployment: %s", deployed.Reason)
	case m != nil:
		s.Writes.Maintenance = &Maintenance{Since: &m.Since, Until: &m.Until, Reason: m.Reason}
		s.problem("lbctl maintenance off to end it", "maintenance mode is on until %s%s", m.Until.Format(time.RFC3339), because(m.Reason))
	}
	if halt.Rules != nil {
		if changed := (*ruleset.ChangedError)(nil); errors.As(halt.Rules, &changed) {
			for _, c := range changed.Changes {
				s.Writes.Refused = append(s.Writes.Refused, fmt.Sprintf("%s: %s -> %s", c.Path, c.Old, c.New))
			}
		}
		s.problem("redeploy the previous game file; see docs/operate/runbook.md, Wrong rules", "all writes rejected: %v", halt.Rules)
	}
	s.Writes.Taken = s.Writes.Maintenance == nil && halt.Rules == nil
	return nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// Watch checks as much of the state as a run of a schedule can afford: the other schedules,
// Redis, and the database's tables. It leaves out the running function, because its run
// proves that it runs. It reports a function that has never run only after another function
// has run.
//
// Cost: 1 billed command, 1 query, 2 if submissions are recorded. It needs only Runs, Plan,
// Archive, Astray and Now.
func (r *Reporter) Watch(ctx context.Context, running string) []Problem {
	s := Status{Now: r.Now().UTC()}
	past, err := r.Runs.Read(ctx)
	if err != nil {
		s.problem("see docs/operate/operate.md, Monitoring", "Redis is not responding: %v", err)
	} else {
		since := firstGood(past)
		now := Run{Due: s.Now, Ended: s.Now}
		past[running] = LastRuns{Last: now, LastGood: now}
		r.schedules(&s, past, since)
	}
	r.database(ctx, &s)
	r.astray(ctx, &s)
	return s.Problems
}

// firstGood is the due time of the oldest among the functions' last good runs.
func firstGood(past map[string]LastRuns) (first time.Time) {
	for _, p := range past {
		if due := p.LastGood.Due; !due.IsZero() && (first.IsZero() || due.Before(first)) {
			first = due
		}
	}
	return first
}
