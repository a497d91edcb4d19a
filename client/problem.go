package client

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The codes of problems, which docs/problems.md explains.
const (
	CodeInvalidRequest       = "invalid-request"
	CodeUnauthenticated      = "unauthenticated"
	CodeForbidden            = "forbidden"
	CodeNotFound             = "not-found"
	CodeUnknownMode          = "unknown-mode"
	CodeUnknownSeason        = "unknown-season"
	CodeNotOnBoard           = "not-on-board"
	CodeMethodNotAllowed     = "method-not-allowed"
	CodeTooLarge             = "too-large"
	CodeUnsupportedMediaType = "unsupported-media-type"
	CodeKeyReused            = "idempotency-key-reused"
	CodeKeyInUse             = "idempotency-key-in-use"
	CodeRateLimited          = "rate-limited"
	CodeDateClosed           = "date-closed"
	CodeScoreOutOfBounds     = "score-out-of-bounds"
	CodePlayRefused          = "play-refused"
	CodeBanned               = "banned"
	CodeDeviceClaimed        = "device-claimed"
	CodeDeviceTaken          = "device-taken"
	CodeNotRemovable         = "not-removable"
	CodeNoDatabase           = "no-database"
	CodeNoRequest            = "no-request"
	CodeNoInvite             = "no-invite"
	CodePlayerBlocked        = "player-blocked"
	CodeListFull             = "list-full"
	CodeUnknownDuel          = "unknown-duel"
	CodeTooLittle            = "too-little"
	CodeDuelDecided          = "duel-decided"
	CodeDuelState            = "duel-state"
	CodeUnknownRace          = "unknown-race"
	CodeRaceState            = "race-state"
	CodeChallengesFull       = "challenges-full"
	CodeInternal             = "internal"
	CodeServerError          = "internal-server-error" // the request made a function panic
	CodeRulesChanged         = "rules-changed"
	CodeMaintenance          = "maintenance"
	CodeUnavailable          = "temporarily-unavailable"
	CodeNoLiveBoards         = "no-live-boards"
	CodeNoSeat               = "no-seat"
)

// Problem is the refusal of a request, or of one score of a batch (RFC 9457).
type Problem struct {
	Status    int          `json:"status"`
	Type      string       `json:"type"` // URL of the explanation
	Code      string       `json:"code"` // the last part of Type, one of the Code constants; "" where a gateway answered
	Title     string       `json:"title"`
	Detail    string       `json:"detail"`
	Errors    []FieldError `json:"errors,omitempty"`
	OpenDates []string     `json:"open_dates,omitempty"` // with CodeDateClosed
	Balance   *int64       `json:"balance,omitempty"`    // with CodeTooLittle: the balance
	Reason    string       `json:"reason,omitempty"`     // with CodePlayRefused: one word
	RequestID string       `json:"instance,omitempty"`   // names the request in the operator's log
	// RetryAfter is how long to wait before sending the same again; 0 if the answer does not
	// say.
	RetryAfter time.Duration `json:"-"`
}

// FieldError is a fault in one field of a request.
type FieldError struct {
	Pointer string `json:"pointer"` // a JSON pointer into the body, or ?name of a parameter
	Detail  string `json:"detail"`
}

// Error describes the problem in one line.
func (p *Problem) Error() string {
	text := "status " + strconv.Itoa(p.Status)
	for _, part := range [...]string{p.Title, p.Detail} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// Problem parses the answer as a problem. If it is none, such as a gateway's own answer, the
// problem has the status and the beginning of the body.
func (a Answer) Problem() *Problem {
	p := &Problem{}
	media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if media != "application/problem+json" || json.Unmarshal(a.Body, p) != nil {
		p = &Problem{Detail: string(a.Body[:min(len(a.Body), 800)])} // cut further below
	}
	p.Status = a.Status
	p.Title, p.Detail = oneLine(p.Title), oneLine(p.Detail)
	if p.Title == "" {
		p.Title = http.StatusText(a.Status)
	}
	if p.RequestID == "" {
		p.RequestID = a.Header.Get("X-Request-Id")
	}
	p.RequestID = oneLine(p.RequestID)
	p.RetryAfter = a.RetryAfter()
	return p
}

// longestText bounds the texts of a problem, in characters: they get into logs, and may come
// from something other than the product.
const longestText = 400

// oneLine cuts a text and replaces characters that would break a line of a log.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(text); len(r) > longestText {
		text = string(r[:longestText]) + "…"
	}
	return text
}

// RetryAfter is how long the answer asks to wait, in whole seconds; 0 if it does not say. It
// ignores dates: the product sends none.
func (a Answer) RetryAfter() time.Duration {
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > int(longestRetryAfter/time.Second) {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// longestRetryAfter bounds the wait: maintenance lasts 7 days at most.
const longestRetryAfter = 31 * 24 * time.Hour

// NoAnswerError is returned if no readable answer came: nothing answered, the answer was cut
// off, or it was not this product's. The request may have had its effect; a score that is sent
// again under the same key counts once.
type NoAnswerError struct {
	Method, Path string
	Attempts     int
	Err          error // of the last attempt
}

func (e *NoAnswerError) Error() string {
	if e.Attempts > 1 {
		return fmt.Sprintf("%s %s: no answer in %d attempts: %v", e.Method, e.Path, e.Attempts, e.Err)
	}
	return fmt.Sprintf("%s %s: no answer: %v", e.Method, e.Path, e.Err)
}

// Unwrap returns the error of the last attempt: context.DeadlineExceeded for a time-out.
func (e *NoAnswerError) Unwrap() error { return e.Err }
