package usage

import (
	"strconv"
	"time"
)

// Namespace is where CloudWatch shows the metrics.
const Namespace = "Framedle/Leaderboards"

// metric is one value of a line.
type metric struct {
	name, unit string
	value      int64
}

// appendEMF appends a call as one line of CloudWatch's embedded metric format:
// every metric by Function; Commands and Duration by Function and Route as well.
// Metrics that are rare and 0 are left out, since CloudWatch bills each hour in
// which a metric is seen. Names must be printable ASCII.
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
func appendEMF(b []byte, function string, at time.Time, c Call) []byte {
	usual := [...]metric{
		{"Commands", "Count", c.Commands},
		{"Duration", "Milliseconds", c.Duration.Microseconds()}, // in thousandths, see below
		{"RoundTrips", "Count", c.RoundTrips},
		{"BytesSent", "Bytes", c.Sent},
		{"BytesReceived", "Bytes", c.Received},
	}
	rare := [...]metric{
		{"ColdStarts", "Count", one(c.Cold)},
		{"Errors", "Count", one(c.failed())},
		{"Throttles", "Count", one(c.throttled())},
		{"Replays", "Count", one(c.Replayed)},
	}
	b = append(b, `{"_aws":{"Timestamp":`...)
	b = strconv.AppendInt(b, at.UnixMilli(), 10)
	b = append(b, `,"CloudWatchMetrics":[{"Namespace":"`+Namespace+`","Dimensions":[["Function"]],"Metrics":[`...)
	for i, m := range usual {
		b = m.declare(b, i == 0)
	}
	for _, m := range rare {
		if m.value != 0 {
			b = m.declare(b, false)
		}
	}
	b = append(b, `]},{"Namespace":"`+Namespace+`","Dimensions":[["Function","Route"]],"Metrics":[`...)
	b = usual[0].declare(b, true)
	b = usual[1].declare(b, false)
	b = append(b, `]}]},"Function":`...)
	b = strconv.AppendQuoteToASCII(b, function)
	b = append(b, `,"Route":`...)
	b = strconv.AppendQuoteToASCII(b, c.Route)
	b = append(b, `,"Status":`...)
	b = strconv.AppendInt(b, int64(c.Status), 10)
	for _, m := range usual {
		b = m.tell(b)
	}
	for _, m := range rare {
		if m.value != 0 {
			b = m.tell(b)
		}
	}
	return append(b, '}', '\n')
}

func (m metric) declare(b []byte, first bool) []byte {
	if !first {
		b = append(b, ',')
	}
	return append(append(append(append(append(b, `{"Name":"`...), m.name...), `","Unit":"`...), m.unit...), `"}`...)
}

func (m metric) tell(b []byte) []byte {
	b = append(append(append(b, ',', '"'), m.name...), '"', ':')
	if m.unit == "Milliseconds" {
		return strconv.AppendFloat(b, float64(m.value)/1000, 'f', -1, 64)
	}
	return strconv.AppendInt(b, m.value, 10)
}
