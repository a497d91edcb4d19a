// Package problem has the errors of HTTP answers (RFC 9457): every kind of problem, every
// refusal, and which error becomes which problem.
package problem

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/upstash"
)

// Base is the address at which each type of problem is documented.
const Base = "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#"

// How long a caller has to wait before a retry.
const (
	retryAfter     = 2 * time.Second // if Redis does not say
	CredentialWait = time.Minute     // a wrong credential may be replaced by then
	migrationWait  = time.Minute     // an operator may have migrated by then
)

// Problem is an RFC 9457 answer. It is an error, so that handlers return it like any other.
type Problem struct {
	Type      string   `json:"type"`
	Code      string   `json:"code"` // the last part of the type
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail"`
	Instance  string   `json:"instance,omitempty"`
	Errors    []Field  `json:"errors,omitempty"`
	OpenDates []string `json:"open_dates,omitempty"`
	Reason    string   `json:"reason,omitempty"`  // why a play is refused
	Balance   *int64   `json:"balance,omitempty"` // of a player whose balance is too low

	Wait  time.Duration   `json:"-"` // how long the caller should wait before a retry
	Limit *limit.Decision `json:"-"` // the limit that refused; nil: none
}

// Field says what is wrong with one field. Pointer is a JSON pointer into the body, or a
// parameter's name: ?name in the query, {name} in the path.
type Field struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// At makes a Field.
func At(pointer, detail string) Field { return Field{pointer, detail} }

// Meant reports whether a problem is intended, although its status is that of a failure:
// there is nothing to repair.
func (p *Problem) Meant() bool { return kinds[p.Code].Meant }

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// Kind is a type of problem. Each kind has one status and one title.
type Kind struct {
	Status int
	Title  string
	Meant  bool // see [Problem.Meant]
}

// Register adds a kind of a feature, whose package calls it when it is initialized.
func Register(name string, k Kind) { kinds[name] = k }

// Kinds are all kinds by the last part of their type.
func Kinds() map[string]Kind { return maps.Clone(kinds) }

var kinds = map[string]Kind{
	"invalid-request":         {Status: http.StatusBadRequest, Title: "Invalid request"},
	"unauthenticated":         {Status: http.StatusUnauthorized, Title: "Authentication required"},
	"forbidden":               {Status: http.StatusForbidden, Title: "Permission denied"},
	"not-found":               {Status: http.StatusNotFound, Title: "Not found"},
	"unknown-mode":            {Status: http.StatusNotFound, Title: "Unknown mode"},
	"unknown-season":          {Status: http.StatusNotFound, Title: "No season on this date"},
	"not-on-board":            {Status: http.StatusNotFound, Title: "Player not on this board"},
	"method-not-allowed":      {Status: http.StatusMethodNotAllowed, Title: "Method not allowed"},
	"too-large":               {Status: http.StatusRequestEntityTooLarge, Title: "Request too large"},
	"unsupported-media-type":  {Status: http.StatusUnsupportedMediaType, Title: "The body must be JSON"},
	"idempotency-key-reused":  {Status: http.StatusUnprocessableEntity, Title: "Idempotency key was used for a different request"},
	"idempotency-key-in-use":  {Status: http.StatusConflict, Title: "A request with this idempotency key is in progress"},
	"rate-limited":            {Status: http.StatusTooManyRequests, Title: "Too many requests"},
	"date-closed":             {Status: http.StatusUnprocessableEntity, Title: "Date is closed"},
	"banned":                  {Status: http.StatusForbidden, Title: "Player is banned"},
	"device-taken":            {Status: http.StatusConflict, Title: "Device is linked to another account"},
	"not-removable":           {Status: http.StatusUnprocessableEntity, Title: "Score can't be removed"},
	"play-refused":            {Status: http.StatusUnprocessableEntity, Title: "Play rejected"},
	"score-out-of-bounds":     {Status: http.StatusUnprocessableEntity, Title: "Score out of bounds"},
	"internal":                {Status: http.StatusInternalServerError, Title: "Internal error"},
	"no-database":             {Status: http.StatusNotImplemented, Title: "No database"},
	"rules-changed":           {Status: http.StatusServiceUnavailable, Title: "Game rules conflict with stored data"},
	"maintenance":             {Status: http.StatusServiceUnavailable, Title: "Down for maintenance (read-only)", Meant: true},
	"temporarily-unavailable": {Status: http.StatusServiceUnavailable, Title: "Temporarily unavailable"},
}

// New makes a problem of a kind. All other functions make theirs by it.
func New(kind, detail string) *Problem {
	is := kinds[kind]
	return &Problem{Type: Base + kind, Code: kind, Title: is.Title, Status: is.Status, Detail: detail}
}

// quota describes a plan whose commands are used up.
type quota struct {
	says string    // Upstash's own message, with limit and usage
	back time.Time // when the commands of the next month or day begin, in UTC
}

// quotaOf reports whether the plan's commands are used up. On the free plan they come back on
// the first of the next month, or the next day. On other plans the owner has set the limit
// and can raise it.
func quotaOf(err error, now time.Time) (quota, bool) {
	var e *upstash.Error
	if !errors.As(err, &e) || e.Kind() != upstash.KindQuota {
		return quota{}, false
	}
	now = now.UTC()
	switch {
	case strings.Contains(e.Message, "max requests limit"):
		return quota{e.Message, time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)}, true
	case strings.Contains(e.Message, "max daily request limit"):
		return quota{e.Message, time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)}, true
	}
	return quota{}, false // storage is full
}

// Error is the text for operators.
func (q quota) Error() string {
	return fmt.Sprintf("the plan's commands are used up: scores are rejected, and reads are served from memory and the archive; "+
		"the quota resets at %s on the free plan, or when the limit is raised (%s)", q.back.Format(time.RFC3339), q.says)
}

// longestWait bounds the wait in the answer to an operator's probe.
const longestWait = 24 * time.Hour

// ForOperator makes an error name the quota, if a used-up quota is why Redis refuses.
func ForOperator(err error, now time.Time) error {
	if q, ok := quotaOf(err, now); ok {
		return Unavailable(q.Error(), min(q.back.Sub(now), longestWait))
	}
	return err
}

// RefusalAttrs are what the log says of an error in addition to its text.
func RefusalAttrs(err error, now time.Time) []slog.Attr {
	if q, ok := quotaOf(err, now); ok {
		return []slog.Attr{slog.String("quota", q.says), slog.Time("quota_back", q.back)}
	}
	return nil
}

// RefusedToken is the message for operators if Redis accepts no command with this token, or no
// command that writes.
const RefusedToken = "Redis rejects the token: UPSTASH_REDIS_REST_TOKEN is wrong, was reset, or is the read-only one; with REDIS_URL, its user or password is wrong, or the user may not run every command"
