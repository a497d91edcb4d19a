package upstash

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// shownMessage is how much of the server's text an error contains, in bytes.
const shownMessage = 512

// kindOfText returns the kind of an error text; KindItem for an unknown one. The same texts
// come with HTTP 200, with 400 and as items of a pipeline.
func kindOfText(text string) Kind {
	low := strings.ToLower(text)
	switch {
	case hasPrefix(low, "wrongpass", "noauth", "noperm", "unauthorized"):
		return KindAuth
	case contains(low, "max requests limit exceeded", "max daily request limit exceeded", "capacity quota exceeded"):
		return KindQuota
	case contains(low, "max requests per second", "max concurrent connections exceeded", "throttl"):
		return KindThrottled
	case contains(low, "max request size exceeded", "max single record size exceeded", "max key size exceeded"):
		return KindTooLarge
	case hasPrefix(low, "loading ", "masterdown ", "clusterdown "), writesRefused(text):
		return KindUnavailable
	case hasPrefix(low, "noscript", "busy ") || contains(low, "running script", "compiling script", "script:", "script killed"):
		return KindScript
	}
	return KindItem
}

// kindOfStatus returns the kind of an answer whose text is not more precise.
func kindOfStatus(status int) Kind {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return KindAuth
	case status == http.StatusTooManyRequests:
		return KindThrottled
	case status == http.StatusRequestEntityTooLarge:
		return KindTooLarge
	case status == http.StatusRequestTimeout || status >= 500:
		return KindUnavailable
	}
	return KindProtocol
}

// writesRefused reports whether the database refuses writes for a while, as Upstash does
// during an upgrade, and Redis while another server takes over. It still answers reads, so it
// is not down. Transactions and scripts put other words around the text.
func writesRefused(text string) bool {
	return strings.HasPrefix(text, "READONLY ") ||
		contains(text, "because of: READONLY ", "READONLY Writes are temporarily rejected")
}

// outOfCommands reports whether the plan's commands are used up, so that every command fails.
// A full storage refuses writes only.
func outOfCommands(text string) bool {
	return contains(strings.ToLower(text), "max requests limit exceeded", "max daily request limit exceeded")
}

// partlyApplied reports whether a command that answered with this text may have changed
// something before it failed. Only scripts can, and a script may end with any error text of
// its own. code says that the command runs a script.
func partlyApplied(text string, code bool) bool {
	switch kindOfText(text) {
	case KindScript:
	case KindUnavailable:
		// Redis' own refusal comes before any effect; a script's error may come after one.
		return code && writesRefused(text) && !strings.HasPrefix(text, "READONLY ")
	case KindItem:
		if !code {
			return false
		}
	default:
		return false
	}
	return !unknownScript(text) && !strings.Contains(text, "compiling script")
}

// itemError makes the error of one command from its text.
func itemError(text string) *Error {
	return &Error{Op: "command", Message: text, kind: kindOfText(text), maybeApplied: partlyApplied(text, false)}
}

// longestRetryAfter is the longest wait that a server may ask for.
const longestRetryAfter = 24 * time.Hour

// retryAfter parses the header: whole seconds, or a date. It returns 0 if the header is
// missing or unreadable.
func retryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(longestRetryAfter, time.Duration(n)*time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(longestRetryAfter, max(0, at.Sub(now)))
	}
	return 0
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func contains(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
