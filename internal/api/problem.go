package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/ruleset"
	"github.com/framedle/leaderboards/internal/held"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/internal/wallet"
	"github.com/framedle/leaderboards/upstash"
)

// problemBase is where each type of problem is explained.
const problemBase = "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#"

// How long a caller waits who may try again.
const (
	retryAfter     = 2 * time.Second  // where Redis does not say
	credentialWait = time.Minute      // until a deployment with a wrong credential may have another
	rulesWait      = time.Minute      // until a deployment with rules that do not fit may have others
	rollUpWait     = 30 * time.Second // until a day that is being rolled up has been
	heldWait       = time.Minute      // until an operator may have made room
	migrationWait  = time.Minute      // until an operator may have migrated
)

// problem is an RFC 9457 answer. It is an error, so that whatever goes wrong
// travels the same way.
type problem struct {
	Type      string       `json:"type"`
	Code      string       `json:"code"` // the last part of the type
	Title     string       `json:"title"`
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	Instance  string       `json:"instance,omitempty"`
	Errors    []fieldError `json:"errors,omitempty"`
	OpenDates []string     `json:"open_dates,omitempty"`
	Reason    string       `json:"reason,omitempty"`  // of a play that is refused
	Balance   *int64       `json:"balance,omitempty"` // of who has too little

	wait  time.Duration
	limit *limit.Decision // that refused; nil: none
}

// fieldError is what is wrong with one field: a JSON pointer into the body, or
// the name of a path or query parameter after a question mark.
type fieldError struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// meant reports whether a problem is how things are to be here, though its status is
// that of a failure: nobody has to repair anything.
func (p *problem) meant() bool {
	return p.Code == "maintenance" || p.Code == "no-live-boards" || p.Code == "no-seat"
}

func (p *problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// kinds are the types of problems, each with the one status and the one title that it
// always has.
var kinds = map[string]struct {
	status int
	title  string
}{
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
	"idempotency-key-reused":  {http.StatusUnprocessableEntity, "The idempotency key stands for another request"},
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
	"duel-decided":            {http.StatusConflict, "Another result has been told"},
	"challenges-full":         {http.StatusConflict, "Too many challenges wait"},
	"duel-state":              {http.StatusConflict, "The duel does not allow this now"},
	"unknown-race":            {http.StatusNotFound, "There is no such race"},
	"race-state":              {http.StatusConflict, "The race does not allow this now"},
	"rules-changed":           {http.StatusServiceUnavailable, "The game's rules do not fit what is stored"},
	"maintenance":             {http.StatusServiceUnavailable, "The leaderboards take no writes just now"},
	"temporarily-unavailable": {http.StatusServiceUnavailable, "The leaderboards are not available right now"},
}

// newProblem makes a problem of one of the kinds. All others are made by it, here.
func newProblem(kind, detail string) *problem {
	is := kinds[kind]
	return &problem{Type: problemBase + kind, Code: kind, Title: is.title, Status: is.status, Detail: detail}
}

// What a request is refused for, whatever it asks for.

func badRequest(detail string, errs ...fieldError) *problem {
	p := newProblem("invalid-request", detail)
	p.Errors = errs
	return p
}

func badField(pointer, detail string) *problem {
	return badRequest("a field is not valid: "+detail, fieldError{pointer, detail})
}

func signInFirst() *problem { return forbidden("an anonymous player may not do this; sign in first") }

func forbidden(detail string) *problem { return newProblem("forbidden", detail) }

func unknownCurrency(name string) *problem {
	return newProblem("not-found", fmt.Sprintf("the game has no currency %.50q", name))
}

func nobodyCounted() *problem {
	return newProblem("not-found", "this game does not count who is there; presence: true in its file turns it on")
}

func noWorld() *problem {
	return newProblem("not-found", "this game has one site; world in its file has boards of several merged")
}

func notMerged(b game.Board) *problem {
	return newProblem("not-found", fmt.Sprintf("boards of %s for period %s are not merged; world in the game file names those that are", b.Mode.Called(), b.Period.Kind()))
}

func noFeed() *problem {
	return newProblem("not-found", "this game keeps no feed; outbox: true in its file turns it on")
}

func noAudit() *problem {
	return newProblem("not-found", "this game records nothing of what submissions do; audit in its file turns it on")
}

func noLeagues() *problem {
	return newProblem("not-found", "this game has no leagues; leagues: {} in its file turns them on")
}

func leaguesUnkept() *problem {
	return newProblem("no-database", "this deployment has no database, so it keeps no leagues")
}

func noSuchPath() *problem { return newProblem("not-found", "no resource has this path") }

func wrongMethod(allowed []string) *problem {
	return newProblem("method-not-allowed", "this resource takes "+strings.Join(allowed, ", "))
}

func wrongMediaType() *problem {
	return newProblem("unsupported-media-type", "send the body as Content-Type: application/json")
}

func tooLarge(limit int64) *problem {
	return newProblem("too-large", "the body may have at most "+sizeText(limit))
}

func tooMany(d limit.Decision) *problem {
	p := newProblem("rate-limited", fmt.Sprintf("the limit %s is %s in %s; wait %s", d.Rule.Name, d.Rule.Quota(), d.Rule.Window,
		max(d.Wait.Round(time.Second), time.Second)))
	p.wait, p.limit = d.Wait, &d
	return p
}

func unavailable(detail string, wait time.Duration) *problem {
	p := newProblem("temporarily-unavailable", detail)
	if p.wait = wait; wait <= 0 {
		p.wait = retryAfter
	}
	return p
}

func queryTooLarge(detail string) *problem { return newProblem("too-large", detail) }

func noGraph() *problem {
	return newProblem("not-found", "this deployment serves no GraphQL; GRAPHQL=on turns it on")
}

func unknownQuery() *problem {
	return newProblem("not-found", "this deployment keeps no query with this hash: it is the SHA-256 of a file in api/queries, byte for byte, in small hexadecimal digits; send any other query as POST")
}

func noLiveBoards() *problem {
	return newProblem("no-live-boards", "no process here can keep a stream open; ask GET /v1/leaderboards/{mode} every few seconds instead, it has the same pages")
}

// noSeat refuses a viewer. Boards can be asked for meanwhile.
func noSeat() *problem {
	p := newProblem("no-seat", "as many streams are open here, or from your address, as there may be; try again after Retry-After, and ask GET /v1/leaderboards/{mode} meanwhile")
	p.wait = seatWait
	return p
}

// What the game does not have.

func unknownMode(name string) *problem {
	return newProblem("unknown-mode", fmt.Sprintf("the game has no mode %.40q", name))
}

// seasonsNamed bounds how many seasons a problem names.
const seasonsNamed = 8

// unknownSeason names the seasons there are, the newest ones where they are many.
func unknownSeason(g *game.Game, d game.Date) *problem {
	all := g.AllSeasons()
	detail := fmt.Sprintf("%s is in no season", d)
	for i, p := range all[max(0, len(all)-seasonsNamed):] {
		detail += fmt.Sprintf("%s %s (%s to %s)", []string{"; there is", ","}[min(i, 1)], p.Key(), p.First(), p.Last())
	}
	return newProblem("unknown-season", detail)
}

// What stands against a score.

func scoreOutOfBounds(pointer, detail string) *problem {
	p := newProblem("score-out-of-bounds", detail)
	p.Errors = []fieldError{{pointer, detail}}
	return p
}

// valuesOutOfBounds names each value that is outside its bounds.
func valuesOutOfBounds(beyond []fieldError) *problem {
	p := newProblem("score-out-of-bounds", beyond[0].Pointer+": "+beyond[0].Detail)
	p.Errors = beyond
	return p
}

// closedDate names the dates that are open.
func closedDate(g *game.Game, d game.Date, now time.Time, state string) *problem {
	p := newProblem("date-closed", "the date "+d.String()+" is "+state)
	for _, open := range g.OpenDates(now) {
		p.OpenDates = append(p.OpenDates, open.String())
	}
	return p
}

// What stands against devices and friends.

func noScoreQueue() *problem {
	return newProblem("not-found", "this deployment has no queue of scores, so there is nothing to send back")
}

func noDevices() *problem {
	return newProblem("not-found", "this game has no anonymous players; sign in to play")
}

func deviceClaimed() *problem {
	return newProblem("device-claimed", "a player has claimed this device; play as that player")
}

func noFriends() *problem {
	return newProblem("no-database", "this deployment has no database, so it keeps no friends")
}

func noActivity() *problem {
	return newProblem("not-found", "this game has no activity: nothing that players do beside playing counts")
}

func noRequest() *problem {
	return newProblem("no-request", "there is no request of this player to accept")
}

func noInvite() *problem {
	return newProblem("no-invite", "this invite is not good: it is unknown, used up, has expired, or is your own")
}

// friendsProblem is what stands against an action; nil: nothing.
func friendsProblem(outcome friends.Outcome) error {
	switch outcome {
	case friends.Blocking:
		return newProblem("player-blocked", "you block this player; lift the block first")
	case friends.FullMe:
		return newProblem("list-full", "you have 500 friends, which is the most")
	case friends.FullOther:
		return newProblem("list-full", "this player has 500 friends, which is the most")
	case friends.FullAsked:
		return newProblem("list-full", "500 of your requests wait for an answer, which is the most; withdraw some")
	case friends.FullBlocked:
		return newProblem("list-full", "you block 500 players, which is the most")
	}
	return nil
}

// toProblem is the one place where an error becomes a status.
func toProblem(err error) *problem {
	var p *problem
	var refused *auth.Error
	var running *idem.RunningError
	var unplayed *play.Refusal
	var often *repair.ErasedTooOftenError
	var exported *people.TooOftenError
	var short *wallet.ShortError
	var maintained *notices.MaintenanceError
	var changed *ruleset.ChangedError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &maintained):
		p = newProblem("maintenance", maintained.Error())
		p.wait = maintenanceWait(maintained)
		return p
	case errors.As(err, &changed):
		p = newProblem("rules-changed", changed.Error()+". Until the operator deploys the rules that the boards are kept by, or accepts these (lbctl game accept), everything is read and nothing is written")
		p.wait = rulesWait
		return p
	case errors.As(err, &refused):
		return credentialProblem(refused)
	case errors.As(err, &unplayed):
		p = newProblem("play-refused", unplayed.Detail)
		p.Reason = unplayed.Reason
		return p
	case errors.As(err, &running):
		p = newProblem("idempotency-key-in-use", "the first request with this Idempotency-Key is still running; send the same again after Retry-After")
		p.wait = running.Wait
		return p
	case errors.As(err, &often):
		p = newProblem("rate-limited", often.Error()+" (UTC); what a cut-off request left is erased by the schedule")
		p.wait = often.Wait
		return p
	case errors.As(err, &short):
		left := short.Left()
		p = newProblem("too-little", short.Error())
		p.Balance = &left
		return p
	case errors.As(err, &exported):
		p = newProblem("rate-limited", exported.Error()+" (UTC); the pages after a first one are not counted")
		p.wait = exported.Wait
		p.limit = &limit.Decision{Rule: limit.Rule{Name: "export-player", Count: people.OwnExports, Window: 24 * time.Hour}, Wait: exported.Wait}
		return p
	case errors.As(err, new(behind)):
		return unavailable("this part needs tables that the history's database does not have yet; its operator has to run lbctl migrate", migrationWait)
	}
	for _, known := range sentinels {
		if errors.Is(err, known.err) {
			return known.problem(err)
		}
	}
	return redisProblem(err)
}

func credentialProblem(refused *auth.Error) *problem {
	switch refused.Code {
	case auth.Unavailable:
		return unavailable(refused.Reason, 0)
	case auth.Forbidden:
		return forbidden(refused.Reason)
	}
	return newProblem("unauthenticated", refused.Reason)
}

// redisProblem is what a failure of Redis is told as, and of anything that nobody
// has thought of.
func redisProblem(err error) *problem {
	var redis *upstash.Error
	if errors.As(err, &redis) {
		switch redis.Kind() {
		case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
			return unavailable("the store cannot be reached or is over its limits; nothing is half done, try again", redis.RetryAfter())
		case upstash.KindAuth:
			return unavailable("the store refuses this deployment's credential; its operator has to give it the right one", credentialWait)
		}
	}
	return newProblem("internal", "the request failed for a reason that is not yours; it has been logged")
}

// as makes problems of one kind.
func as(kind, detail string) func(error) *problem {
	return func(error) *problem { return newProblem(kind, detail) }
}

// saying makes problems of one kind that say what the error says.
func saying(kind string) func(error) *problem {
	return func(err error) *problem { return newProblem(kind, err.Error()) }
}

func away(detail string) func(error) *problem {
	return func(error) *problem { return unavailable(detail, 0) }
}

const keyReused = "this Idempotency-Key was used for another request; take a new key for a new request"

// sentinels are the errors that are one value, each with its problem.
var sentinels = []struct {
	err     error
	problem func(error) *problem
}{
	{board.ErrNotOnBoard, saying("not-on-board")},
	{board.ErrCursor, func(error) *problem {
		return badField("?cursor", "the cursor is not one that this board gave out; begin again without one")
	}},
	{board.ErrCursorLost, func(err error) *problem { return badField("?cursor", err.Error()+"; begin again without one") }},
	{board.ErrKeyReused, as("idempotency-key-reused", keyReused)},
	{idem.ErrReused, as("idempotency-key-reused", keyReused)},
	{board.ErrDayTotal, saying("score-out-of-bounds")},
	{notices.ErrBanned, as("banned", "this player may not play")},
	{repair.ErrClaimed, saying("device-taken")},
	{repair.ErrRolledUp, saying("not-removable")},
	{repair.ErrHistory, saying("not-removable")},
	{repair.ErrRollingUp, func(err error) *problem { return unavailable(err.Error(), rollUpWait) }},
	{held.ErrUnknown, saying("not-found")},
	{held.ErrFull, func(error) *problem {
		return unavailable("as many plays wait for the operator as there is room for; send the same again later", heldWait)
	}},
	{rdb.ErrVanished, away("the player's entry was removed meanwhile; try again")},

	{friends.ErrUnavailable, away("the friends' database cannot be reached; send the same again")},
	{removal.ErrUnavailable, away("the history's database cannot be reached; send the same again")},
	{ErrHistoryAway, away("this period has left Redis, and the history cannot be reached just now; periods that are still there are answered")},
	{people.ErrNoArchive, as("no-database", `this deployment has no database; what is done stands in the functions' logs, in lines with "msg":"audit"`)},

	{duel.ErrUnknown, as("unknown-duel", "there is no such duel, or it is none of yours")},
	{duel.ErrDecided, saying("duel-decided")},
	{duel.ErrOther, saying("duel-state")},
	{duel.ErrTaken, saying("duel-state")},
	{duel.ErrOwn, saying("duel-state")},
	{duel.ErrNotReady, saying("duel-state")},
	{duel.ErrOver, saying("duel-state")},
	{duel.ErrNotDecided, saying("duel-state")},
	{duel.ErrOpen, saying("challenges-full")},
	{race.ErrUnknown, as("unknown-race", "there is no such race, it is none of yours, or the game has none")},
	{race.ErrOther, saying("race-state")},
	{race.ErrFull, saying("race-state")},
	{race.ErrElsewhere, saying("race-state")},
	{race.ErrOver, saying("race-state")},
	{race.ErrEarly, saying("race-state")},
	{duel.ErrNotPlaying, func(error) *problem {
		return badField("/winner", "the winner must be one of the two players, or null for a draw")
	}},
}
