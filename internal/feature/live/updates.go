package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// updateGap is the length of a slot: in each slot a mode is published at most once.
	updateGap = time.Second
	// turnSeconds is how long Redis remembers whose turn a slot was: clocks may differ by so
	// much.
	turnSeconds = "60"
	// updateTime bounds one publication.
	updateTime = 5 * time.Second
)

// Updates publishes on Redis' own channels which modes' boards have changed, so that
// subscribers read again what they show. Of all processes that receive a change, the first to
// take the turn of the second publishes it. So subscribers get each change at least once, and
// a mode at most once a second, unless clocks differ. A change that no process receives,
// because none listens, is not published.
//
// Cost in a second in which a mode's boards change: 1 billed command for each process that
// listens, and 2 for the one that publishes.
type Updates struct {
	Redis *upstash.Client
	Now   func() time.Time // the product's clock
	Log   *slog.Logger

	mu      sync.Mutex
	changed map[string]bool // modes
}

// Update is the message that is published.
type Update struct {
	ID   string    `json:"id"`   // equal in repeated messages
	Game string    `json:"game"` // the mode, by its public name
	At   time.Time `json:"at"`
}

// note remembers that a mode's boards have changed.
func (u *Updates) note(mode string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.changed == nil {
		u.changed = map[string]bool{}
	}
	u.changed[mode] = true
}

// take returns the modes that have changed, and forgets them.
func (u *Updates) take() (modes []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for mode := range u.changed {
		modes = append(modes, mode)
	}
	clear(u.changed)
	return modes
}

// run publishes the changes of each second at its end, until ctx ends.
func (u *Updates) run(ctx context.Context) {
	failed := false
	for {
		now := time.Now()
		if wait.Sleep(ctx, now.Truncate(updateGap).Add(updateGap).Sub(now)) != nil {
			return
		}
		slot := time.Now().UnixNano()/int64(updateGap) - 1
		for _, mode := range u.take() {
			err := u.send(ctx, mode, slot)
			if err != nil {
				u.note(mode) // try again in the next second
			}
			if err != nil && !failed && ctx.Err() == nil {
				u.Log.Warn("live boards: other processes cannot be notified of updates", slog.String("error", err.Error()))
			}
			failed = err != nil
		}
	}
}

// send publishes the change of a mode, unless another process has taken the turn.
func (u *Updates) send(ctx context.Context, mode string, slot int64) error {
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
	answer, err := u.Redis.Pipeline(ctx, commands...)
	if err != nil {
		return err
	}
	return answer.Err()
}
