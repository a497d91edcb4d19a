// Package idem keeps the answers to requests that carry an idempotency key, so
// that a request which is sent again gets its first answer and has no second
// effect.
//
// A key is claimed, then kept with its answer, or released: two billed
// commands, one before the effect and one after it. Nobody else can claim it
// meanwhile. A process that dies in between leaves a claim that ends by itself
// after Deadline; the next request takes over then and repeats the effect.
// So the effect must bear repetition, or keep a record of its own in the same
// atomic step, as sums do; such a record lies under the same Redis key, so
// that one idempotency key never stands for both.
//
// The package knows Redis keys and records. It must not know routes, callers or
// what an answer says.
package idem

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// Deadline is how long a claim stands that is neither kept nor released.
	Deadline = 10 * time.Second
	// Life is how long an answer is kept.
	Life = 24 * time.Hour
	// Margin is how long before its deadline a claim is no longer written to:
	// somebody else could have taken over by the time that the write arrives.
	Margin = time.Second
	// SettleTime bounds what is still to be done for a key when the request's own
	// time may be over.
	SettleTime = 2 * time.Second
)

// ErrReused is returned when a key stands for another request.
var ErrReused = errors.New("the idempotency key was used for another request")

// RunningError is returned while the first request of a key is under way.
type RunningError struct {
	Wait time.Duration // at the latest then, the key can be claimed again
}

func (e *RunningError) Error() string {
	return "the first request with this idempotency key is still running"
}

// Digest names a request, or what it holds: 128 bits of SHA-256 over the parts, with zero
// bytes between them. They hold none that could move a border.
func Digest(parts ...[]byte) string {
	sum := sha256.New()
	for i, part := range parts {
		if i > 0 {
			sum.Write([]byte{0})
		}
		sum.Write(part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Answer is what a request was answered.
type Answer struct {
	Status int
	Body   []byte // UTF-8
}

// Records claims keys. It is safe for concurrent use.
type Records struct {
	redis *upstash.Client
	now   func() time.Time
}

// New makes Records.
func New(redis *upstash.Client, now func() time.Time) *Records { return &Records{redis, now} }

// Claim is one request's hold on a key, or the answer that is kept under it.
// The zero Claim holds nothing: it can be kept and released to no effect.
type Claim struct {
	records     *Records
	key         string
	fingerprint string
	own         string // the record that stands while this claim does
	until       time.Time
	unsure      bool // nobody knows whether it stands: Redis' answer was lost
	answer      *Answer
}

// releaseScript deletes a record that is still the claim's own.
//
// KEYS: the record
// ARGV: what it holds while the claim stands
// Answer: {calls}
var releaseScript = rdb.NewScript(`
if call('GET', KEYS[1]) == ARGV[1] then call('DEL', KEYS[1]) end
return answer()
`)

// Claim takes hold of a key, or finds its answer. id names caller, route and
// key, fingerprint the request; both are without spaces. One billed command.
//
// Errors: ErrReused, a *RunningError, or that of Redis. The claim may stand
// despite an error of Redis: the Claim beside it is to be released.
func (r *Records) Claim(ctx context.Context, id, fingerprint string) (Claim, error) {
	now := r.now()
	c := Claim{records: r, key: game.IdempotencyRecordKey(id), fingerprint: fingerprint, until: now.Add(Deadline)}
	// Whose claim it is shows where an answer was lost and asked for again.
	c.own = fmt.Sprintf("%s running %d %s", fingerprint, c.until.UnixMilli(), rand.Text())
	reply, err := r.redis.Do(ctx, upstash.Cmd("SET", c.key, c.own,
		"NX", "GET", "PX", strconv.FormatInt(Deadline.Milliseconds(), 10)).Idempotent())
	var failure *upstash.Error
	if errors.As(err, &failure) && failure.MaybeApplied() {
		c.unsure = true
		return c, fmt.Errorf("claim an idempotency key: %w", err)
	}
	if err != nil {
		return Claim{}, fmt.Errorf("claim an idempotency key: %w", err)
	}
	if reply.IsNil() {
		return c, nil
	}
	text, err := reply.Text()
	if err != nil {
		return Claim{}, fmt.Errorf("claim an idempotency key: %w", err)
	}
	if text == c.own {
		return c, nil
	}
	if c.answer, err = parse(text, fingerprint, now); err != nil {
		return Claim{}, err
	}
	return c, nil
}

// parse reads somebody else's record: "fingerprint running deadline owner", or
// "fingerprint done status" and the body in the lines that follow.
func parse(text, fingerprint string, now time.Time) (*Answer, error) {
	head, body, _ := strings.Cut(text, "\n")
	words := strings.Fields(head)
	if len(words) < 3 || words[0] != fingerprint {
		return nil, ErrReused
	}
	switch n, err := strconv.ParseInt(words[2], 10, 64); {
	case err != nil:
		return nil, ErrReused
	case words[1] == "running":
		wait := time.UnixMilli(n).Sub(now)
		return nil, &RunningError{Wait: min(max(wait, time.Second), Deadline)}
	case words[1] == "done" && n >= 100 && n <= 999:
		return &Answer{Status: int(n), Body: []byte(body)}, nil
	}
	return nil, ErrReused
}

// Answer is what was kept under the key before; ok is false for a claim that
// is one's own.
func (c Claim) Answer() (a Answer, ok bool) {
	if c.answer == nil {
		return Answer{}, false
	}
	return *c.answer, true
}

// Keep stores the answer for a day. One billed command; none where the claim
// has run out, since another request may hold the key by then.
func (c Claim) Keep(ctx context.Context, a Answer) error {
	if !c.holds() || c.unsure {
		return nil
	}
	record := fmt.Sprintf("%s done %d\n%s", c.fingerprint, a.Status, a.Body)
	_, err := c.records.redis.Do(ctx, upstash.Cmd("SET", c.key, record,
		"EX", strconv.FormatInt(int64(Life/time.Second), 10)).Idempotent())
	if err != nil {
		return fmt.Errorf("keep the answer of an idempotency key: %w", err)
	}
	return nil
}

// Release gives the key back: the request had no effect, or one that may be
// repeated. One billed command; none where the claim has run out; up to three
// where it is unsure whether it stands.
func (c Claim) Release(ctx context.Context) error {
	if !c.holds() {
		return nil
	}
	del := upstash.Cmd("DEL", c.key)
	if c.unsure {
		del = releaseScript.Command([]string{c.key}, c.own)
	}
	if _, err := c.records.redis.Do(ctx, del.Idempotent()); err != nil {
		return fmt.Errorf("release an idempotency key: %w", err)
	}
	return nil
}

func (c Claim) holds() bool {
	return c.records != nil && c.answer == nil && c.records.now().Before(c.until.Add(-Margin))
}
