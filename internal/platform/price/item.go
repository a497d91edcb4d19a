package price

// Item is something that a vendor bills.
type Item string

// The items of a month.
const (
	GatewayRequests Item = "gateway_requests"
	LambdaRequests  Item = "lambda_requests"   // invocations, scheduled ones too
	LambdaSeconds   Item = "lambda_gb_seconds" // of memory as configured, in GB of 1024 MB
	CustomMetrics   Item = "custom_metrics"    // sets of name and dimensions
	AlarmMetrics    Item = "alarm_metrics"     // an alarm counts for each metric that it watches
	Dashboards      Item = "dashboards"        // free up to 50 metrics each
	LogGB           Item = "log_gb"            // ingested, with 26 bytes for each line
	LogStoredGB     Item = "log_stored_gb"     // stored, as if uncompressed
	SQSRequests     Item = "sqs_requests"
	ScheduledRuns   Item = "scheduled_runs" // by rules of the default event bus
	EgressGB        Item = "egress_gb"      // from AWS to the Internet
	RedisCommands   Item = "redis_commands"
	RedisGB         Item = "redis_gb" // bodies of requests and answers
	RedisStoredGB   Item = "redis_stored_gb"
	PostgresHours   Item = "postgres_cu_hours"
	PostgresGB      Item = "postgres_gb" // from Postgres
	PostgresStored  Item = "postgres_stored_gb"
)

// units are the units of items, for items whose name does not say it.
var units = map[Item]string{
	GatewayRequests: "requests", LambdaRequests: "requests", LambdaSeconds: "GB-seconds", CustomMetrics: "metrics",
	AlarmMetrics: "metrics", Dashboards: "dashboards", LogGB: "GB", LogStoredGB: "GB", SQSRequests: "requests",
	ScheduledRuns: "runs", EgressGB: "GB", RedisCommands: "commands", RedisGB: "GB", RedisStoredGB: "GB",
	PostgresHours: "CU-hours", PostgresGB: "GB", PostgresStored: "GB",
}

// Unit is the unit in which the item is counted.
func (i Item) Unit() string { return units[i] }

// Quantities are how much of each item a month uses.
type Quantities map[Item]float64
