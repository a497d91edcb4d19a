package price

// DaysOfMonth is the mean over four years.
const DaysOfMonth = 30.4375

const (
	gigabyte = 1e9
	// logLineOverhead is what CloudWatch adds to each line's text, in bytes.
	logLineOverhead = 26
	megabytesOfGB   = 1024 // of memory, as Lambda counts it
	// sqsEach is the number of requests for a message: it is sent, and up to ten are received
	// and deleted at once.
	sqsEach = 1.2
	// sqsIdle is the number of requests a month with which Lambda polls an empty queue: five
	// pollers, each every 20 s.
	sqsIdle = 5 * 3 * 60 * 24 * DaysOfMonth
)

// InitMS is what Lambda is assumed to bill for a start. Functions need 5 ms of it themselves,
// if they have a whole CPU.
const InitMS = 100

// Function is the use of one function in a month.
type Function struct {
	Calls        float64
	Milliseconds float64 // billed for each call
	MemoryMB     float64
	ColdStarts   float64
	InitMS       float64 // billed for each cold start
	Gateway      bool    // its calls come through the gateway
}

// Month is what was counted in a month.
type Month struct {
	Functions map[string]Function

	LogLineBytes float64 // of the line of a call
	LogDays      float64 // after so many days lines are deleted
	Metrics      float64
	AlarmMetrics float64
	Dashboards   float64
	Queued       float64 // scores that went through the queue
	HasQueue     bool
	Runs         float64 // of schedules
	AnswerBytes  float64 // of all answers, to the Internet

	Commands    float64
	RedisBytes  float64 // of bodies, both ways
	RedisSent   float64 // of those, bytes of requests
	RedisStored float64 // bytes

	PostgresHours  float64 // CU-hours
	PostgresBytes  float64 // that Postgres sends
	PostgresStored float64 // bytes
}

// Quantities are the items that the month uses.
func (m Month) Quantities() Quantities {
	q := Quantities{
		CustomMetrics: m.Metrics, AlarmMetrics: m.AlarmMetrics, Dashboards: m.Dashboards, ScheduledRuns: m.Runs,
		RedisCommands: m.Commands, RedisGB: m.RedisBytes / gigabyte, RedisStoredGB: m.RedisStored / gigabyte,
		PostgresHours: m.PostgresHours, PostgresGB: m.PostgresBytes / gigabyte, PostgresStored: m.PostgresStored / gigabyte,
		// Requests to Redis leave AWS as answers do, unless the database is in the same
		// region: this is the upper bound.
		EgressGB: (m.AnswerBytes + m.RedisSent) / gigabyte,
	}
	for _, f := range m.Functions {
		q[LambdaRequests] += f.Calls
		q[LambdaSeconds] += (f.Calls*f.Milliseconds + f.ColdStarts*f.InitMS) / 1000 * f.MemoryMB / megabytesOfGB
		if f.Gateway {
			q[GatewayRequests] += f.Calls
		}
	}
	q[LogGB] = q[LambdaRequests] * (m.LogLineBytes + logLineOverhead) / gigabyte
	q[LogStoredGB] = q[LogGB] * min(m.LogDays/DaysOfMonth, 1)
	if m.HasQueue {
		q[SQSRequests] = sqsEach*m.Queued + sqsIdle
	}
	return q
}
