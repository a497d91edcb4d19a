// This file is the copy of every player's friends and blocks in Redis. Boards and duels
// read it: 1 command, and no database.
//
// It knows Redis keys and records. It does not know SQL or HTTP, nor how friendships come
// about.

package friend

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

// Cache has every player's friends and blocks in Redis. It is safe for concurrent use.
type Cache struct{ redis *upstash.Client }

// NewCache reads and writes lists in a Redis.
func NewCache(redis *upstash.Client) *Cache { return &Cache{redis} }

// Read reads a player and the player's friends, by id.
//
// Cost: 1 billed command.
func (l *Cache) Read(ctx context.Context, player string) ([]string, error) {
	reply, err := l.redis.Do(ctx, upstash.Cmd("ZRANGE", game.FriendsKey(player), "0", "-1"))
	if err != nil {
		return nil, fmt.Errorf("read the friends of %s: %w", player, err)
	}
	players, err := reply.Strings()
	if err != nil {
		return nil, fmt.Errorf("read the friends of %s: %w", player, err)
	}
	if len(players) == 0 {
		players = []string{player}
	}
	return players, nil
}

// Of reads the friends of a player, without the player, and whom the player blocks.
//
// Cost: 2 billed commands in 1 round trip.
func (l *Cache) Of(ctx context.Context, player string) (Lists, error) {
	fail := func(err error) (Lists, error) {
		return Lists{}, fmt.Errorf("read the lists of %s: %w", player, err)
	}
	of := Lists{Player: player}
	result, err := l.redis.Pipeline(ctx,
		upstash.Cmd("ZRANGE", game.FriendsKey(player), "0", "-1"), upstash.Cmd("HGET", game.BlocksKey, player))
	if err == nil {
		err = result.Err()
	}
	if err == nil {
		of.Friends, err = result.Replies[0].Strings()
	}
	of.Friends = slices.DeleteFunc(of.Friends, func(other string) bool { return other == player })
	if err != nil {
		return fail(err)
	}
	record, err := redis.Text(result.Replies[1])
	if err == nil {
		of.Version, of.Blocked, err = parse(record)
	}
	if err != nil {
		return fail(err)
	}
	return of, nil
}

// BlocksSteady is what MayMeet costs, in billed commands.
const BlocksSteady = 1

// BoardSteady is what the board of friends costs in a view, beside the score.
const BoardSteady = 2

// MayMeet returns friend.ErrBlocked if a player blocks one of the others, or one of the
// others blocks the player.
//
// Cost: 1 billed command.
func (l *Cache) MayMeet(ctx context.Context, player string, others ...string) error {
	all := append([]string{player}, others...)
	reply, err := l.redis.Do(ctx, upstash.Cmd(append([]string{"HMGET", game.BlocksKey}, all...)...))
	if err != nil {
		return fmt.Errorf("read who blocks whom: %w", err)
	}
	records, err := redis.Texts(reply, len(all), "a record of each player")
	for i := range all {
		if err != nil {
			break
		}
		whom := others
		if i > 0 {
			whom = all[:1]
		}
		var blocked []string
		if _, blocked, err = parse(records[i]); err == nil && slices.ContainsFunc(whom, func(other string) bool { return slices.Contains(blocked, other) }) {
			return ErrBlocked
		}
	}
	if err != nil {
		return fmt.Errorf("read who blocks whom: %w", err)
	}
	return nil
}

// record is a version and ids, none of which can contain a space.
func record(version int64, ids []string) string {
	return strings.Join(append([]string{strconv.FormatInt(version, 10)}, ids...), " ")
}

// parse is the inverse of record. An empty record is version 0 without ids.
func parse(record string) (version int64, ids []string, err error) {
	if record == "" {
		return 0, nil, nil
	}
	text, rest, more := strings.Cut(record, " ")
	version, err = strconv.ParseInt(text, 10, 64)
	if err != nil || version < 0 || text != strconv.FormatInt(version, 10) {
		return 0, nil, fmt.Errorf("%.20q is not the version of a list", text)
	}
	if !more {
		return version, nil, nil
	}
	ids = strings.Split(rest, " ")
	for _, id := range ids {
		if err := game.ValidID(id); err != nil {
			return 0, nil, err
		}
	}
	return version, ids, nil
}
