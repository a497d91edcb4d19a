// Package problem has the errors of HTTP answers (RFC 9457): every kind of problem, every
// refusal, and which error becomes which problem.
package problem

import (
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
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
	"invalid-request":         {http.StatusBadRequest, "The request is not valid"},
	"unauthenticated":         {http.StatusUnauthorized, "A credential is needed"},
	"forbidden":               {http.StatusForbidden, "The credential does not allow this"},
	"not-found":               {http.StatusNotFound, "There is nothing here"},
	"unknown-mode":            {http.StatusNotFound, "The game has no such mode"},
	"unknown-season":          {http.StatusNotFound, "The date is in no season"},
	"not-on-board":            {http.StatusNotFound, "The player is not on this board"},
	"method-not-allowed":      {http.StatusMethodNotAllowed, "The method is not allowed"},
	"too-large":               {http.StatusRequestEntityTooLarge, "The request is too large"},
	"unsupported-media-type":  {http.StatusUnsupportedMediaType, "The body must be JSON"},
	"idempotency-key-reused":  {http.StatusUnprocessableEntity, "The idempotency key was used for another request"},
	"idempotency-key-in-use":  {http.StatusConflict, "The request with this idempotency key is still running"},
	"rate-limited":            {http.StatusTooManyRequests, "Too many requests"},
	"date-closed":             {http.StatusUnprocessableEntity, "The date is not open"},
	"banned":                  {http.StatusForbidden, "The player is banned"},
	"device-claimed":          {http.StatusForbidden, "The device belongs to a player"},
	"device-taken":            {http.StatusConflict, "Another player has the device"},
	"not-removable":           {http.StatusUnprocessableEntity, "The score cannot be taken out"},
	"play-refused":            {http.StatusUnprocessableEntity, "The play is not taken"},
	"score-out-of-bounds":     {http.StatusUnprocessableEntity, "The score is outside the mode's bounds"},
	"internal":                {http.StatusInternalServerError, "Something went wrong here"},
	"no-database":             {http.StatusNotImplemented, "This deployment has no database"},
	"no-live-boards":          {http.StatusNotImplemented, "This deployment streams no boards"},
	"no-seat":                 {http.StatusServiceUnavailable, "As many watch as there is room for"},
	"no-request":              {http.StatusNotFound, "There is no such request"},
	"no-invite":               {http.StatusNotFound, "The invite is not good"},
	"player-blocked":          {http.StatusConflict, "You block this player"},
	"too-little":              {http.StatusConflict, "There is too little left"},
	"list-full":               {http.StatusConflict, "The list is full"},
	"unknown-duel":            {http.StatusNotFound, "There is no such duel"},
	"duel-decided":            {http.StatusConflict, "Another result was reported"},
	"challenges-full":         {http.StatusConflict, "Too many challenges wait"},
	"duel-state":              {http.StatusConflict, "The duel does not allow this now"},
	"unknown-race":            {http.StatusNotFound, "There is no such race"},
	"race-state":              {http.StatusConflict, "The race does not allow this now"},
	"rules-changed":           {http.StatusServiceUnavailable, "The game's rules do not fit what is stored"},
	"maintenance":             {http.StatusServiceUnavailable, "The leaderboards take no writes just now"},
	"temporarily-unavailable": {http.StatusServiceUnavailable, "The leaderboards are not available right now"},
}

// New makes a problem of a kind. All other functions make theirs by it.
func New(kind, detail string) *Problem {
	is := kinds[kind]
	return &Problem{Type: Base + kind, Code: kind, Title: is.Title, Status: is.Status, Detail: detail}
}
