package price

// Deployed is the part of template.yaml, by default, for which CloudWatch bills more than
// what calls write. A test of package template compares it with the template.
var Deployed = struct{ Metrics, AlarmMetrics, QueueAlarmMetrics, Dashboards int }{
	Metrics: 4, AlarmMetrics: 7, QueueAlarmMetrics: 2, Dashboards: 1,
}
