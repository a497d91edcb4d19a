package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/ruleset"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/upstash"
)

// problemBase is where each type of problem is explained.
const problemBase = "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#"

// retryAfter is what a caller waits when Redis does not say how long.
const retryAfter = 2 * time.Second

// credentialWait is how soon a deployment with a wrong credential may have another.
const credentialWait = time.Minute

// rulesWait is how soon a deployment with rules that do not fit may have others.
const rulesWait = time.Minute

// foldingWait is how long a day needs to pass from one state to the next.
const foldingWait = 30 * time.Second

// problem is an RFC 9457 answer. It is an error, so that whatever goes wrong
// travels the same way.
type problem struct {
	Type      string       `json:"type"`
	Title     string       `json:"title"`
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	Instance  string       `json:"instance,omitempty"`
	Errors    []fieldError `json:"errors,omitempty"`
	OpenDates []string     `json:"open_dates,omitempty"`

	kind  string
	wait  time.Duration
	limit *limit.Decision // that refused; nil: none
}

// fieldError is what is wrong with one field: a JSON pointer into the body, or
// the name of a path or query parameter after a question mark.
type fieldError struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

func (p *problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.kind, p.Detail) }

// titles are the problem types, each with the one title it always has.
var titles = map[string]string{
	"invalid-request":         "The request is not valid",
	"unauthenticated":         "A credential is needed",
	"forbidden":               "The credential does not allow this",
	"not-found":               "There is nothing here",
	"unknown-mode":            "The game has no such mode",
	"unknown-season":          "The date is in no season",
	"not-on-board":            "The player is not on this board",
	"method-not-allowed":      "The method is not allowed",
	"too-large":               "The request is too large",
	"unsupported-media-type":  "The body must be JSON",
	"idempotency-key-reused":  "The idempotency key stands for another request",
	"idempotency-key-in-use":  "The request with this idempotency key is still running",
	"rate-limited":            "Too many requests",
	"date-closed":             "The date is not open",
	"banned":                  "The player is banned",
	"device-claimed":          "The device belongs to a player",
	"device-taken":            "Another player has the device",
	"not-removable":           "The score cannot be taken out",
	"score-out-of-bounds":     "The score is outside the mode's bounds",
	"internal":                "Something went wrong here",
	"no-database":             "This deployment has no database",
	"no-request":              "There is no such request",
	"no-invite":               "The invite is not good",
	"player-blocked":          "You block this player",
	"list-full":               "The list is full",
	"unknown-duel":            "There is no such duel",
	"duel-decided":            "Another result has been told",
	"challenges-full":         "Too many challenges wait",
	"duel-state":              "The duel does not allow this now",
	"rules-changed":           "The game's rules do not fit what is stored",
	"maintenance":             "The leaderboards take no writes just now",
	"temporarily-unavailable": "The leaderboards are not available right now",
}

func badRequest(detail string, errs ...fieldError) *problem {
	return &problem{Status: http.StatusBadRequest, kind: "invalid-request", Detail: detail, Errors: errs}
}

func badField(pointer, detail string) *problem {
	return badRequest("a field is not valid: "+detail, fieldError{pointer, detail})
}

func unknownMode(name string) *problem {
	return &problem{Status: http.StatusNotFound, kind: "unknown-mode", Detail: fmt.Sprintf("the game has no mode %.40q", name)}
}

// seasonsNamed bounds how many seasons a problem names.
const seasonsNamed = 8

// unknownSeason names the seasons there are, the newest ones where they are many.
func (a *API) unknownSeason(d game.Date) *problem {
	all := a.Game.AllSeasons()
	detail := fmt.Sprintf("%s is in no season", d)
	for i, p := range all[max(0, len(all)-seasonsNamed):] {
		detail += fmt.Sprintf("%s %s (%s to %s)", []string{"; there is", ","}[min(i, 1)], p.Key(), p.First(), p.Last())
	}
	return &problem{Status: http.StatusNotFound, kind: "unknown-season", Detail: detail}
}

// toProblem is the one place where an error becomes a status.
func toProblem(err error) *problem {
	var p *problem
	var refused *auth.Error
	var redis *upstash.Error
	var running *idem.RunningError
	var often *board.ErasedTooOftenError
	var exported *people.TooOftenError
	var maintained *board.MaintenanceError
	var changed *ruleset.ChangedError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &maintained):
		return &problem{Status: http.StatusServiceUnavailable, kind: "maintenance", Detail: maintained.Error(), wait: maintenanceWait(maintained)}
	case errors.As(err, &changed):
		return &problem{
			Status: http.StatusServiceUnavailable, kind: "rules-changed", wait: rulesWait,
			Detail: changed.Error() + ". Until the operator deploys the rules that the boards are kept by, or accepts these (lbctl game accept), everything is read and nothing is written",
		}
	case errors.As(err, &refused):
		if refused.Code == auth.Unavailable {
			return unavailable(refused.Reason, 0)
		}
		if refused.Code == auth.Forbidden {
			return &problem{Status: http.StatusForbidden, kind: "forbidden", Detail: refused.Reason}
		}
		return &problem{Status: http.StatusUnauthorized, kind: "unauthenticated", Detail: refused.Reason}
	case errors.Is(err, board.ErrNotOnBoard):
		return &problem{Status: http.StatusNotFound, kind: "not-on-board", Detail: err.Error()}
	case errors.Is(err, board.ErrCursor):
		return badField("?cursor", "the cursor is not one that this board gave out; begin again without one")
	case errors.Is(err, board.ErrCursorLost):
		return badField("?cursor", err.Error()+"; begin again without one")
	case errors.As(err, &running):
		return &problem{
			Status: http.StatusConflict, kind: "idempotency-key-in-use", wait: running.Wait,
			Detail: "the first request with this Idempotency-Key is still running; send the same again after Retry-After",
		}
	case errors.As(err, &often):
		return &problem{Status: http.StatusTooManyRequests, kind: "rate-limited", wait: often.Wait, Detail: often.Error() + " (UTC); what a cut-off request left is erased by the schedule"}
	case errors.As(err, &exported):
		daily := &limit.Decision{Rule: limit.Rule{Name: "export-player", Count: people.OwnExports, Window: 24 * time.Hour}, Wait: exported.Wait}
		return &problem{Status: http.StatusTooManyRequests, kind: "rate-limited", wait: exported.Wait, limit: daily, Detail: exported.Error() + " (UTC); the pages after a first one are not counted"}
	case errors.Is(err, board.ErrKeyReused), errors.Is(err, idem.ErrReused):
		return &problem{
			Status: http.StatusUnprocessableEntity, kind: "idempotency-key-reused",
			Detail: "this Idempotency-Key was used for another request; take a new key for a new request",
		}
	case errors.Is(err, board.ErrDayTotal):
		return &problem{Status: http.StatusUnprocessableEntity, kind: "score-out-of-bounds", Detail: err.Error()}
	case errors.Is(err, board.ErrBanned):
		return &problem{Status: http.StatusForbidden, kind: "banned", Detail: "this player may not play"}
	case errors.Is(err, board.ErrFolded), errors.Is(err, board.ErrHistory):
		return &problem{Status: http.StatusUnprocessableEntity, kind: "not-removable", Detail: err.Error()}
	case errors.Is(err, board.ErrFolding):
		return unavailable(err.Error(), foldingWait)
	case errors.As(err, new(behind)):
		return unavailable("this part needs tables that the history's database does not have yet; its operator has to run lbctl migrate", behindWait)
	case errors.Is(err, friends.ErrUnavailable):
		return unavailable("the friends' database cannot be reached; send the same again", 0)
	case errors.Is(err, removal.ErrUnavailable):
		return unavailable("the history's database cannot be reached; send the same again", 0)
	case errors.Is(err, ErrHistoryAway):
		return unavailable("this period has left Redis, and the history cannot be reached just now; periods that are still there are answered", 0)
	case errors.Is(err, board.ErrVanished):
		return unavailable("the player's entry was removed meanwhile; try again", 0)
	case errors.As(err, &redis):
		switch redis.Kind() {
		case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
			return unavailable("the store cannot be reached or is over its limits; nothing is half done, try again", redis.RetryAfter())
		case upstash.KindAuth:
			return unavailable("the store refuses this deployment's credential; its operator has to give it the right one", credentialWait)
		}
	}
	return &problem{Status: http.StatusInternalServerError, kind: "internal", Detail: "the request failed for a reason that is not yours; it has been logged"}
}

func unavailable(detail string, wait time.Duration) *problem {
	if wait <= 0 {
		wait = retryAfter
	}
	return &problem{Status: http.StatusServiceUnavailable, kind: "temporarily-unavailable", Detail: detail, wait: wait}
}

// writeProblem answers with a problem and logs those that are ours to mend.
func (a *API) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := *toProblem(err)
	p.complete(r)
	if p.Status >= http.StatusInternalServerError && p.kind != "maintenance" {
		a.Log.LogAttrs(r.Context(), slog.LevelError, "request failed", append([]slog.Attr{
			slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", p.Status), slog.String("request_id", p.Instance), slog.String("error", err.Error()),
		}, refusalAttrs(err, a.Now())...)...)
	}
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", `Bearer realm="leaderboards"`)
	}
	if p.limit != nil {
		tellLimit(header, *p.limit)
	}
	if p.wait > 0 {
		header.Set("Retry-After", strconv.FormatInt(int64((p.wait+time.Second-1)/time.Second), 10))
	}
	body, _ := json.Marshal(p) // strings and numbers always marshal
	send(w, r, p.Status, body)
}

// RefuseOrigin answers a request that has come past what stands in front of the
// functions.
func RefuseOrigin(w http.ResponseWriter, r *http.Request) {
	new(API).writeProblem(w, r, forbidden("this address answers only what comes through the network in front of it; use the public address"))
}

// complete fills in what follows from the kind and the request.
func (p *problem) complete(r *http.Request) {
	p.Type = problemBase + p.kind
	p.Title = titles[p.kind]
	if r != nil {
		p.Instance = r.Header.Get(requestID)
	}
}

func forbidden(detail string) *problem {
	return &problem{Status: http.StatusForbidden, kind: "forbidden", Detail: detail}
}

func noDevices() *problem {
	return &problem{Status: http.StatusNotFound, kind: "not-found", Detail: "this game has no anonymous players; sign in to play"}
}

func noDatabase() *problem {
	return &problem{
		Status: http.StatusNotImplemented, kind: "no-database",
		Detail: "this deployment has no database, so it keeps no friends",
	}
}

func tooMany(d limit.Decision) *problem {
	return &problem{
		Status: http.StatusTooManyRequests, kind: "rate-limited", wait: d.Wait, limit: &d,
		Detail: fmt.Sprintf("the limit %s is %s in %s; wait %s", d.Rule.Name, d.Rule.Quota(), d.Rule.Window,
			max(d.Wait.Round(time.Second), time.Second)),
	}
}

func (a *API) closedDate(d game.Date, now time.Time, state string) *problem {
	p := &problem{
		Status: http.StatusUnprocessableEntity, kind: "date-closed",
		Detail: "the date " + d.String() + " is " + state, OpenDates: []string{},
	}
	for _, open := range a.Game.OpenDates(now) {
		p.OpenDates = append(p.OpenDates, open.String())
	}
	return p
}
