// Package once lets a play take effect only once. A request with a play claims the play, runs
// the effect, and keeps the answer. Claiming and keeping cost one command each, because they
// share commands: the claim also counts the play for the currencies, and the answer is
// written with the details of the player's entry.
//
// A claim does not say which process holds it. So a request that finds a claim without an
// answer cannot tell a running process from one that died. It writes a note, and asks its
// caller to wait; [idempotency.Deadline] after the note no process can still be running the effect,
// and the next request takes the turn. The effect must be idempotent, like that of a request
// with a key: see package idempotency.
//
//	a process died before   it leaves         and the next request
//	the claim               nothing           claims the play
//	the effect              the claim         waits, then runs the effect
//	the answer was kept     claim and effect  waits, then runs the effect again, which
//	                                          changes nothing, and keeps the answer
//	it answered             all of it         gets the same answer
//
// So a claim without an answer means that a process died or is running. A request that fails
// but lives passes its turn to the next one at once.
//
// The package knows keys and records. It must not know what a play is for, or what an answer
// says.
package once

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Play identifies a play, as it was sent.
type Play struct {
	Mode        *game.Mode
	Date        game.Date
	Player      string
	ID          string // a digest of its nonce
	Fingerprint string // of the body that came with it; without spaces
	Held        bool   // it earns nothing yet
}

// Records claims plays. It is safe for concurrent use.
type Records struct{ db *redis.DB }

// New makes Records.
func New(db *redis.DB) *Records { return &Records{db} }

// Claim is one request's claim of a play, or the answer that was kept.
type Claim struct {
	records *Records
	play    Play
	until   time.Time
	took    bool
	answer  string
	kept    bool
}

// Answer is the answer that was kept; ok is false if the caller holds the claim.
func (c Claim) Answer() (text string, ok bool) { return c.answer, c.kept }

// TookOver reports whether another request had claimed the play before. Its effect may have
// happened.
func (c Claim) TookOver() bool { return c.took }

// ErrUnsure is joined to an error of Redis after which the play may be claimed nevertheless.
// The play can then be claimed [idempotency.Deadline] after the next request for it.
var ErrUnsure = errors.New("it is not known whether the play was claimed")

// Claim claims a play, or finds its answer.
//
// Cost: 1 billed command; 2 for a play that was answered; 5 to 8 in 3 round trips for
// one that was claimed and has no answer.
//
// Errors: [idempotency.ErrReused], an *[idempotency.RunningError], [ErrUnsure], or that of Redis.
func (r *Records) Claim(ctx context.Context, p Play) (Claim, error) {
	c := Claim{records: r, play: p, until: r.db.Now().Add(idempotency.Deadline)}
	marks := []string{game.SentPlay(p.ID)}
	if r.counts(p) {
		marks = append(marks, game.PlayOf(p.Player, p.ID))
	}
	added, err := r.mark(ctx, p, marks)
	if err != nil {
		return Claim{}, err
	}
	if added == len(marks) {
		return c, nil
	}
	c.answer, c.kept, err = r.Find(ctx, p)
	answered := c.kept || errors.Is(err, idempotency.ErrReused)
	switch {
	case answered && added > 0: // the play was held or taken out before, so it earns nothing
		err = errors.Join(err, r.uncount(ctx, p))
	case err == nil && !answered:
		err = c.takeTurn(ctx)
	}
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

// mark adds all marks of a play. How many of them are new shows whether the play was sent
// before.
func (r *Records) mark(ctx context.Context, p Play, marks []string) (added int, err error) {
	words := []string{"ZADD", game.PlaysKey(p.Mode.Name, p.Date)}
	for _, mark := range marks {
		words = append(words, "0", mark)
	}
	var n int64
	var line redis.Pipeline
	line.Add(upstash.Cmd(words...).Idempotent(), redis.IntInto(&n))
	if derive.MayBeLate(r.db, p.Date) { // else nobody may see to the key's expiry
		line.Add(derive.DayKey{Mode: p.Mode.Name, Date: p.Date}.ListEmpty(), nil)
	}
	_, err = line.Run(ctx, r.db.Redis)
	var failure *upstash.Error
	if err != nil && n > 0 || errors.As(err, &failure) && failure.MaybeApplied() {
		err = errors.Join(err, ErrUnsure)
	}
	return int(n), redis.Wrap("claim a play", err)
}

// counts reports whether the play earns currency at once.
func (r *Records) counts(p Play) bool { return !p.Held && p.Mode.CountsPlays() }

func (r *Records) uncount(ctx context.Context, p Play) error {
	_, err := r.db.Redis.Do(ctx, uncounting(p).Idempotent())
	return redis.Wrap("take a play out of those that earn", err)
}

func uncounting(p Play) upstash.Command {
	return upstash.Cmd("ZREM", game.PlaysKey(p.Mode.Name, p.Date), game.PlayOf(p.Player, p.ID))
}

// Find finds the answer that was kept of a play; ok is false if there is none.
//
// Cost: 1 billed command.
//
// Errors: [idempotency.ErrReused], or that of Redis.
func (r *Records) Find(ctx context.Context, p Play) (answer string, ok bool, err error) {
	reply, err := r.db.Redis.Do(ctx, upstash.Cmd("HGET", game.DetailsKey(p.Mode.Name, p.Date), game.AnswerField(p.ID)))
	if err != nil {
		return "", false, redis.Wrap("find the answer to a play", err)
	}
	if reply.IsNil() {
		return "", false, nil
	}
	record, err := reply.Text()
	if err != nil {
		return "", false, redis.Wrap("find the answer to a play", err)
	}
	return open(p, record)
}

// open reads a record: "fingerprint answer".
func open(p Play, record string) (answer string, ok bool, err error) {
	fingerprint, answer, _ := strings.Cut(record, " ")
	if fingerprint != p.Fingerprint {
		return "", false, idempotency.ErrReused
	}
	return answer, true, nil
}

// Keep keeps the answer for as long as the day's board lives, and the details of the player's
// entry, unless details is empty.
//
// Cost: 1 billed command; 1 more for a play that was held. None if the claim has ended, because another request may hold the play by then.
func (c Claim) Keep(ctx context.Context, answer, details string) error {
	if !c.holds() {
		return nil
	}
	p := c.play
	var line redis.Pipeline
	if p.Held && p.Mode.CountsPlays() { // a request with another body may have counted it meanwhile
		line.Add(uncounting(p).Idempotent(), nil)
	}
	words := []string{"HSET", game.DetailsKey(p.Mode.Name, p.Date), game.AnswerField(p.ID), p.Fingerprint + " " + answer}
	if details != "" {
		words = append(words, p.Player, details)
	}
	line.Add(upstash.Cmd(words...).Idempotent(), nil)
	_, err := line.Run(ctx, c.records.db.Redis)
	return redis.Wrap("keep the answer to a play", err)
}

func (c Claim) holds() bool {
	return c.records != nil && !c.kept && c.records.db.Now().Before(c.until.Add(-idempotency.Margin))
}

// Release passes the turn to the next request with the play, after an error. None says that
// the play surely had no effect; then it earns nothing either.
//
// Cost: 1 billed command, and 1 for a play that would have earned and had no effect.
func (c Claim) Release(ctx context.Context, none bool) error {
	if !c.holds() {
		return nil
	}
	var line redis.Pipeline
	if none && c.records.counts(c.play) {
		line.Add(uncounting(c.play).Idempotent(), nil)
	}
	line.Add(upstash.Cmd("SET", game.TurnKey(c.play.ID), nobody, "PX", millis(turnLife-idempotency.Deadline)).Idempotent(), nil)
	_, err := line.Run(ctx, c.records.db.Redis)
	return redis.Wrap("give a play back", err)
}

func millis(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }
