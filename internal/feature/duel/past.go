package duel

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// refillPage is how many rated players' duels are read in one step.
const refillPage = 50

// ListPast reads duels for the history that have left the due list, as far as Redis still has
// them. Each call covers the players at one cursor of the board of ratings; "" is its
// beginning. next is the cursor to continue with, "" at the end.
//
// Cost: 2 billed commands, 1 for each player, some 50, and 1 for each duel, in 4
// round trips.
func (k *Keeper) ListPast(ctx context.Context, cursor string) (past []Duel, next string, err error) {
	pairs, next, err := upstash.Scan(ctx, k.redis, "ZSCAN", game.DuelKey, cursor, refillPage)
	if err != nil || len(pairs) == 0 {
		return nil, next, err
	}
	cmds := make([]upstash.Command, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		cmds = append(cmds, upstash.Cmd("ZRANGE", game.DuelsOfKey(pairs[i]), "0", "-1"))
	}
	result, err := k.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, "", fmt.Errorf("list the duels of players: %w", err)
	}
	var ids []string
	seen := map[string]bool{}
	for _, reply := range result.Replies {
		of, err := reply.Strings()
		if err != nil {
			return nil, "", err
		}
		for _, id := range of {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	for some := range slices.Chunk(ids, restorePage) {
		found, err := k.offList(ctx, some)
		if err != nil {
			return nil, "", err
		}
		past = append(past, found...)
	}
	return past, next, nil
}

// offList reads those of the duels that are for the history and not on the due list. Duels on
// the list are left to Keep, which also adds up their XP.
func (k *Keeper) offList(ctx context.Context, ids []string) ([]Duel, error) {
	reply, err := k.redis.Do(ctx, upstash.Cmd(append([]string{"ZMSCORE", game.DuelsDueKey}, ids...)...))
	if err != nil {
		return nil, fmt.Errorf("look which duels are on the list: %w", err)
	}
	places, err := redis.Values(reply, len(ids), "a place of each duel")
	if err != nil {
		return nil, err
	}
	var off []string
	for i, place := range places {
		if place.IsNil() {
			off = append(off, ids[i])
		}
	}
	found, err := k.duels.read(ctx, off)
	return slices.DeleteFunc(found, func(d Duel) bool { return !k.lasts(d) }), err
}

// Listed returns the ids of duels that are under way or not handed to the history yet.
//
// Cost: 1 billed command.
func (k *Keeper) Listed(ctx context.Context) ([]string, error) { return k.listDue(ctx) }
