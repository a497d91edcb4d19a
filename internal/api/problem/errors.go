package problem

import (
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Of turns an error into a problem. It is the only place that chooses a status for an error.
func Of(err error) *Problem {
	var p *Problem
	var refused *auth.Error
	var running *idempotency.RunningError
	var unplayed *play.Refusal
	var unopen *game.DateError
	var often *recompute.ErasedTooOftenError
	var exported *playerdata.TooOftenError
	var short *wallet.ShortError
	var maintained *control.MaintenanceError
	var changed *ruleset.ChangedError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &maintained):
		p = newProblem("maintenance", maintained.Error())
		p.Wait = maintenanceWait(maintained)
		return p
	case errors.As(err, &changed):
		p = newProblem("rules-changed", changed.Error()+". Until the operator deploys the rules that the boards are kept by, or accepts these (lbctl game accept), everything is read and nothing is written")
		p.Wait = rulesWait
		return p
	case errors.As(err, &refused):
		return credentialProblem(refused)
	case errors.As(err, &unplayed):
		p = newProblem("play-refused", unplayed.Detail)
		p.Reason = unplayed.Reason
		return p
	case errors.As(err, &unopen):
		p = newProblem("date-closed", unopen.Error())
		for _, open := range unopen.Open {
			p.OpenDates = append(p.OpenDates, open.String())
		}
		return p
	case errors.As(err, &running):
		p = newProblem("idempotency-key-in-use", "the first request with this Idempotency-Key is still running; send the same again after Retry-After")
		p.Wait = running.Wait
		return p
	case errors.As(err, &often):
		p = newProblem("rate-limited", often.Error()+" (UTC); what a cut-off request left is erased by the schedule")
		p.Wait = often.Wait
		return p
	case errors.As(err, &short):
		left := short.Left()
		p = newProblem("too-little", short.Error())
		p.Balance = &left
		return p
	case errors.As(err, &exported):
		p = newProblem("rate-limited", exported.Error()+" (UTC); the pages after a first one are not counted")
		p.Wait = exported.Wait
		p.Limit = &limit.Decision{Rule: limit.Rule{Name: "export-player", Count: playerdata.OwnExports, Window: 24 * time.Hour}, Wait: exported.Wait}
		return p
	case errors.As(err, new(behind)):
		return Unavailable("this part needs tables that the history's database does not have yet; its operator has to run lbctl migrate", migrationWait)
	}
	for _, known := range sentinels {
		if errors.Is(err, known.err) {
			return known.problem(err)
		}
	}
	return redisProblem(err)
}

func credentialProblem(refused *auth.Error) *Problem {
	switch refused.Code {
	case auth.Unavailable:
		return Unavailable(refused.Reason, 0)
	case auth.Forbidden:
		return Forbidden(refused.Reason)
	}
	return newProblem("unauthenticated", refused.Reason)
}

// redisProblem is the problem of a failure of Redis, and of any unexpected error.
func redisProblem(err error) *Problem {
	var redis *upstash.Error
	if errors.As(err, &redis) {
		switch redis.Kind() {
		case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
			return Unavailable("the store cannot be reached or is over its limits; nothing is half done, try again", redis.RetryAfter())
		case upstash.KindAuth:
			return Unavailable("the store refuses this deployment's credential; its operator has to give it the right one", CredentialWait)
		}
	}
	return newProblem("internal", "the request failed for a reason that is not yours; it has been logged")
}

// maintenanceWait is how long a caller who may not write now should wait.
func maintenanceWait(e *control.MaintenanceError) time.Duration {
	if e.Until.IsZero() {
		return endlessWait
	}
	return min(max(time.Second, e.Left), plannedWait)
}

// as makes problems of one kind with a fixed detail.
func as(kind, detail string) func(error) *Problem {
	return func(error) *Problem { return newProblem(kind, detail) }
}

// saying makes problems of one kind whose detail is the error's text.
func saying(kind string) func(error) *Problem {
	return func(err error) *Problem { return newProblem(kind, err.Error()) }
}

func away(detail string) func(error) *Problem {
	return func(error) *Problem { return Unavailable(detail, 0) }
}

const keyReused = "this Idempotency-Key was used for another request; take a new key for a new request"

// ErrHistoryAway says that the history cannot be reached.
var ErrHistoryAway = errors.New("the history cannot be reached")

// sentinels are the errors that are a single value, each with its problem.
var sentinels = []struct {
	err     error
	problem func(error) *Problem
}{
	{leaderboard.ErrNotOnBoard, saying("not-on-board")},
	{leaderboard.ErrCursor, func(error) *Problem {
		return badField("?cursor", "the cursor is not one that this board gave out; begin again without one")
	}},
	{leaderboard.ErrCursorLost, func(err error) *Problem { return badField("?cursor", err.Error()+"; begin again without one") }},
	{leaderboard.ErrKeyReused, as("idempotency-key-reused", keyReused)},
	{idempotency.ErrReused, as("idempotency-key-reused", keyReused)},
	{leaderboard.ErrDayTotal, saying("score-out-of-bounds")},
	{derive.ErrUnfinished, away("the board is made of more than one request has time for; it is tried again every few minutes, and each night")},
	{control.ErrBanned, as("banned", "this player may not play")},
	{recompute.ErrClaimed, saying("device-taken")},
	{recompute.ErrRolledUp, saying("not-removable")},
	{recompute.ErrHistory, saying("not-removable")},
	{recompute.ErrRollingUp, func(err error) *Problem { return Unavailable(err.Error(), rollUpWait) }},
	{review.ErrUnknown, saying("not-found")},
	{review.ErrFull, func(error) *Problem {
		return Unavailable("as many plays wait for the operator as there is room for; send the same again later", heldWait)
	}},
	{redis.ErrVanished, away("the player's entry was removed meanwhile; try again")},

	{ErrHistoryAway, away("this period has left Redis, and the history cannot be reached just now; periods that are still there are answered")},
	{game.ErrDatabaseAway, away("the database of the history and of friends cannot be reached; send the same again")},
	{playerdata.ErrNoLog, as("no-database", `this deployment has no database; what operators do stands in the functions' logs, in lines with "msg":"audit"`)},
	{playerdata.ErrNoArchive, as("no-database", "this deployment has no database, and this is read from there")},

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
	{duel.ErrNotPlaying, func(error) *Problem {
		return badField("/winner", "this must be one of the two players, or null for a draw")
	}},
}

// AfterDeadline makes a caller who may retry wait until the claim of the idempotency key has
// ended.
func AfterDeadline(err error) error {
	p := *Of(err)
	if p.Status != http.StatusServiceUnavailable {
		return err
	}
	p.Wait = max(p.Wait, idempotency.Deadline)
	return &p
}

// behind is the error of a database whose tables are older than this build needs. It is
// recognized by its method, because the functions that take scores do not link the archive.
type behind interface {
	error
	Needs() int64 // migration
}

// Behind reports whether an error is a behind, and its text without the operation's.
func Behind(err error) (detail string, yes bool) {
	var b behind
	if yes = errors.As(err, &b); yes {
		detail = b.Error()
	}
	return detail, yes
}
