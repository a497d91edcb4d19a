package bands

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// looseSince lists players who were left loose no later than a moment in Unix milliseconds.
func looseSince(ctx context.Context, redis *upstash.Client, b Board, long int64, most int) ([]string, error) {
	reply, err := redis.Do(ctx, upstash.Cmd("ZRANGE", game.BandLooseKey(b.Key), "-inf", rdb.Itoa(long), "BYSCORE", "LIMIT", "0", rdb.Itoa(int64(most))))
	if err != nil {
		return nil, rdb.Wrap("read who is loose", err)
	}
	return reply.Strings()
}

// tightenedScript forgets a loose player, unless the player was left loose again.
//
// KEYS: the loose players
// ARGV: player, Unix milliseconds
// Answer: {calls}
var tightenedScript = rdb.NewScript(`
local since = call('ZSCORE', KEYS[1], ARGV[1])
if since and tonumber(since) <= tonumber(ARGV[2]) then call('ZREM', KEYS[1], ARGV[1]) end
return answer()
`)

func tightened(ctx context.Context, redis *upstash.Client, b Board, player string, long int64) error {
	_, err := redis.Do(ctx, tightenedScript.Command([]string{game.BandLooseKey(b.Key)}, player, rdb.Itoa(long)).Idempotent())
	return rdb.Wrap("forget who was loose", err)
}

// Tighten settles players who were left loose so long ago that no write of that time can still
// be on its way.
//
// Cost: 1 billed command, and for each player that of [Bands.Settle] and 1.
func (s *Bands) Tighten(ctx context.Context, b Board, most int) (settled int, err error) {
	redis, err := s.dbs.named(s.dbs.first())
	if err != nil {
		return 0, err
	}
	long := s.set.Now().Add(-s.set.Grace).UnixMilli()
	players, err := looseSince(ctx, redis, b, long, most)
	if err != nil {
		return 0, err
	}
	for _, player := range players {
		if _, err := s.Settle(ctx, b, player); err != nil && !isNotOn(err) {
			return settled, err
		}
		if err := tightened(ctx, redis, b, player, long); err != nil {
			return settled, err
		}
		settled++
	}
	return settled, nil
}

// loosen notes players to be settled later.
func (s *Bands) loosen(ctx context.Context, b Board, players ...string) error {
	redis, err := s.dbs.named(s.dbs.first())
	if err != nil || len(players) == 0 {
		return err
	}
	args := []string{"ZADD", game.BandLooseKey(b.Key)}
	for _, player := range players {
		args = append(args, rdb.Itoa(s.set.Now().UnixMilli()), player)
	}
	_, err = redis.Do(ctx, upstash.Cmd(args...).Idempotent())
	return err
}
