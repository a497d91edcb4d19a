package duel

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// raiseScript raises counts to what they are at least.
//
// KEYS: duels played. ARGV: player, at least, …
// Answer: {calls}
var raiseScript = upstash.NewScript(`
local ask, put = {'HMGET', KEYS[1]}, {'HSET', KEYS[1]}
for i = 1, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local counts = redis.call(unpack(ask))
for i = 1, #counts do
  if tonumber(counts[i] or 0) < tonumber(ARGV[2 * i]) then
    put[#put + 1] = ARGV[2 * i - 1]
    put[#put + 1] = ARGV[2 * i]
  end
end
if #put == 2 then return {1} end
redis.call(unpack(put))
return {2}
`, innerCalls)

// restoreBegun makes how many duels everybody has begun, on which K depends while
// it is provisional: those that the history keeps, and those under way. It never
// lowers a count.
//
// Cost: 1 billed command for each duel on the list, and up to 3 for every 1,000
// players.
func (s *Store) restoreBegun(ctx context.Context) error {
	if s.rules.Provisional.Duels == 0 {
		return nil
	}
	begun, err := s.begunUnderWay(ctx)
	if err != nil {
		return err
	}
	err = s.history.Begun(ctx, func(page []Begun) error {
		for _, b := range page {
			begun[b.Player] += b.Duels
		}
		return nil
	})
	if err != nil {
		return err
	}
	args := make([]string, 0, 2*len(begun))
	for player, duels := range begun {
		args = append(args, player, whole(duels))
	}
	for some := range slices.Chunk(args, 2*restorePage) {
		if _, err := s.redis.Do(ctx, raiseScript.Command([]string{game.DuelsPlayedKey}, some...).Idempotent()); err != nil {
			return fmt.Errorf("restore how many duels players have begun: %w", err)
		}
	}
	return nil
}

// begunUnderWay counts the duels with two players that the history does not have
// yet, by player.
func (s *Store) begunUnderWay(ctx context.Context) (map[string]int64, error) {
	due, err := s.due(ctx)
	if err != nil {
		return nil, err
	}
	begun, _, err := s.underWay(ctx, due)
	return begun, err
}

// underWay counts duels of the list that have two players, by player, and tells
// who has one that is decided.
func (s *Store) underWay(ctx context.Context, due []string) (begun map[string]int64, decided map[string]bool, err error) {
	begun, decided = map[string]int64{}, map[string]bool{}
	for ids := range slices.Chunk(due, drainPage) {
		duels, err := s.read(ctx, ids)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range duels {
			for _, player := range d.Players {
				if d.K > 0 && player != Erased {
					begun[player]++
				}
				if d.State == game.DuelDecided {
					decided[player] = true
				}
			}
		}
	}
	return begun, decided, nil
}

// Lacks tells what Redis knows of duels and the history does not: a restore would
// put it back. What is decided and not handed over yet is passed over, since a
// restore hands it over first. Empty: nothing.
//
// Errors: ErrNoHistory.
//
// Cost: 1 billed command for each duel on the list, and for every 20,000 players
// 2.
func (s *Store) Lacks(ctx context.Context) (string, error) {
	if s.history == nil {
		return "", ErrNoHistory
	}
	pending, err := s.begunUnderWay(ctx)
	if err != nil {
		return "", err
	}
	ratings, err := s.all(ctx, game.DuelKey)
	if err != nil {
		return "", err
	}
	xp, err := s.all(ctx, game.DuelXPKey)
	if err != nil {
		return "", err
	}
	players := len(ratings)
	err = s.history.Standings(ctx, s.rules.Start, nil, func(page []Standing) error {
		for _, p := range page {
			if xp[p.Player] <= float64(p.XP) {
				delete(ratings, p.Player)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	for player := range pending {
		delete(ratings, player)
	}
	if len(ratings) == 0 {
		return "", nil
	}
	return fmt.Sprintf("duels: of %d of %d players with a rating the history lacks some", len(ratings), players), nil
}
