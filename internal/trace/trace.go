// Package trace names the trace that a request belongs to, and lets whoever follows
// it be told of its parts.
//
// It knows headers and contexts. It must not know a library for traces: package otlp
// feeds one, and functions that link none name the trace in their lines all the same.
package trace

import (
	"context"
	"net/http"
	"strings"
)

// Header is W3C's: https://www.w3.org/TR/trace-context/#traceparent-header
const Header = "Traceparent"

// amazonHeader is that of gateways and load balancers on AWS:
// https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
const amazonHeader = "X-Amzn-Trace-Id"

// The fields of the two headers have these lengths, in characters.
const (
	idLength     = 32
	parentLength = 16
	epochLength  = 8
)

// Of is the trace that a request belongs to, 32 hexadecimal digits, and whether
// somebody keeps it. "": none that a header names as it should.
func Of(h http.Header) (id string, kept bool) {
	if id, kept = ofParent(h.Get(Header)); id != "" {
		return id, kept
	}
	return ofAmazon(h.Get(amazonHeader))
}

// OfInvocation is the trace of an invocation on Lambda, which its library keeps in the
// context: of a run of a schedule, or of messages of a queue, that have no headers.
func OfInvocation(ctx context.Context) (id string, kept bool) {
	text, _ := ctx.Value("x-amzn-trace-id").(string)
	return ofAmazon(text)
}

// ofParent reads VERSION-TRACE-PARENT-FLAGS. Versions after 00 may have more behind
// that.
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

// ofAmazon reads Root=1-EPOCH-REST;Parent=…;Sampled=1, whose two parts of the root
// are the 32 digits.
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

// hexadecimal says whether a text is so many digits in lower case.
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

// Parts is told of a part of a call before it, and by what it returns of its end.
// The system is that which is asked, the name says what for: neither names a player.
type Parts func(ctx context.Context, system, name string) (end func(error))

type key struct{}

// With has parts told of what is done with the returned context.
func With(ctx context.Context, parts Parts) context.Context {
	return context.WithValue(ctx, key{}, parts)
}

// Part tells whoever follows the context that a part of it begins; end tells that it
// is over.
func Part(ctx context.Context, system, name string) (end func(error)) {
	if parts, ok := ctx.Value(key{}).(Parts); ok {
		return parts(ctx, system, name)
	}
	return ignore
}

func ignore(error) {}
