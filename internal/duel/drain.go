package duel

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// drainPage is how many duels are read in one round trip.
const drainPage = 200

// Drained counts what a run of Drain did.
type Drained struct {
	Ended   int `json:"ended"`   // whose time was over
	Kept    int `json:"kept"`    // handed to the history
	Dropped int `json:"dropped"` // expired, or gone from Redis
	Waiting int `json:"waiting"` // still under way
	Queue   int `json:"queue"`   // players who had gone away
}

// Drain ends duels whose time is over and hands those that are decided to the
// history. It may run at any time, twice at once or be cut off: a duel leaves
// the list only after the history has it.
//
// Cost: 1 billed command for each duel, 7 more for one that has to be ended, and
// 2 for each page of 200 and each mode.
func (s *Store) Drain(ctx context.Context) (Drained, error) {
	var did Drained
	for {
		reply, err := s.redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelsDueKey, itoa(did.Waiting), itoa(did.Waiting+drainPage-1)))
		if err != nil {
			return did, fmt.Errorf("list duels: %w", err)
		}
		ids, err := reply.Strings()
		if err != nil {
			return did, err
		}
		if len(ids) == 0 {
			return did, s.drainQueues(ctx, &did)
		}
		if err := s.drain(ctx, ids, &did); err != nil {
			return did, err
		}
	}
}

func (s *Store) drain(ctx context.Context, ids []string, did *Drained) error {
	duels, err := s.read(ctx, ids)
	if err != nil {
		return err
	}
	done := []string{"ZREM", game.DuelsDueKey}
	var keep []game.Duel
	for i, d := range duels {
		if s.overdue(d) {
			if d, err = s.settle(ctx, d.ID); err != nil {
				return err
			}
			did.Ended++
		}
		late := s.now().After(d.Until)
		switch {
		case d.State == game.DuelDecided, d.State == game.DuelDisputed && late:
			keep = append(keep, d)
			did.Kept++
		case d.State == game.DuelExpired || d.ID == "":
			did.Dropped++
		default:
			did.Waiting++
			continue
		}
		done = append(done, ids[i])
	}
	if len(keep) > 0 && s.history != nil {
		if err := s.history.PutDuels(ctx, keep); err != nil {
			return fmt.Errorf("keep duels: %w", err)
		}
	}
	if len(done) == 2 {
		return nil
	}
	if _, err := s.redis.Do(ctx, upstash.Cmd(done...).Idempotent()); err != nil {
		return fmt.Errorf("take duels off the list: %w", err)
	}
	return nil
}

// drainQueues removes who has gone away.
func (s *Store) drainQueues(ctx context.Context, did *Drained) error {
	for _, mode := range s.queues() {
		reply, err := s.redis.Do(ctx, upstash.Cmd("HGETALL", game.DuelQueuedKey(mode)))
		if err != nil {
			return fmt.Errorf("read the queue: %w", err)
		}
		pairs, err := reply.Strings()
		if err != nil {
			return err
		}
		gone := []string{}
		for i := 0; i+1 < len(pairs); i += 2 {
			p := parser{}
			_, seen, _ := strings.Cut(pairs[i+1], " ")
			if s.now().Sub(p.time(seen)) > s.rules.Queue.Away {
				gone = append(gone, pairs[i])
			}
		}
		if len(gone) == 0 {
			continue
		}
		result, err := s.redis.Pipeline(ctx,
			upstash.Cmd(append([]string{"HDEL", game.DuelQueuedKey(mode)}, gone...)...).Idempotent(),
			upstash.Cmd(append([]string{"ZREM", game.DuelQueueKey(mode)}, gone...)...).Idempotent())
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return fmt.Errorf("clear the queue: %w", err)
		}
		did.Queue += len(gone)
	}
	return nil
}

// queues are the modes that have a queue; the empty one is for no mode in particular.
func (s *Store) queues() []string {
	modes := []string{""}
	for _, m := range s.game.Modes {
		modes = append(modes, m.Name)
	}
	return modes
}
