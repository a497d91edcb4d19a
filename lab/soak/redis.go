package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// ageScript shortens the time to live of every key that expires: Redis uses the clock of
// the machine, and the days of a run pass in seconds. ARGV: milliseconds.
const ageScript = `
local cursor, seen = '0', {}
repeat
  local part = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = part[1]
  for _, key in ipairs(part[2]) do
    local left = seen[key] and -1 or redis.call('PTTL', key)
    seen[key] = true
    if left >= 0 then
      if left <= tonumber(ARGV[1]) then
        redis.call('DEL', key)
      else
        redis.call('PEXPIRE', key, string.format('%.0f', left - tonumber(ARGV[1])))
      end
    end
  end
until cursor == '0'
return 'OK'`

// moveClock moves the product's clock forward, and the expiries in Redis with it.
func (r *run) moveClock(ctx context.Context, now time.Time) error {
	if passed := now.Sub(r.now); passed > 0 && !r.now.IsZero() {
		_, err := r.redis.Do(ctx, upstash.Cmd("EVAL", ageScript, "0", strconv.FormatInt(passed.Milliseconds(), 10)))
		if err != nil {
			return fmt.Errorf("move the clock of Redis: %w", err)
		}
	}
	r.now = now
	r.Product.Clock.Set(now)
	return nil
}

// lose empties Redis and restores everything.
func (r *run) lose(ctx context.Context) error {
	if err := r.empty(ctx); err != nil {
		return err
	}
	return r.restore(ctx)
}

// loseInPlay archives everything, empties Redis, sends the plays of a step to the same
// processes, and restores. Afterwards everything must be as if nothing had been lost,
// except for the groups of the day that is open.
func (r *run) loseInPlay(ctx context.Context, plays []play, rng *rand.Rand) error {
	if err := errors.Join(r.whole(ctx), r.fire(ctx, save, time.Time{})); err != nil {
		return err
	}
	if err := r.empty(ctx); err != nil {
		return err
	}
	for _, d := range r.Game.OpenDates(r.now) {
		r.model.Leave(d, r.scopes.groups())
	}
	// After the loss Redis does not know the sums before it, and accepts a play that
	// exceeds the day's bounds only together with them. Such plays are left out.
	plays = slices.DeleteFunc(slices.Clone(plays), func(p play) bool { return !r.model.Takes(p.Play) })
	r.amnesia = true
	err := r.sendStep(ctx, plays, rng)
	r.amnesia, r.pending = false, nil
	if err != nil {
		return err
	}
	return r.restore(ctx)
}

func (r *run) empty(ctx context.Context) error {
	if _, err := r.redis.Do(ctx, upstash.Cmd("FLUSHALL")); err != nil {
		return fmt.Errorf("empty Redis: %w", err)
	}
	r.pending = nil // the records by which the product knows a repeated sum are lost
	return nil
}

func (r *run) restore(ctx context.Context) error {
	if err := r.Restore(ctx); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if r.Verify == nil {
		return nil
	}
	if err := r.Verify(ctx); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	return nil
}
