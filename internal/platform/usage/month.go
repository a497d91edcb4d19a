package usage

import "github.com/framedle/leaderboards/internal/platform/price"

const (
	// The functions at both ends of the queue.
	enqueue, ingest = "enqueue", "ingest"
	// logDays is the template's default for LogRetentionDays.
	logDays = 14
	// Neon sleeps after 5 minutes without a query and is billed by its smallest
	// size, a quarter of a CU: https://neon.com/docs/introduction/plans
	awakeHours, leastCU = 5.0 / 60, 0.25
	// mostAwake is what a month takes in which Neon never sleeps, in CU-hours.
	mostAwake = 24 * price.DaysOfMonth * leastCU
)

// Month is what a whole month takes at the pace of ProjectMonth. What a call takes of Lambda is
// the mean of the last 8 days of which that is known. isKnown reports whether there are any; if
// not, Month has only what Redis is asked.
//
// Month does not know how much is stored. It assumes that Postgres wakes for each call that
// asks it, so the hours of Postgres are the most that is possible.
func Month(days []Day) (m price.Month, isKnown bool) {
	if len(days) == 0 {
		return price.Month{}, false
	}
	today := days[len(days)-1]
	over := recent(days)
	scale := toMonth(len(over), today)
	calls := map[string]float64{}
	for _, d := range over {
		for function, c := range d.ByFunction {
			calls[function] += float64(c.Calls) * scale
			m.RedisSent += float64(c.Sent) * scale
			m.RedisBytes += float64(c.Sent+c.Received) * scale
		}
	}
	m.Commands = float64(ProjectMonth(days))
	of, all := lambdaOf(days[max(0, len(days)-ProjectionDays):])
	if all.Calls == 0 {
		return m, false
	}
	m.Functions = map[string]price.Function{}
	m.Metrics, m.AlarmMetrics, m.Dashboards = float64(price.Deployed.Metrics), float64(price.Deployed.AlarmMetrics), float64(price.Deployed.Dashboards)
	m.LogDays, m.LogLineBytes = logDays, each(all.Logged, all)
	awake := 0.0
	for function, n := range calls {
		known := of[function]
		if known.Calls == 0 { // the function ran on an earlier version, or not on Lambda yet
			known = all
		}
		f := price.Function{
			Calls: n, Milliseconds: each(known.Milliseconds, known), ColdStarts: n * each(known.ColdStarts, known), InitMS: price.InitMS,
		}
		if known.Milliseconds > 0 {
			f.MemoryMB = float64(known.Memory) / float64(known.Milliseconds)
		}
		f.Gateway = known.Requests > 0
		if !f.Gateway && function != ingest {
			m.Runs += n
		}
		m.Functions[function] = f
		m.AnswerBytes += n * each(known.Answered, known)
		awake += n * each(known.Awake, known)
	}
	m.PostgresHours = min(awake*awakeHours*leastCU, mostAwake)
	if m.Queued = calls[enqueue]; m.Queued > 0 {
		m.HasQueue = true
		m.AlarmMetrics += float64(price.Deployed.QueueAlarmMetrics)
	}
	return m, true
}

// lambdaOf adds up what AWS bills for days: for each function, and for all.
func lambdaOf(days []Day) (of map[string]Lambda, all Lambda) {
	of = map[string]Lambda{}
	for _, d := range days {
		for function, l := range d.Lambda {
			sum := of[function]
			sum.Add(l)
			of[function] = sum
			all.Add(l)
		}
	}
	return of, all
}

// each is the mean of a call.
func each(sum int64, l Lambda) float64 {
	if l.Calls == 0 {
		return 0
	}
	return float64(sum) / float64(l.Calls)
}
