package main

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// friends is how many friends a player has.
const friends = 20

// befriend writes each player's friends to the copy in the Redis at a URL.
func (c *crowd) befriend(ctx context.Context, url string, n int) error {
	redis, err := upstash.New(upstash.Config{URL: url, Token: token})
	if err != nil {
		return err
	}
	for i := range 2 * n {
		command := []string{"ZADD", game.FriendsKey(player(i))}
		for f := 1; f <= friends; f++ {
			command = append(command, "0", player((i+f)%(2*n)))
		}
		if _, err := redis.Do(ctx, upstash.Cmd(command...)); err != nil {
			return err
		}
	}
	return nil
}
