package duel

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// rememberWaiting is how many waiting players a process knows, in entries of
	// about 300 bytes. Whoever is forgotten joins anew and waits on.
	rememberWaiting = 4096
	// lookAgain is how long a process trusts that whoever comes looks for those
	// who wait. It repairs what a process that has died left undone.
	lookAgain = 2 * time.Minute
)

// waitingRoom is what one process knows of the players who wait: two who can meet
// are brought together by the one who came later, or, where their windows must
// widen first, when that is so. Until then there is nothing to look for.
type waitingRoom struct {
	places *lru.Cache[waitingFor, waitingPlace]
}

type waitingFor struct{ player, mode string }

type waitingPlace struct {
	Place
	seen time.Time // as Redis has it
	look time.Time // when somebody may have come near enough
}

func newWaitingRoom() waitingRoom {
	places := lru.New[waitingFor, waitingPlace](rememberWaiting)
	return waitingRoom{places}
}

// note remembers a player who has joined and found nobody; next is when somebody
// will be near enough, zero: never.
func (r waitingRoom) note(player, mode string, place Place, now, next time.Time) {
	look := now.Add(lookAgain)
	if !next.IsZero() && next.Before(look) {
		look = next
	}
	r.places.Add(waitingFor{player, mode}, waitingPlace{place, now, look})
}

func (r waitingRoom) forget(player, mode string) { r.places.Remove(waitingFor{player, mode}) }

// stillWaits reports whether a player who has joined before still waits, and
// nobody can have come near enough; else the player has to join.
//
// Who takes part in a duel stands in the queue no more, so the sorted set alone
// decides: what is written to the hash beside it at the same time as somebody
// takes the player is passed over, and goes with the next drain.
func (q *Queue) stillWaits(ctx context.Context, player, mode string) (Place, bool, error) {
	now, who := q.now(), waitingFor{player, mode}
	w, ok := q.waiting.places.Get(who)
	if !ok || !now.Before(w.look) || now.Before(w.seen) || now.Sub(w.seen) > q.rules.Away {
		return Place{}, false, nil
	}
	cmds := []upstash.Command{upstash.Cmd("ZSCORE", game.DuelQueueKey(mode), player)}
	again := now.Sub(w.seen) >= q.rules.Away/3
	if again {
		cmds = append(cmds, upstash.Cmd("HSET", game.DuelQueuedKey(mode), player, rdb.Millis(w.Since)+" "+rdb.Millis(now)).Idempotent())
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
