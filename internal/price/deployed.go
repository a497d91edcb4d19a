package price

// Deployed is what template.yaml declares by default, of which CloudWatch bills more
// than what calls write. A test of package template holds it against the template.
var Deployed = struct{ Metrics, AlarmMetrics, QueueAlarmMetrics, Dashboards int }{
	Metrics: 4, AlarmMetrics: 7, QueueAlarmMetrics: 2, Dashboards: 1,
}
