// Package once has a play take effect once. A play that was sent is claimed, and what it
// was answered is kept, in one command each: the claim also counts what the play earns,
// and the answer takes the details of the player's entry along.
//
// A claim says nothing of whose it is. So whoever finds one without an answer cannot tell
// a process that is at it from one that died, and leaves a note when that was seen;
// [idem.Deadline] later nobody is at it any more, and the next request takes its turn.
// The effect must bear repetition, as that of a request with a key: see package idem.
//
//	what died before      leaves            and the next request
//	the claim             nothing           claims the play
//	the effect            the claim         waits, then has the effect
//	the answer was kept   claim and effect  waits, then has the effect again, which changes
//	                                        nothing, and keeps the answer
//	it was given          all of it         is answered the same
//
// A claim whose answer was lost is one of a process that died. A request that fails and
// lives gives its turn to the next at once.
//
// The package knows keys and records. It must not know what a play is for, or what an
// answer says.
package once

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Play is a play as it was sent.
type Play struct {
	Mode        *game.Mode
	Date        game.Date
	Player      string
	ID          string // a digest of its nonce
	Fingerprint string // of what was sent with it; without spaces
	Held        bool   // it earns nothing yet
}

// Records claims plays. It is safe for concurrent use.
type Records struct {
	db   *rdb.DB
	keys *notices.Keys
}

// New makes Records.
func New(db *rdb.DB, keys *notices.Keys) *Records { return &Records{db, keys} }

// Claim is one request's hold on a play, or the answer that was kept of it.
type Claim struct {
	records *Records
	play    Play
	until   time.Time
	took    bool
	answer  string
	kept    bool
}

// Answer is what was kept of the play; ok is false for a claim that is one's own.
func (c Claim) Answer() (text string, ok bool) { return c.answer, c.kept }

// TookOver reports whether another request had claimed the play before, which may have
// had its effect.
func (c Claim) TookOver() bool { return c.took }

// ErrUnsure is beside an error of Redis after which the claim may stand. Then the play
// can be claimed once [idem.Deadline] has passed since somebody asked for it again.
var ErrUnsure = errors.New("nobody knows whether the play was claimed")

// Claim takes hold of a play, or finds its answer.
//
// Cost: 1 billed command; 2 for a play that was answered; 5 to 8 in 3 round trips for
// one that was claimed and has no answer. 1 more once per process for a new day.
//
// Errors: [idem.ErrReused], an *[idem.RunningError], [ErrUnsure], or that of Redis.
func (r *Records) Claim(ctx context.Context, p Play) (Claim, error) {
	c := Claim{records: r, play: p, until: r.db.Now().Add(idem.Deadline)}
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
	answered := c.kept || errors.Is(err, idem.ErrReused)
	switch {
	case answered && added > 0: // what was held, or was taken out, earns nothing
		err = errors.Join(err, r.uncount(ctx, p))
	case err == nil && !answered:
		err = c.takeTurn(ctx)
	}
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

// mark adds all of the marks of a play: by how many are new it is seen whether it was
// sent before.
func (r *Records) mark(ctx context.Context, p Play, marks []string) (added int, err error) {
	plays := notices.DayKey{Mode: p.Mode.Name, Date: p.Date, Plays: true}
	words := []string{"ZADD", plays.Key()}
	for _, mark := range marks {
		words = append(words, "0", mark)
	}
	var n int64
	var line rdb.Pipeline
	line.Add(upstash.Cmd(words...).Idempotent(), rdb.IntInto(&n))
	err = r.send(ctx, &line, plays)
	var failure *upstash.Error
	if err != nil && n > 0 || errors.As(err, &failure) && failure.MaybeApplied() {
		err = errors.Join(err, ErrUnsure)
	}
	return int(n), rdb.Wrap("claim a play", err)
}

// send sends what is written to a key, behind which its expiry is seen to.
func (r *Records) send(ctx context.Context, line *rdb.Pipeline, to notices.DayKey) error {
	touched := r.keys.Touch()
	touched.See(line, to)
	if _, err := line.Run(ctx, r.db.Redis); err != nil {
		return err
	}
	if !touched.Done() {
		return r.keys.Relearn(ctx, touched.Round, touched.All)
	}
	return nil
}

// counts reports whether the play is to be counted: it earns by itself.
func (r *Records) counts(p Play) bool { return !p.Held && r.db.Game.Currencies.Counts(p.Mode) }

func (r *Records) uncount(ctx context.Context, p Play) error {
	_, err := r.db.Redis.Do(ctx, uncounting(p).Idempotent())
	return rdb.Wrap("take a play out of those that earn", err)
}

func uncounting(p Play) upstash.Command {
	return upstash.Cmd("ZREM", game.PlaysKey(p.Mode.Name, p.Date), game.PlayOf(p.Player, p.ID))
}

// Find is the answer that was kept of a play; ok is false where there is none.
//
// Cost: 1 billed command.
//
// Errors: [idem.ErrReused], or that of Redis.
func (r *Records) Find(ctx context.Context, p Play) (answer string, ok bool, err error) {
	reply, err := r.db.Redis.Do(ctx, upstash.Cmd("HGET", game.DetailsKey(p.Mode.Name, p.Date), game.AnswerField(p.ID)))
	if err != nil {
		return "", false, rdb.Wrap("find the answer to a play", err)
	}
	if reply.IsNil() {
		return "", false, nil
	}
	record, err := reply.Text()
	if err != nil {
		return "", false, rdb.Wrap("find the answer to a play", err)
	}
	return open(p, record)
}

// open reads a record: "fingerprint answer".
func open(p Play, record string) (answer string, ok bool, err error) {
	fingerprint, answer, _ := strings.Cut(record, " ")
	if fingerprint != p.Fingerprint {
		return "", false, idem.ErrReused
	}
	return answer, true, nil
}

// Keep keeps the answer, for as long as the day's board lives, with the details of the
// player's entry, where details is not empty.
//
// Cost: 1 billed command, and 1 more once per process for a new day; 1 more for a play
// that was held. None where the claim has run out, since another request may have the
// play by then.
func (c Claim) Keep(ctx context.Context, answer, details string) error {
	if !c.holds() {
		return nil
	}
	p := c.play
	to := notices.DayKey{Mode: p.Mode.Name, Date: p.Date, Details: true}
	var line rdb.Pipeline
	if p.Held && c.records.db.Game.Currencies.Counts(p.Mode) { // another body may have counted it meanwhile
		line.Add(uncounting(p).Idempotent(), nil)
	}
	words := []string{"HSET", to.Key(), game.AnswerField(p.ID), p.Fingerprint + " " + answer}
	if details != "" {
		words = append(words, p.Player, details)
	}
	line.Add(upstash.Cmd(words...).Idempotent(), nil)
	return rdb.Wrap("keep the answer to a play", c.records.send(ctx, &line, to))
}

func (c Claim) holds() bool {
	return c.records != nil && !c.kept && c.records.db.Now().Before(c.until.Add(-idem.Margin))
}

// Release lets the next request with the play have its turn at once, after an error.
// Where it surely had no effect, none says so: then the play earns nothing either.
//
// Cost: 1 billed command, and 1 for a play that would have earned and had no effect.
func (c Claim) Release(ctx context.Context, none bool) error {
	if !c.holds() {
		return nil
	}
	var line rdb.Pipeline
	if none && c.records.counts(c.play) {
		line.Add(uncounting(c.play).Idempotent(), nil)
	}
	line.Add(upstash.Cmd("SET", game.TurnKey(c.play.ID), nobody, "PX", millis(turnLife-idem.Deadline)).Idempotent(), nil)
	_, err := line.Run(ctx, c.records.db.Redis)
	return rdb.Wrap("give a play back", err)
}

func millis(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }
