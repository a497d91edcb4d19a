package duel

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// scanPage is how many entries of a board are read at once, about 1 MB.
const scanPage = 20_000

// all reads a board, which may change meanwhile.
func (k *Keeper) all(ctx context.Context, key string) (map[string]float64, error) {
	all := map[string]float64{}
	for at := 0; ; at += scanPage {
		reply, err := k.redis.Do(ctx, upstash.Cmd("ZRANGE", key, strconv.Itoa(at), strconv.Itoa(at+scanPage-1), "WITHSCORES"))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", key, err)
		}
		pairs, err := reply.Strings()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", key, err)
		}
		p := redis.Fields{}
		for i := 0; i+1 < len(pairs); i += 2 {
			all[strings.Clone(pairs[i])] = p.Number(pairs[i+1])
		}
		if p.Err != nil || len(pairs) < 2*scanPage {
			return all, p.Err
		}
	}
}

// listDue lists the duels that are under way or not handed to the history yet.
func (k *Keeper) listDue(ctx context.Context) ([]string, error) {
	reply, err := k.redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelsDueKey, "0", "-1"))
	if err != nil {
		return nil, fmt.Errorf("list duels: %w", err)
	}
	return reply.Strings()
}

// begunUnderWay counts, for each player, the duels with two players that the history does not
// have yet.
func (k *Keeper) begunUnderWay(ctx context.Context) (map[string]int64, error) {
	due, err := k.listDue(ctx)
	if err != nil {
		return nil, err
	}
	begun, _, err := k.underWay(ctx, due)
	return begun, err
}

// underWay counts, for each player, the duels on the list that have two players and the races
// that are not handed over. It also says who has a decided one among them.
func (k *Keeper) underWay(ctx context.Context, due []string) (begun map[string]int64, decided map[string]bool, err error) {
	if begun, decided, err = k.races.UnderWay(ctx); err != nil {
		return nil, nil, err
	}
	for ids := range slices.Chunk(due, drainPage) {
		duels, err := k.duels.read(ctx, ids)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range duels {
			for _, player := range d.Players {
				if d.K > 0 && player != Erased {
					begun[player]++
				}
				if d.State == Decided {
					decided[player] = true
				}
			}
		}
	}
	return begun, decided, nil
}

// StandingOf reads a player's rating, and how many duels the player has begun. rated is false
// for a player without a rating.
//
// Cost: 2 billed commands in 1 round trip.
func (s *Store) StandingOf(ctx context.Context, player string) (rating float64, rated bool, begun int64, err error) {
	result, err := s.redis.Pipeline(ctx,
		upstash.Cmd("ZSCORE", game.DuelKey, player), upstash.Cmd("HGET", game.DuelsPlayedKey, player))
	if err == nil {
		err = result.Err()
	}
	if err == nil && !result.Replies[0].IsNil() {
		rated = true
		if rating, err = result.Replies[0].Float64(); err == nil {
			rating = s.rules.RatingNow(s.now(), rating)
		}
	}
	if err == nil && !result.Replies[1].IsNil() {
		begun, err = result.Replies[1].Int64()
	}
	if err != nil {
		return 0, false, 0, fmt.Errorf("read a player's rating: %w", err)
	}
	return rating, rated, begun, nil
}
