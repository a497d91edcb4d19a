package usage

import (
	"slices"
	"strconv"
	"time"
)

// Namespace is where CloudWatch shows the metrics of a product that names no other.
const Namespace = "Framedle/Leaderboards"

// by tells of what a metric is a sum.
type by int

const (
	byProduct by = 1 << iota
	byFunction
	byRoute
)

// dimensions are those of each directive of a line.
var dimensions = [...]struct {
	by   by
	text string
}{{byFunction, `["Function"]`}, {byRoute, `["Function","Route"]`}, {byProduct, `[]`}}

// metric is one value of a line.
type metric struct {
	name, unit string
	by         by
	value      float64
	usual      bool // told even when it is 0
}

// metricsOf are a call's metrics. Those that are rare and 0 are left out, since
// CloudWatch bills each hour in which a metric is seen.
func metricsOf(c Call) []metric {
	all := []metric{
		{"Commands", "Count", byProduct | byFunction | byRoute, float64(c.Commands), true},
		{"Duration", "Milliseconds", byFunction | byRoute, float64(c.Duration.Microseconds()) / 1000, true},
		{"RoundTrips", "Count", byFunction, float64(c.RoundTrips), true},
		{"BytesSent", "Bytes", byFunction, float64(c.Sent), true},
		{"BytesReceived", "Bytes", byFunction, float64(c.Received), true},
		{"ColdStarts", "Count", byFunction, float64(one(c.Cold)), false},
		{"Errors", "Count", byFunction, float64(one(c.failed())), false},
		{"Throttles", "Count", byFunction | byProduct, float64(one(c.throttled())), false},
		{"Replays", "Count", byFunction, float64(one(c.Replayed)), false},
		{"Queries", "Count", byFunction, float64(c.Queries), false},
		{"Rows", "Count", byFunction, float64(c.Rows), false},
		{"Accepted", "Count", byProduct, float64(c.Accepted), false},
		{"Problems", "Count", byProduct, float64(c.Problems), false},
		{"BudgetLevel", "None", byProduct, float64(c.Level), false},
	}
	if c.Drift != nil {
		all = append(all, metric{"Drift", "Percent", byProduct, *c.Drift, true})
	}
	return slices.DeleteFunc(all, func(m metric) bool { return !m.usual && m.value == 0 })
}

// appendEMF appends a call as one line of CloudWatch's embedded metric format.
// Names must be printable ASCII.
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
func appendEMF(b []byte, namespace, function string, at time.Time, c Call) []byte {
	all := metricsOf(c)
	b = append(b, `{"_aws":{"Timestamp":`...)
	b = strconv.AppendInt(b, at.UnixMilli(), 10)
	b = append(b, `,"CloudWatchMetrics":[`...)
	for i, d := range dimensions {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"Namespace":`...)
		b = strconv.AppendQuoteToASCII(b, namespace)
		b = append(append(append(b, `,"Dimensions":[`...), d.text...), `],"Metrics":[`...)
		first := true
		for _, m := range all {
			if m.by&d.by != 0 {
				b = m.declare(b, first)
				first = false
			}
		}
		b = append(b, `]}`...)
	}
	b = append(b, `]},"Function":`...)
	b = strconv.AppendQuoteToASCII(b, function)
	b = append(b, `,"Route":`...)
	b = strconv.AppendQuoteToASCII(b, c.Route)
	b = append(b, `,"Status":`...)
	b = strconv.AppendInt(b, int64(c.Status), 10)
	for _, m := range all {
		b = append(append(append(b, ',', '"'), m.name...), '"', ':')
		b = strconv.AppendFloat(b, m.value, 'f', -1, 64)
	}
	return append(b, '}', '\n')
}

func (m metric) declare(b []byte, first bool) []byte {
	if !first {
		b = append(b, ',')
	}
	return append(append(append(append(append(b, `{"Name":"`...), m.name...), `","Unit":"`...), m.unit...), `"}`...)
}
