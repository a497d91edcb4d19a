package race

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/upstash"
)

// keepPage is how many races are read in one round trip.
const keepPage = 200

// Keeper moves races from Redis to the history and back. It is safe for concurrent use.
// [duel.Keeper] calls it, because ratings follow from duels and races together.
type Keeper struct{ s *Store }

// Keeper is the Keeper of a Store's races.
func (s *Store) Keeper() *Keeper { return &Keeper{s} }

// Keep ends races whose time is over, and hands races that have started and ended to the
// history. It may run at any time, concurrently, and be interrupted: a race leaves the due
// list only after the history has it.
//
// Cost: 1 billed command, and for each page of 200 races 2 and 1 for each; up to 7 more for a
// race that has to be ended. None if the game has no races.
func (k *Keeper) Keep(ctx context.Context) error {
	s := k.s
	if s.off() {
		return nil
	}
	ids, err := k.listDue(ctx)
	if err != nil {
		return err
	}
	for page := range slices.Chunk(ids, keepPage) {
		races, err := s.read(ctx, page)
		if err != nil {
			return err
		}
		var over []string
		var kept []Race
		for i, r := range races {
			if r.ID != "" && s.isDue(r, s.now()) {
				if r, err = s.tick(ctx, r, ""); err != nil {
					return err
				}
			}
			if r.State == Waiting || r.State == Started {
				continue
			}
			over = append(over, page[i])
			if !r.StartsAt.IsZero() {
				kept = append(kept, r)
			}
		}
		if len(kept) > 0 && s.history != nil {
			if err := s.history.Put(ctx, kept); err != nil {
				return fmt.Errorf("keep races: %w", err)
			}
		}
		if len(over) == 0 {
			continue
		}
		if _, err := s.redis.Do(ctx, upstash.Cmd(append([]string{"ZREM", DueKey}, over...)...).Idempotent()); err != nil {
			return fmt.Errorf("take races off the list: %w", err)
		}
	}
	return nil
}

// UnderWay counts, for each player, the races that have started and that the history does not
// have yet, and says who has a decided one among them.
//
// Cost: 1 billed command, and 1 for each race on the list. None if the game has no races.
func (k *Keeper) UnderWay(ctx context.Context) (begun map[string]int64, decided map[string]bool, err error) {
	begun, decided = map[string]int64{}, map[string]bool{}
	if k.s.off() {
		return begun, decided, nil
	}
	ids, err := k.listDue(ctx)
	if err != nil {
		return nil, nil, err
	}
	for page := range slices.Chunk(ids, keepPage) {
		races, err := k.s.read(ctx, page)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range races {
			for _, seat := range r.Seats {
				if seat.K > 0 && seat.Player != Erased {
					begun[seat.Player]++
				}
				if r.State == Decided {
					decided[seat.Player] = true
				}
			}
		}
	}
	return begun, decided, nil
}

// listDue lists the races that are under way or not handed to the history yet.
func (k *Keeper) listDue(ctx context.Context) ([]string, error) {
	reply, err := k.s.redis.Do(ctx, upstash.Cmd("ZRANGE", DueKey, "0", "-1"))
	if err != nil {
		return nil, fmt.Errorf("list races: %w", err)
	}
	return reply.Strings()
}
