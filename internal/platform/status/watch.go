package status

import (
	"context"
	"time"
)

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
		past[running] = Past{Last: now, LastGood: now}
		r.schedules(&s, past, since)
	}
	r.database(ctx, &s)
	r.astray(ctx, &s)
	return s.Problems
}

// firstGood is the due time of the oldest among the functions' last good runs.
func firstGood(past map[string]Past) (first time.Time) {
	for _, p := range past {
		if due := p.LastGood.Due; !due.IsZero() && (first.IsZero() || due.Before(first)) {
			first = due
		}
	}
	return first
}
