package usage

import (
	"strconv"
	"time"
)

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
