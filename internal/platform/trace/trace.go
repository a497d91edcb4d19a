// Package trace finds the trace that a request belongs to, and reports the parts of a call
// to its follower.
//
// It knows headers and contexts. It must not know a library for traces. Package otlp
// passes the parts on to one; functions that link none still name the trace in their log
// lines.
package trace

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
)

// Header is the header of W3C: https://www.w3.org/TR/trace-context/#traceparent-header
const Header = "Traceparent"

// amazonHeader is the header of gateways and load balancers on AWS:
// https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
const amazonHeader = "X-Amzn-Trace-Id"

// Lengths of the fields of both headers, in characters.
const (
	idLength     = 32
	parentLength = 16
	epochLength  = 8
)

// Of returns the trace that a request belongs to, 32 hexadecimal digits, and whether the
// trace is kept (sampled). id is "" where no header names a trace correctly.
func Of(h http.Header) (id string, kept bool) {
	if id, kept = ofParent(h.Get(Header)); id != "" {
		return id, kept
	}
	return ofAmazon(h.Get(amazonHeader))
}

// OfInvocation returns the trace of an invocation on Lambda. Lambda's library keeps it in
// the context; runs of schedules and messages of queues have no headers.
func OfInvocation(ctx context.Context) (id string, kept bool) {
	text, _ := ctx.Value("x-amzn-trace-id").(string)
	return ofAmazon(text)
}

// ofParent reads VERSION-TRACE-PARENT-FLAGS. Versions after 00 may have more fields.
func ofParent(text string) (id string, kept bool) {
	version, rest, _ := strings.Cut(text, "-")
	id, rest, _ = strings.Cut(rest, "-")
	parent, rest, _ := strings.Cut(rest, "-")
	flags, more, longer := strings.Cut(rest, "-")
	switch {
	case !hexadecimal(version, 2), version == "ff", version == "00" && longer, longer && more == "":
		return "", false
	case !hexadecimal(id, idLength), zero(id), !hexadecimal(parent, parentLength), zero(parent), !hexadecimal(flags, 2):
		return "", false
	}
	return id, digit(flags[1])&1 == 1
}

// ofAmazon reads Root=1-EPOCH-REST;Parent=…;Sampled=1. The 32 digits of the trace are
// EPOCH and REST.
func ofAmazon(text string) (id string, kept bool) {
	for field := range strings.SplitSeq(text, ";") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(field), "="); name {
		case "Root":
			version, rest, _ := strings.Cut(value, "-")
			epoch, unique, _ := strings.Cut(rest, "-")
			if version == "1" && hexadecimal(epoch, epochLength) && hexadecimal(unique, idLength-epochLength) {
				id = epoch + unique
			}
		case "Sampled":
			kept = value == "1"
		}
	}
	return id, kept && id != ""
}

// hexadecimal reports whether text consists of length hexadecimal digits in lower case.
func hexadecimal(text string, length int) bool {
	if len(text) != length {
		return false
	}
	for i := range len(text) {
		if digit(text[i]) < 0 {
			return false
		}
	}
	return true
}

func digit(c byte) int { return strings.IndexByte("0123456789abcdef", c) }

func zero(text string) bool { return strings.Trim(text, "0") == "" }

// Parts is called before each part of a call; the call of end means that the part is
// over. system is the system that is asked, name says what for. Neither contains the name
// of a player.
type Parts func(ctx context.Context, system, name string) (end func(error))

type key struct{}

// With makes parts the follower of what is done with the returned context.
func With(ctx context.Context, parts Parts) context.Context {
	return context.WithValue(ctx, key{}, parts)
}

// Part notifies the follower of the context, if it has one, that a part begins. The caller
// calls end when the part is over.
func Part(ctx context.Context, system, name string) (end func(error)) {
	if parts, ok := ctx.Value(key{}).(Parts); ok {
		return parts(ctx, system, name)
	}
	return ignore
}

func ignore(error) {}

// Lines makes log lines name the trace of their invocation on Lambda. Warnings and errors
// always name it, other lines only where the trace is kept.
func Lines(h slog.Handler) slog.Handler { return lines{h} }

type lines struct{ slog.Handler }

// field is the name of the trace in a line.
const field = "trace_id"

func (l lines) Handle(ctx context.Context, r slog.Record) error {
	id, kept := OfInvocation(ctx)
	if id == "" || !kept && r.Level < slog.LevelWarn {
		return l.Handler.Handle(ctx, r)
	}
	named := false // the line names the trace already
	r.Attrs(func(a slog.Attr) bool {
		named = a.Key == field
		return !named
	})
	if !named {
		r = r.Clone()
		r.AddAttrs(slog.String(field, id))
	}
	return l.Handler.Handle(ctx, r)
}

func (l lines) WithAttrs(attrs []slog.Attr) slog.Handler { return lines{l.Handler.WithAttrs(attrs)} }

func (l lines) WithGroup(name string) slog.Handler { return lines{l.Handler.WithGroup(name)} }

// QueryMeter adds up queries. The zero value is ready; safe for concurrent use.
type QueryMeter struct{ queries, rows atomic.Int64 }

// Add counts queries, and the rows that they returned or changed.
func (m *QueryMeter) Add(queries, rows int64) {
	m.queries.Add(queries)
	m.rows.Add(rows)
}

// Read returns the counts: statements, including those that begin and end transactions and
// those that were sent again, and rows that were returned or changed.
func (m *QueryMeter) Read() (queries, rows int64) { return m.queries.Load(), m.rows.Load() }

type queriesKey struct{}

// queryMeters are the meters of a context, the innermost first.
type queryMeters struct {
	meter *QueryMeter
	outer *queryMeters
}

// WithQueries also counts on m what is asked with the returned context.
func WithQueries(ctx context.Context, m *QueryMeter) context.Context {
	outer, _ := ctx.Value(queriesKey{}).(*queryMeters)
	return context.WithValue(ctx, queriesKey{}, &queryMeters{m, outer})
}

// AddQueries counts on all meters of a context.
func AddQueries(ctx context.Context, queries, rows int64) {
	all, _ := ctx.Value(queriesKey{}).(*queryMeters)
	for ; all != nil; all = all.outer {
		all.meter.Add(queries, rows)
	}
}
