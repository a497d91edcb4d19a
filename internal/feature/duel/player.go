package duel

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// keptPage is how many ids of a player's duels are read in one step.
const keptPage = 1000

// History lists up to limit of a player's duels that Redis has and have does not, newest first,
// after a mark: those under way, and those not in the history yet. have says which ids are
// known elsewhere; nil: none. Challenges by others that nobody has accepted belong to the
// challengers, and are left out. more reports that there may be further duels after next.
//
// Cost: 1 billed command, and 1 for each duel, in 2 round trips.
func (s *Store) History(ctx context.Context, player string, after Mark, limit int, have func(ctx context.Context, ids []string) (map[string]bool, error)) (kept []Duel, next Mark, more bool, err error) {
	marks, err := readMarks(ctx, s.redis, player, after)
	if err != nil {
		return nil, after, false, fmt.Errorf("list the duels of a player: %w", err)
	}
	more = len(marks) == keptPage+sameMoment
	marks = slices.DeleteFunc(marks, func(m Mark) bool { return !after.At.IsZero() && !after.behind(Duel{CreatedAt: m.At, ID: m.ID}) })
	known := map[string]bool{}
	if have != nil && len(marks) > 0 {
		ids := make([]string, len(marks))
		for i, m := range marks {
			ids[i] = m.ID
		}
		if known, err = have(ctx, ids); err != nil {
			return nil, after, false, err
		}
	}
	var ids []string
	next = after
	for _, m := range marks {
		if !known[m.ID] {
			if len(ids) == limit {
				more = true
				break
			}
			ids = append(ids, m.ID)
		}
		next = m
	}
	found, err := s.read(ctx, ids)
	if err != nil {
		return nil, after, false, err
	}
	kept = slices.DeleteFunc(found, func(d Duel) bool {
		return d.ID == "" || d.K == 0 && d.Players[0] != player
	})
	return kept, next, more, nil
}

// readMarks reads the marks of a player's duels from a mark on, newest first.
func readMarks(ctx context.Context, client *upstash.Client, player string, from Mark) ([]Mark, error) {
	highest := "+inf"
	if !from.At.IsZero() {
		highest = redis.Millis(from.At)
	}
	reply, err := client.Do(ctx, upstash.Cmd("ZREVRANGEBYSCORE", game.DuelsOfKey(player), highest, "-inf",
		"WITHSCORES", "LIMIT", "0", strconv.Itoa(keptPage+sameMoment)))
	if err != nil {
		return nil, err
	}
	pairs, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	var marks []Mark
	for i := 0; i+1 < len(pairs); i += 2 {
		ms, err := strconv.ParseFloat(pairs[i+1], 64)
		if err != nil {
			return nil, err
		}
		marks = append(marks, Mark{time.UnixMilli(int64(ms)).UTC(), pairs[i]})
	}
	return marks, nil
}
