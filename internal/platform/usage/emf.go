package usage

import (
	"slices"
	"strconv"
	"time"
)

// Namespace is the namespace of CloudWatch for metrics, unless the options name another.
const Namespace = "Framedle/Leaderboards"

// value is one number of a call.
type value struct {
	name, unit string
	number     float64
	detail     bool // only in detailed lines: in others the status says the same, or the counters do
	routes     bool // detailed lines also make a metric of each route
	product    bool // a metric of the whole product only: the template makes it, not the line
}

// usualValues is how many values every line has, even those that are 0.
const usualValues = 3

// valuesOf are a call's values, the most important first. After the usual ones it has only
// values that are not 0. A line leaves out those that do not fit.
func valuesOf(c Call) []value {
	all := append(make([]value, 0, 16),
		value{name: "Commands", unit: "Count", number: float64(c.Commands), routes: true},
		value{name: "Duration", unit: "Milliseconds", number: float64(c.Duration.Microseconds()) / 1000, routes: true},
		value{name: "RoundTrips", unit: "Count", number: float64(c.RoundTrips)})
	if c.Drift != nil {
		all = append(all, value{name: "Drift", unit: "Percent", number: *c.Drift, product: true})
	}
	for _, v := range [...]value{
		{name: "Accepted", unit: "Count", number: float64(c.Accepted), product: true},
		{name: "Problems", unit: "Count", number: float64(c.Problems), product: true},
		{name: "Queries", unit: "Count", number: float64(c.Queries)},
		{name: "Rows", unit: "Count", number: float64(c.Rows)},
		{name: "ColdStarts", unit: "Count", number: float64(one(c.Cold))},
		{name: "Replays", unit: "Count", number: float64(one(c.Replayed))},
		{name: "BudgetLevel", unit: "None", number: float64(c.Level)},
		{name: "Errors", unit: "Count", number: float64(one(c.failed())), detail: true},
		{name: "Throttles", unit: "Count", number: float64(one(c.throttled())), detail: true},
		{name: "BytesSent", unit: "Bytes", number: float64(c.Sent), detail: true},
		{name: "BytesReceived", unit: "Bytes", number: float64(c.Received), detail: true},
	} {
		if v.number != 0 {
			all = append(all, v)
		}
	}
	return all
}

func (v value) append(b []byte) []byte {
	b = append(append(append(b, ',', '"'), v.name...), '"', ':')
	return strconv.AppendFloat(b, v.number, 'f', -1, 64)
}

// appendEMF appends a call as one line of CloudWatch's embedded metric format, with metrics by
// function and by route. CloudWatch bills each metric for each hour in which it gets a value.
// Names must be printable ASCII.
//
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
func appendEMF(b []byte, namespace, function string, at time.Time, c Call) []byte {
	all := valuesOf(c)
	b = append(b, `{"_aws":{"Timestamp":`...)
	b = strconv.AppendInt(b, at.UnixMilli(), 10)
	b = append(b, `,"CloudWatchMetrics":[`...)
	b = appendDirective(b, namespace, `["Function"]`, slices.DeleteFunc(slices.Clone(all), func(v value) bool { return v.product }))
	b = append(b, ',')
	b = appendDirective(b, namespace, `["Function","Route"]`, slices.DeleteFunc(slices.Clone(all), func(v value) bool { return !v.routes }))
	b = append(b, `]},"Function":`...)
	b = strconv.AppendQuoteToASCII(b, function)
	b = append(b, `,"Route":`...)
	b = strconv.AppendQuoteToASCII(b, c.Route)
	b = append(b, `,"Status":`...)
	b = strconv.AppendInt(b, int64(c.Status), 10)
	for _, v := range all {
		b = v.append(b)
	}
	if c.RequestID != "" {
		b = strconv.AppendQuoteToASCII(append(b, `,"request_id":`...), c.RequestID)
	}
	if c.TraceID != "" {
		b = strconv.AppendQuoteToASCII(append(b, `,"trace_id":`...), c.TraceID)
	}
	return append(b, '}', '\n')
}

func appendDirective(b []byte, namespace, dimensions string, metrics []value) []byte {
	b = append(b, `{"Namespace":`...)
	b = strconv.AppendQuoteToASCII(b, namespace)
	b = append(append(append(b, `,"Dimensions":[`...), dimensions...), `],"Metrics":[`...)
	for i, v := range metrics {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(append(append(b, `{"Name":"`...), v.name...), `","Unit":"`...), v.unit...), `"}`...)
	}
	return append(b, `]}`...)
}

const (
	// maxLine is how many bytes the line of a call may have, with the end of the line:
	// CloudWatch bills the bytes of a log. Rare values that do not fit are left out.
	maxLine = 300
	// maxRequestID is the length of the longest id that a gateway gives, a UUID.
	maxRequestID = 36
	// lineTime is RFC 3339 with milliseconds, in UTC.
	lineTime = "2006-01-02T15:04:05.000Z"
)

// appendLine appends a call as one line of JSON. The template's metric filters and queries of
// the log read it. Names must be printable ASCII.
func appendLine(b []byte, function string, at time.Time, c Call) []byte {
	begin := len(b)
	b = append(b, `{"timestamp":"`...)
	b = at.UTC().AppendFormat(b, lineTime)
	b = append(b, `","Function":`...)
	b = strconv.AppendQuoteToASCII(b, function)
	b = append(b, `,"Route":`...)
	b = strconv.AppendQuoteToASCII(b, c.Route)
	b = append(b, `,"Status":`...)
	b = strconv.AppendInt(b, int64(c.Status), 10)
	// keep keeps what was appended, if the line still fits with its end.
	keep := func(longer []byte) {
		if len(longer)-begin+len("}\n") <= maxLine {
			b = longer
		}
	}
	values := valuesOf(c)
	for _, v := range values[:usualValues] {
		b = v.append(b)
	}
	if c.RequestID != "" && len(c.RequestID) <= maxRequestID {
		keep(strconv.AppendQuoteToASCII(append(b, `,"request_id":`...), c.RequestID))
	}
	if c.TraceID != "" {
		keep(strconv.AppendQuoteToASCII(append(b, `,"trace_id":`...), c.TraceID))
	}
	for _, v := range values[usualValues:] {
		if !v.detail {
			keep(v.append(b))
		}
	}
	return append(b, '}', '\n')
}
