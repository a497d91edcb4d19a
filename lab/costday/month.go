package costday

import (
	"strings"

	"github.com/framedle/leaderboards/internal/platform/price"
)

const (
	// gamesEach is how many results a player has on a day.
	gamesEach = 2.5
	// resultBytes is the size of a row of results with its indexes: docs/internals/archive.md.
	resultBytes = 318
	// storedEach is the most that Redis stores for a daily player, in bytes: 22.5 entries
	// on day boards; 22 on derived boards for each of four modes, if somebody has looked
	// at all of them; XP, streak, profile and country; and 20 friends. Each takes 141
	// bytes (docs/reference/redis-keys.md).
	storedEach = (22.5 + 22*4 + 5 + 20) * 141
	// logDays is the default of the template.
	logDays = 14
	// awakeMS is how long Neon stays awake after a query; leastCU is its smallest size.
	awakeMS, leastCU = 5 * 60 * 1000, 0.25
)

// Month is what a month of such days uses and is billed for, for a product whose database
// has kept results for age months.
func (d Day) Month(age float64) price.Month {
	players := float64(d.Players)
	m := price.Month{
		Functions: map[string]price.Function{}, LogLineBytes: lineBytes, LogDays: logDays,
		Metrics: float64(price.Deployed.Metrics), AlarmMetrics: float64(price.Deployed.AlarmMetrics), Dashboards: float64(price.Deployed.Dashboards),
		RedisStored: players * storedEach, PostgresStored: players * gamesEach * resultBytes * price.DaysOfMonth * age,
	}
	for route, c := range d.Routes {
		scale := price.DaysOfMonth
		if route == cronWeekly {
			c, scale = d.Weekly, scale/daysOfWeek
		}
		m.Commands += float64(c.Commands) * scale
		m.RedisSent += float64(c.Sent) * scale
		m.RedisBytes += float64(c.Sent+c.Received) * scale
		if route != routeCounters && c.Requests > 0 {
			d.add(&m, route, c, float64(c.Requests)*scale)
		}
	}
	if d.Window > 0 {
		m.HasQueue, m.AlarmMetrics = true, m.AlarmMetrics+float64(price.Deployed.QueueAlarmMetrics)
	}
	return m
}

// add adds the calls of one route.
func (d Day) add(m *price.Month, route string, c Count, calls float64) {
	roundTrips := float64(c.RoundTrips) / float64(c.Requests)
	if strings.HasPrefix(route, "cron-") {
		ms := runMS + roundTrips*roundTripMS
		if route == cronDaily {
			ms += float64(d.Players) * runMSEach
		}
		m.Runs += calls
		m.PostgresHours += calls * (awakeMS + ms) / 3_600_000 * leastCU
		m.Functions[route] = price.Function{Calls: calls, Milliseconds: ms, MemoryMB: memoryMB[route], ColdStarts: calls, InitMS: price.InitMS}
		return
	}
	of, known := invocations[route]
	if !known {
		of = otherInvocation
	}
	if route == routePage {
		of.cpu -= cachedPage * (1 - min(roundTrips, 1))
	}
	if route == routeSubmit && d.Window > 0 {
		of.function, roundTrips = "enqueue", 1 // to the queue
		m.Queued += calls
	}
	f := m.Functions[of.function]
	ms := milliseconds(of.cpu, memoryMB[of.function], roundTrips)
	f.Milliseconds = (f.Milliseconds*f.Calls + ms*calls) / (f.Calls + calls)
	f.Calls += calls
	f.MemoryMB, f.ColdStarts, f.InitMS = memoryMB[of.function], coldStarts*price.DaysOfMonth, price.InitMS
	f.Gateway = route != routeIngest
	m.Functions[of.function] = f
	m.AnswerBytes += of.answer * calls
}
