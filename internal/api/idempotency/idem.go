// Package idempotency keeps the answers to requests that carry an idempotency key, so that a
// repeated request gets the first answer and has no second effect.
//
// A request claims its key, and then either keeps its answer under the key or releases the
// key: two billed commands, one before the effect and one after it. Meanwhile no other
// request can claim the key. If a process dies in between, its claim ends after Deadline, and
// the next request takes over and repeats the effect. So the effect must be idempotent, or
// keep a record of its own in the same atomic step, as sums do. Such a record uses the same
// Redis key, so that one idempotency key never serves for both.
//
// If Redis loses a claim, another request may claim the key while the first one runs. Then the
// first one keeps or releases what is the other's by now: it is as if Redis had been lost some
// seconds later, so we do not spend commands on comparing.
//
// The package knows Redis keys and records. It must not know routes, callers or what an
// answer says.
package idempotency

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

	"github.com/framedle/leaderboards/internal/fault"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// Deadline is how long a claim lives that is neither kept nor released.
	Deadline = 10 * time.Second
	// Life is how long an answer is kept.
	Life = 24 * time.Hour
	// Margin is how long before its deadline a claim is no longer written to: another request
	// could have taken over by the time the write arrives.
	Margin = time.Second
	// SettleTime bounds the last commands for a key, when the request's own time may be over.
	SettleTime = 2 * time.Second
)

// ErrReused is returned if a key was used for another request.
var ErrReused = fault.Of("the idempotency key was used for another request", fault.Fault{Code: "idempotency-key-reused", Detail: fault.KeyReused})

// RunningError is returned while the first request with a key is under way.
type RunningError struct {
	Wait time.Duration // after so long at the latest, the key can be claimed again
}

func (e *RunningError) Error() string {
	return "the first request with this idempotency key is still running"
}

func (e *RunningError) Fault() fault.Fault {
	return fault.Fault{
		Code: "idempotency-key-in-use", Wait: e.Wait,
		Detail: "the first request with this Idempotency-Key is still running; send the same again after Retry-After",
	}
}

// Digest identifies a request, or its contents: 128 bits of SHA-256 over the parts with zero
// bytes between them. No part contains a zero byte, so different parts give different input.
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

// Answer is the answer to a request.
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

// Claim is one request's claim of a key, or the answer that is kept under the key. The zero
// Claim holds nothing: Keep and Release have no effect on it.
type Claim struct {
	records     *Records
	key         string
	fingerprint string
	own         string // the record while this claim lives
	until       time.Time
	unsure      bool // Redis' answer was lost, so the claim may not exist
	answer      *Answer
}

// releaseScript deletes a record if it is still the claim's own.
//
// KEYS: the record
// ARGV: its content while the claim lives
// Answer: {calls}
var releaseScript = redis.NewScript(`
if call('GET', KEYS[1]) == ARGV[1] then call('DEL', KEYS[1]) end
return answer()
`)

// Claim claims a key, or finds its answer. id identifies caller, route and key, fingerprint
// the request; both have no spaces. One billed command.
//
// Errors: ErrReused, a *RunningError, or that of Redis. After an error of Redis the claim may
// exist nevertheless: the caller has to release the Claim that is returned with the error.
func (r *Records) Claim(ctx context.Context, id, fingerprint string) (Claim, error) {
	now := r.now()
	c := Claim{records: r, key: game.IdempotencyRecordKey(id), fingerprint: fingerprint, until: now.Add(Deadline)}
	// If an answer is lost and SET is sent again, the random part shows that the claim is
	// this one.
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

// parse reads a record of another claim: "fingerprint running deadline owner", or
// "fingerprint done status" followed by the body on further lines.
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

// Answer is the answer that was kept under the key; ok is false if the caller holds the
// claim.
func (c Claim) Answer() (a Answer, ok bool) {
	if c.answer == nil {
		return Answer{}, false
	}
	return *c.answer, true
}

// Keep stores the answer for a day. One billed command; none if the claim has ended, because
// another request may hold the key by then.
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

// Release gives the key back: the request had no effect, or one that may be repeated. One
// billed command; none if the claim has ended; up to three if it may not exist.
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
