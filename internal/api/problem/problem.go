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

// How long a caller who may retry is told to wait.
const (
	retryAfter     = 2 * time.Second  // if Redis does not say
	CredentialWait = time.Minute      // a wrong credential may be replaced by then
	migrationWait  = time.Minute      // an operator may have migrated by then
	seatWait       = 30 * time.Second // a viewer may have left by then
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
func (p *Problem) Meant() bool {
	return p.Code == "maintenance" || p.Code == "no-live-boards" || p.Code == "no-seat"
}

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// Kind is a type of problem. Each kind has one status and one title.
type Kind struct {
	Status int
	Title  string
}

// Kinds are all kinds by the last part of their type.
func Kinds() map[string]Kind { return maps.Clone(kinds) }

var kinds = map[string]Kind{
	"invalid-request":         {http.StatusBadRequest, "Invalid request"},
	"unauthenticated":         {http.StatusUnauthorized, "Authentication required"},
	"forbidden":               {http.StatusForbidden, "Permission denied"},
	"not-found":               {http.StatusNotFound, "Not found"},
	"unknown-mode":            {http.StatusNotFound, "Unknown mode"},
	"unknown-season":          {http.StatusNotFound, "No season on this date"},
	"not-on-board":            {http.StatusNotFound, "Player not on this board"},
	"method-not-allowed":      {http.StatusMethodNotAllowed, "Method not allowed"},
	"too-large":               {http.StatusRequestEntityTooLarge, "Request too large"},
	"unsupported-media-type":  {http.StatusUnsupportedMediaType, "The body must be JSON"},
	"idempotency-key-reused":  {http.StatusUnprocessableEntity, "Idempotency key was used for a different request"},
	"idempotency-key-in-use":  {http.StatusConflict, "A request with this idempotency key is in progress"},
	"rate-limited":            {http.StatusTooManyRequests, "Too many requests"},
	"date-closed":             {http.StatusUnprocessableEntity, "Date is closed"},
	"banned":                  {http.StatusForbidden, "Player is banned"},
	"device-claimed":          {http.StatusForbidden, "Device is linked to an account"},
	"device-taken":            {http.StatusConflict, "Device is linked to another account"},
	"not-removable":           {http.StatusUnprocessableEntity, "Score can't be removed"},
	"play-refused":            {http.StatusUnprocessableEntity, "Play rejected"},
	"score-out-of-bounds":     {http.StatusUnprocessableEntity, "Score out of bounds"},
	"internal":                {http.StatusInternalServerError, "Internal error"},
	"no-database":             {http.StatusNotImplemented, "No database"},
	"no-live-boards":          {http.StatusNotImplemented, "Live boards aren't enabled"},
	"no-seat":                 {http.StatusServiceUnavailable, "Too many viewers"},
	"no-request":              {http.StatusNotFound, "No such friend request"},
	"no-invite":               {http.StatusNotFound, "Invite invalid or expired"},
	"player-blocked":          {http.StatusConflict, "You have blocked this player"},
	"too-little":              {http.StatusConflict, "Insufficient balance"},
	"list-full":               {http.StatusConflict, "List is full"},
	"unknown-duel":            {http.StatusNotFound, "Unknown duel"},
	"duel-decided":            {http.StatusConflict, "A different result was reported"},
	"challenges-full":         {http.StatusConflict, "Too many open challenges"},
	"duel-state":              {http.StatusConflict, "Not possible in the duel's current state"},
	"unknown-race":            {http.StatusNotFound, "Unknown race"},
	"race-state":              {http.StatusConflict, "Not possible in the race's current state"},
	"rules-changed":           {http.StatusServiceUnavailable, "Game rules conflict with stored data"},
	"maintenance":             {http.StatusServiceUnavailable, "Down for maintenance (read-only)"},
	"temporarily-unavailable": {http.StatusServiceUnavailable, "Temporarily unavailable"},
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

// longestWait bounds the wait that an operator's probe is told.
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

// RefusedToken is what operators are told if Redis accepts no command with this token, or no
// command that writes.
const RefusedToken = "Redis rejects the token: UPSTASH_REDIS_REST_TOKEN is wrong, was reset, or is the read-only one; with REDIS_URL, its user or password is wrong, or the user may not run every command"
