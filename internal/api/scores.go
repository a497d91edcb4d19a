package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// scores are the endpoints that take scores.
type scores struct{ *API }

// routes are the routes of scores.
func (s scores) routes() []gate.Route {
	return []gate.Route{
		s.ScoreRoute("submit", s.postScore),
		{Function: "submit", Pattern: "POST /v1/scores/batch", Auth: gate.GameServer, Limit: limit.Submit, Body: gate.RequiredBatch,
			Steady: 3, Keyed: true, BlockedInMaintenance: true, Serve: s.postScores},
	}
}

// ScoreRoute is the route of single scores, of the function that takes them.
func (a *API) ScoreRoute(function string, serve gate.Endpoint) gate.Route {
	// Steady: with a view of the neighbours, the week and, if there are, the friends; without a view 4
	// with an Idempotency-Key, else 2.
	return gate.Route{Function: function, Pattern: "POST /v1/scores", Auth: gate.AnyPlayerOrServer, Limit: limit.Submit, Body: gate.Required,
		Price: scorePrice(a.Game), Steady: 5 + a.FriendsSteady, Keyed: true, BlockedInMaintenance: true, Serve: serve}
}

// scoreRequest is a request for one score that has passed every check.
type scoreRequest struct {
	sub   game.Submission
	view  View
	seen  *leaderboard.PlaceHint // what the write saw of the board, for the view
	play  Play
	taken limit.Decision
	now   time.Time
}

// postScore takes one score: POST /v1/scores.
func (a scores) postScore(w http.ResponseWriter, r *gate.Request) error {
	s, err := a.readScore(w, r)
	if err != nil {
		return err
	}
	send := a.sendScore
	if s.play.Sent() {
		send = a.sendPlay
	}
	answer, replayed, err := send(r, s)
	if err != nil {
		return a.orUsed(s, err)
	}
	// The record of a key holds the answer without the view: a retry sees boards as they are
	// then.
	var lacks budget.Measures
	if answer.Status != http.StatusAccepted { // a held score is not on any board yet
		answer.Body, lacks = a.withView(r, s, answer.Body)
	}
	ShowDegraded(w, lacks)
	gate.WriteOnce(w, r, answer, replayed)
	return nil
}

// readScore checks a request for one score, and counts it against the limits.
func (a scores) readScore(w http.ResponseWriter, r *gate.Request) (scoreRequest, error) {
	by := a.sender(r)
	read, err := a.reader.ReadScore(r.Sent, by)
	if err != nil {
		return scoreRequest{}, err
	}
	s := scoreRequest{sub: read.Submission, view: read.View, play: read.Play, seen: new(leaderboard.PlaceHint), now: by.Now}
	s.sub.ShowsAround = s.view.Has(ViewAround)
	s.sub.Claimed, s.sub.Idempotency = s.play.Sent(), s.play.Record // by which the outbox names the play
	if s.sub.Mode.Policy == game.Sum {
		key := r.Key
		if s.play.Sent() {
			key = "play " + s.play.ID
		}
		if s.sub.Idempotency, err = recordOfSum(r, s.sub.Mode, key, r.Sent); err != nil {
			return s, err
		}
	}
	if s.taken, err = a.Gate.CountScore(w, r); err != nil {
		return s, err
	}
	return s, a.Claimed.Check(r.Context(), r.Caller)
}

// ReadLater makes every check of a single score that needs no Redis, for a feature that writes
// the score later. The answer has a status of that feature's.
//
// Cost: none.
func (a *API) ReadLater(w http.ResponseWriter, r *gate.Request, status game.Status) (sub game.Submission, answer any, err error) {
	s, err := scores{a}.readScore(w, r)
	if err != nil {
		return sub, nil, err
	}
	if s.sub.Mode.NeedsPlay {
		return sub, nil, a.Plays.Refuse(NotTaken, WrittenLater)
	}
	if !a.Calendar.Writable(s.sub.Date) {
		return sub, nil, scores{a}.dayProblem(leaderboard.ErrDaySealed, s.sub, s.now)
	}
	return s.sub, newWaitingAnswer(s, status), nil
}

// sender describes who sends a single score.
func (a scores) sender(r *gate.Request) Sender {
	by := Sender{Caller: r.Caller, Now: a.Now(), Alone: true}
	if !by.IsDevice() {
		by.Belongs = func(groups []string) (bool, error) { return a.Groups.Has(r.Context(), by.Player.ID, groups) }
	}
	if !by.IsServer() {
		by.Header = r.Header // a game server's country says nothing of its players'
	}
	return by
}

// recordOfSum is the record that keeps a score from being added twice. Other policies need
// none: repeating their writes changes nothing.
func recordOfSum(r *gate.Request, m *game.Mode, key string, body []byte) (game.IdempotencyRecord, error) {
	if key == "" {
		return game.IdempotencyRecord{}, problem.BadRequest("the mode " + m.Called() + " adds scores up, so the header " +
			gate.KeyHeader + " is required: a new key for each score, the same key for a retry of it")
	}
	return r.RecordOf(key, body), nil
}

// sendScore writes a score that comes without a play.
func (a scores) sendScore(r *gate.Request, s scoreRequest) (answer idempotency.Answer, replayed bool, err error) {
	k := r.Record()
	if s.sub.Mode.Policy == game.Sum {
		k = game.IdempotencyRecord{} // a sum keeps its own record, written in the same step as the score
	}
	repeated := false
	answer, replayed, err = a.Gate.Once(r.Context(), k, func(ctx context.Context) (int, any, bool, error) {
		outcome, err := a.writeScore(ctx, r, s)
		repeated = outcome.Status == game.Replayed
		return outcome.code(), newPlayedAnswer(s.sub, outcome), false, err
	})
	return answer, replayed || repeated, err
}

// writeScore writes a score, and reads what its play has brought meanwhile.
func (a scores) writeScore(ctx context.Context, r *gate.Request, s scoreRequest) (scoreOutcome, error) {
	beside := a.played(ctx, s)
	outcome, err := a.submit(ctx, r.Caller, s)
	if err != nil {
		return scoreOutcome{}, err
	}
	meterAccepted(ctx, outcome)
	gains, err := a.gains(ctx, s)
	if err != nil {
		return scoreOutcome{}, err
	}
	return scoreOutcome{outcome, s.sub.Score, beside(outcome), gains}, nil
}

// submit writes a submission that was counted against the limits. If the policy is first and
// the play was accepted, submit takes the count back, so that only attempts to repeat a play count. First plays of devices keep counting: anybody
// can get new devices, each with a first play.
func (a scores) submit(ctx context.Context, who gate.Caller, s scoreRequest) (leaderboard.Outcome, error) {
	sent := a.Beside(s.sub)
	outcome, err := a.Boards.Submit(ctx, s.sub)
	sent()
	if err != nil {
		return outcome, a.dayProblem(err, s.sub, s.now)
	}
	*s.seen = outcome.Hint()
	if s.sub.Mode.Policy == game.First && outcome.Status == game.Accepted && !who.IsDevice() {
		s.taken.TakeBack()
	}
	return outcome, nil
}

// Pass writes a held score that an operator lets pass.
func (a *API) Pass(ctx context.Context, sub game.Submission) (answer any, err error) {
	sub.Held = true
	outcome, err := a.Boards.Submit(ctx, sub)
	if err != nil {
		return nil, scores{a}.dayProblem(err, sub, a.Now())
	}
	return newScoreAnswer(sub, outcome), nil
}

// dayProblem turns the error of a sealed day into one that names the date.
func (a scores) dayProblem(err error, sub game.Submission, now time.Time) error {
	if err == leaderboard.ErrDaySealed {
		return game.RefuseDate(a.Game, sub.Date, now, "too old: its board can no longer change")
	}
	return err
}

// meterAccepted counts a score that changed a board for the usage figures.
func meterAccepted(ctx context.Context, o leaderboard.Outcome) {
	if o.Status == game.Accepted || o.Status == game.Improved {
		usage.Accepted(ctx, 1)
	}
}

// read turns what was sent into the mode's score. If the mode takes no such score, the faults
// are in f and the score is 0.
func (s sentScore) read(f *decode.Object, mode *game.Mode) (score game.Score, outOfBounds error) {
	switch {
	case s.hasNumber && mode == nil:
		checkNumber(f, s.number)
	case s.hasNumber && !mode.Composite():
		return readNumber(f, mode, s.number)
	case s.hasValues && !s.hasNumber && mode != nil && mode.Composite():
		return readValues(f, mode, s.values)
	}
	return 0, nil
}

// checkNumber checks a score whose mode is unknown. It refuses what no mode takes; bounds
// depend on the mode, so it ignores them.
func checkNumber(f *decode.Object, number string) {
	_, err := game.ParseScaled(number, game.MaxDecimals)
	var fault *game.ScoreError
	if errors.As(err, &fault) && fault.Kind != game.OutOfBounds {
		f.Fault("score", fault.Detail)
	}
}

// readNumber reads the one number that a mode ranks by.
func readNumber(f *decode.Object, mode *game.Mode, number string) (score game.Score, outOfBounds error) {
	score, err := mode.ParseScore(number)
	var fault *game.ScoreError
	switch {
	case err == nil:
	case errors.As(err, &fault) && fault.Kind == game.OutOfBounds:
		return 0, problem.ScoreOutOfBounds(f.At+"/score", fault.Detail)
	default:
		f.Fault("score", err.Error())
	}
	return score, nil
}

// readValues reads one number for each of the mode's values.
func readValues(f *decode.Object, mode *game.Mode, raw json.RawMessage) (score game.Score, outOfBounds error) {
	of := decode.Open(raw, f.At+"/values")
	read := make([]game.Score, len(mode.Values))
	var beyond []problem.Field
	for i := range mode.Values {
		v := &mode.Values[i]
		number, ok := of.Number(v.Name, decode.Required)
		if !ok {
			continue
		}
		n, err := v.Parse(number)
		var fault *game.ScoreError
		switch {
		case err == nil:
			read[i] = n
		case errors.As(err, &fault) && fault.Kind == game.OutOfBounds:
			beyond = append(beyond, problem.At(of.At+"/"+v.Name, fault.Detail))
		default:
			of.Fault(v.Name, err.Error())
		}
	}
	if of.Done() != nil {
		f.Faults = append(f.Faults, of.Faults...)
		return 0, nil
	}
	if len(beyond) > 0 {
		return 0, problem.ValuesOutOfBounds(beyond)
	}
	score, err := mode.Pack(read)
	if err != nil { // all values are right, so nothing else can be wrong
		f.Fault("values", err.Error())
	}
	return score, nil
}
