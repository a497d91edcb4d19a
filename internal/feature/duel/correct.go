package duel

import (
	"context"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// Errors of a correction.
var (
	ErrUnrated = errors.New("the player has no rating yet; it starts with the first duel")
	ErrMoved   = errors.New("the rating has changed in the meantime; run this again")
)

// LeastRating and MostRating bound what a rating may be corrected to.
const (
	LeastRating = 0
	MostRating  = 100_000
)

// correctScript corrects a rating that is still what was read, and keeps the correction as a
// decided duel of one player: with it the history computes the rating, and [Keeper.Keep] hands
// it over. The lists of the player's duels do not have it; an erasure finds it among those that
// the player does not see. Sent twice, it changes nothing.
//
// KEYS: duel, ratings, due, duels that the player does not see
// ARGV: player, rating that was read, new rating, now, rule of ratings, id, seconds to live
var correctScript = redis.NewScript(header + redis.Ratings + `
local player, was, to, now, rule, id, life = unpack(ARGV)
if duel.state ~= '' then return answer('done') end
local stored = call('ZSCORE', KEYS[2], player)
if not stored then return answer('unrated') end
local ratings = ratingsBy(rule)
local before, through = ratings.read(stored)
if before ~= tonumber(was) then return answer('moved') end
local after = ratings.rounded(tonumber(to))
call('ZADD', KEYS[2], ratings.entry(after, through), player)
set('state', 'decided')
set('a', player)
set('b', '` + Erased + `')
set('at', now)
set('until', now)
set('outcome', '-')
set('by', '` + string(ByOperator) + `')
set('before_a', string.format('%.17g', before))
set('after_a', string.format('%.17g', after))
set('rank_a', string.format('%.0f', call('ZREVRANK', KEYS[2], player) + 1))
set('decided', now)
save()
call('EXPIRE', KEYS[1], life)
call('ZADD', KEYS[3], 0, id)
call('ZADD', KEYS[4], now, id)
call('EXPIRE', KEYS[4], life)
return answer('done')
`)

// Correct changes a player's rating from what was read to another one. The correction is kept
// like a duel, and is handed to the history at once. If that fails, the next [Keeper.Keep] does
// it. Errors: ErrUnrated, ErrMoved.
//
// Cost: 10 billed commands in 1 round trip.
func (s *Store) Correct(ctx context.Context, player string, was, to float64) (RatingChange, error) {
	id := s.newID()
	reply, err := s.redis.Do(ctx, correctScript.Command(
		[]string{game.DuelRecordKey(id), game.DuelKey, game.DuelsDueKey, game.DuelsUnseenKey(player)},
		player, game.FormatStored(was), game.FormatStored(to), redis.Millis(s.now()), redis.RatingRule(s.rules.Start, s.rules.Decay, s.now()), id, redis.Seconds(life(s.rules)),
	).Idempotent())
	if err != nil {
		return RatingChange{}, fmt.Errorf("correct a rating: %w", err)
	}
	says, err := answered(id, reply)
	if err != nil {
		return RatingChange{}, err
	}
	switch says.verdict {
	case "unrated":
		return RatingChange{}, ErrUnrated
	case "moved":
		return RatingChange{}, ErrMoved
	}
	if s.history != nil {
		if err := s.history.Put(ctx, []Duel{says.duel}); err != nil {
			return says.duel.Ratings[0], fmt.Errorf("the rating is corrected; the next cron-save archives it: %w", err)
		}
	}
	return says.duel.Ratings[0], nil
}
