package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// updateGap is how long a slot is: others are told of a mode once in each.
	updateGap = time.Second
	// turnSeconds is how long a turn is remembered, for clocks that differ by that.
	turnSeconds = "60"
	// updateTime bounds one telling.
	updateTime = 5 * time.Second
)

// Updates tell others, who subscribe to Redis' own channels, which modes' boards have
// changed, for them to read what they show again. Of all processes that hear of a change
// one tells, the first to take the second's turn; so others are told at least once, and
// of a mode at most once a second but where clocks differ. What nobody hears, while no
// process listens, nobody is told.
//
// Cost in a second in which a mode's boards change: 1 billed command for each process
// that listens, and 2 for the one that tells.
type Updates struct {
	Redis *upstash.Client
	Now   func() time.Time // the product's clock
	Log   *slog.Logger

	mu      sync.Mutex
	changed map[string]bool // modes
}

// Update is what others are told.
type Update struct {
	ID   string    `json:"id"`   // the same where it is told twice
	Game string    `json:"game"` // the mode, by the name that callers know it by
	At   time.Time `json:"at"`
}

// note takes in that a mode's boards have changed.
func (u *Updates) note(mode string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.changed == nil {
		u.changed = map[string]bool{}
	}
	u.changed[mode] = true
}

// take takes out what has changed.
func (u *Updates) take() (modes []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for mode := range u.changed {
		modes = append(modes, mode)
	}
	clear(u.changed)
	return modes
}

// run tells of each second's changes when it is over, until ctx ends.
func (u *Updates) run(ctx context.Context) {
	failed := false
	for {
		now := time.Now()
		timer := time.NewTimer(now.Truncate(updateGap).Add(updateGap).Sub(now))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		slot := time.Now().UnixNano()/int64(updateGap) - 1
		for _, mode := range u.take() {
			err := u.tell(ctx, mode, slot)
			if err != nil {
				u.note(mode) // with the next
			}
			if err != nil && !failed && ctx.Err() == nil {
				u.Log.Warn("live boards: others cannot be told of updates", slog.String("error", err.Error()))
			}
			failed = err != nil
		}
	}
}

// tell tells of a mode, unless another process has taken the turn.
func (u *Updates) tell(ctx context.Context, mode string, slot int64) error {
	ctx, cancel := context.WithTimeout(ctx, updateTime)
	defer cancel()
	turn := upstash.Cmd("SET", game.UpdateTurnKey(mode, slot), "1", "NX", "EX", turnSeconds)
	reply, err := u.Redis.Do(ctx, turn)
	if err != nil || reply.IsNil() {
		return err
	}
	message, err := json.Marshal(Update{mode + "-" + strconv.FormatInt(slot, 10), mode, u.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	commands := []upstash.Command{upstash.Cmd("PUBLISH", game.UpdatesChannel(mode), string(message)).Idempotent()}
	if game.UpdatesChannel(mode) != game.UpdatesGlobal {
		commands = append(commands, upstash.Cmd("PUBLISH", game.UpdatesGlobal, string(message)).Idempotent())
	}
	told, err := u.Redis.Pipeline(ctx, commands...)
	if err != nil {
		return err
	}
	return told.Err()
}
