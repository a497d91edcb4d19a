package friend

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Page reads the lists of about count players from a cursor on, or of all players if they are
// few. The cursor "" is the beginning, and next "" the end. A player may come twice.
//
// Cost: 2 billed commands and 1 for each player, in 2 round trips.
func (l *Cache) Page(ctx context.Context, cursor string, count int) (page []Lists, next string, err error) {
	pairs, next, err := upstash.Scan(ctx, l.redis, "HSCAN", game.ListsKey, cursor, count)
	if err != nil || len(pairs) == 0 {
		return nil, next, err
	}
	blocks := []string{"HMGET", game.BlocksKey}
	cmds := make([]upstash.Command, 1, 1+len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		version, err := strconv.ParseInt(pairs[i+1], 10, 64)
		if err != nil {
			return nil, "", fmt.Errorf("the version of the lists of %s: %w", pairs[i], err)
		}
		page = append(page, Lists{Player: pairs[i], Version: version})
		blocks = append(blocks, pairs[i])
		cmds = append(cmds, upstash.Cmd("ZRANGE", game.FriendsKey(pairs[i]), "0", "-1"))
	}
	cmds[0] = upstash.Cmd(blocks...)
	result, err := l.redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = result.Err()
	}
	var records []string
	if err == nil {
		records, err = redis.Texts(result.Replies[0], len(page), "a record of each player")
	}
	for i := range page {
		if err != nil {
			return nil, "", fmt.Errorf("read lists of friends: %w", err)
		}
		of := &page[i]
		of.Friends, err = result.Replies[1+i].Strings()
		of.Friends = slices.DeleteFunc(of.Friends, func(other string) bool { return other == of.Player })
		if err == nil {
			_, of.Blocked, err = parse(records[i])
		}
	}
	return page, next, err
}
