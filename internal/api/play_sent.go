package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// orUsed turns an error about a reused idempotency key into one about the play, if there is a
// play.
func (a scores) orUsed(s scoreRequest, err error) error {
	if s.play.Sent() && (errors.Is(err, idempotency.ErrReused) || errors.Is(err, leaderboard.ErrKeyReused)) {
		return a.Plays.Refuse(Used, "this play was used with a different body; request a new one for each score")
	}
	return err
}

// sendPlay writes the score of a play, or repeats the answer if the play was answered before.
//
// Cost: that of claiming the play and of keeping its answer, in addition to the score's.
func (a scores) sendPlay(r *gate.Request, s scoreRequest) (answer idempotency.Answer, replayed bool, err error) {
	if s.play.Late != nil {
		return a.repeatLate(r.Context(), s)
	}
	if !a.Calendar.Writable(s.sub.Date) {
		return answer, false, a.dayProblem(leaderboard.ErrDaySealed, s.sub, s.now)
	}
	if err := a.Notices.MayPlay(r.Context(), s.sub.Player); err != nil {
		return answer, false, err
	}
	// A player who disconnects and sends the play again finds the answer.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), idempotency.Deadline-idempotency.SettleTime)
	defer cancel()
	claim, err := a.Plays.Claim(ctx, s.sub, s.play)
	if err != nil {
		return answer, false, err
	}
	if kept, ok := claim.Answer(); ok {
		answer, err = a.answered(s, kept)
		return answer, true, err
	}
	outcome, err := a.takeEffect(ctx, r, s, claim.TookOver())
	if err == nil {
		answer, err = a.answer(s, outcome)
	}
	settle, cancelSettle := context.WithTimeout(context.WithoutCancel(ctx), idempotency.SettleTime)
	defer cancelSettle()
	if err != nil {
		// A refused play had no effect, unless the earlier claimant's attempt had one.
		none := problem.Of(err).Status < http.StatusInternalServerError && !claim.TookOver()
		if claim.Release(settle, none) != nil {
			err = problem.AfterDeadline(err)
		}
		return answer, false, err
	}
	if err := claim.Keep(settle, outcome.text(), outcome.Details); err != nil {
		// Without a record a retry might get another answer, so this one is not given.
		return idempotency.Answer{}, false, problem.AfterDeadline(err)
	}
	return answer, false, nil
}

// takeEffect writes the score of a play. It may do so a second time if again is true.
func (a scores) takeEffect(ctx context.Context, r *gate.Request, s scoreRequest, again bool) (scoreOutcome, error) {
	if s.play.Held != "" {
		return scoreOutcome{Outcome: leaderboard.Outcome{Status: heldStatus}, submitted: s.sub.Score}, a.Plays.Hold(ctx, s.sub, s.play) // it counts for nothing yet
	}
	outcome, err := a.writeScore(ctx, r, s)
	if err == nil && again {
		a.complete(s, &outcome.Outcome)
	}
	return outcome, err
}

// complete corrects the outcome of a play that an earlier request had claimed. If the same
// score is on the board and was achieved after the play began, the earlier request wrote it,
// so the status is not kept but accepted or improved. Only the earlier request knew whether
// the board already had an entry of the player, and it ended without recording that.
func (a scores) complete(s scoreRequest, o *leaderboard.Outcome) {
	m := s.sub.Mode
	since := m.PlayedBefore(a.Game, s.sub.Date, o.Stored).Add(-m.Resolution())
	if o.Status != game.Kept || o.Score != s.sub.Score || since.Before(s.play.At) {
		return
	}
	if o.Status = game.Improved; m.Policy == game.First {
		o.Status = game.Accepted
	}
	if s.sub.KeepsDetails() {
		o.Details = game.DetailsRecord(m, o.Stored, s.sub.Details)
	}
}

// repeatLate finds the answer that a submission which is too late got in time. If it did not
// come in time, repeatLate refuses it with the reason for which it is late.
//
// Cost: 1 billed command; none once answers of that age are no longer kept.
func (a scores) repeatLate(ctx context.Context, s scoreRequest) (answer idempotency.Answer, replayed bool, err error) {
	if s.now.Sub(s.play.At) > idempotency.Life+a.Game.Play.Life {
		return answer, false, s.play.Late
	}
	kept, ok, err := a.Plays.Answer(ctx, s.sub, s.play)
	if err != nil {
		return answer, false, err
	}
	if !ok {
		return answer, false, s.play.Late
	}
	answer, err = a.answered(s, kept)
	return answer, true, err
}

// playedAnswer is what the answer to a score adds in modes with plays: what the play has
// brought its player.
type playedAnswer struct {
	XP     *int64        `json:"xp,omitempty"`     // for the day, by the current score; nil: the mode gives none
	Streak *streakAnswer `json:"streak,omitempty"` // nil: the game counts none, or it could not be read
}

// played reads what a play has brought while its score is written, so that reading takes no
// additional time. In modes without plays it reads nothing.
//
// Cost: that of leaderboard.Streaks.With.
func (a scores) played(ctx context.Context, s scoreRequest) func(leaderboard.Outcome) *playedAnswer {
	m := s.sub.Mode
	if !m.NeedsPlay {
		return func(leaderboard.Outcome) *playedAnswer { return nil }
	}
	streak := make(chan *streakAnswer, 1)
	if a.Game.Streak.Off {
		streak <- nil
	} else {
		go func() {
			read, err := a.streaks.StreakAfter(ctx, s.sub.Player, s.sub.Date)
			if err != nil {
				streak <- nil
				return
			}
			streak <- newStreakAnswer(read)
		}()
	}
	return func(o leaderboard.Outcome) *playedAnswer {
		answer := &playedAnswer{Streak: <-streak}
		if m.GivesXP() {
			xp := m.XPOf(o.Score)
			answer.XP = &xp
		}
		return answer
	}
}

// gains are what the play of a score has brought its player in features; none without a play.
func (a scores) gains(ctx context.Context, s scoreRequest) ([]string, error) {
	if !s.play.Sent() {
		return nil, nil
	}
	texts := make([]string, len(a.Gains))
	for i, gain := range a.Gains {
		var err error
		if texts[i], err = gain.Of(ctx, s.sub, s.play); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
