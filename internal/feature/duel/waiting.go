package duel

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// rememberWaiting is how many waiting players a process remembers, in entries of about
	// 300 bytes. A player who is forgotten joins again and keeps the place in the queue.
	rememberWaiting = 4096
	// lookAgain is how long a process relies on newcomers to look for the players who wait.
	// After that a waiting player looks again, in case the newcomer's process has died.
	lookAgain = 2 * time.Minute
)

// waitingRoom is what one process remembers of waiting players. Of two players who can meet,
// the one who came later makes the duel; if their windows must widen first, they can meet at
// a known moment. Until then a waiting player need not look for an opponent.
type waitingRoom struct {
	places *lru.Cache[waitingFor, waitingPlace]
}

type waitingFor struct{ player, mode string }

type waitingPlace struct {
	Place
	seen time.Time // when Redis was last updated
	look time.Time // when an opponent may be near enough
}

func newWaitingRoom() waitingRoom {
	places := lru.New[waitingFor, waitingPlace](rememberWaiting)
	return waitingRoom{places}
}

// note remembers a player who has joined and found nobody. next is when somebody will be near
// enough; zero: never.
func (r waitingRoom) note(player, mode string, place Place, now, next time.Time) {
	look := now.Add(lookAgain)
	if !next.IsZero() && next.Before(look) {
		look = next
	}
	r.places.Add(waitingFor{player, mode}, waitingPlace{place, now, look})
}

func (r waitingRoom) forget(player, mode string) { r.places.Remove(waitingFor{player, mode}) }

// stillWaits reports whether a player who has joined before still waits and no opponent can
// be near enough yet. Otherwise the player has to join again.
//
// A player who has a duel is no longer in the sorted set, so the set alone decides. If
// another process takes the player while this one writes to the hash, the hash keeps an entry
// without effect until the next drain.
func (q *Queue) stillWaits(ctx context.Context, player, mode string) (Place, bool, error) {
	now, who := q.now(), waitingFor{player, mode}
	w, ok := q.waiting.places.Get(who)
	if !ok || !now.Before(w.look) || now.Before(w.seen) || now.Sub(w.seen) > q.rules.Away {
		return Place{}, false, nil
	}
	cmds := []upstash.Command{upstash.Cmd("ZSCORE", game.DuelQueueKey(mode), player)}
	again := now.Sub(w.seen) >= q.rules.Away/3
	if again {
		cmds = append(cmds, upstash.Cmd("HSET", game.DuelQueuedKey(mode), player, redis.Millis(w.Since)+" "+redis.Millis(now)).Idempotent())
	}
	result, err := q.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return Place{}, false, fmt.Errorf("wait in the queue: %w", err)
	}
	if result.Replies[0].IsNil() {
		q.waiting.forget(player, mode)
		return Place{}, false, nil
	}
	if again {
		w.seen = now
		q.waiting.places.Add(who, w)
	}
	w.Window = q.rules.WindowAfter(now.Sub(w.Since))
	return w.Place, true, nil
}
