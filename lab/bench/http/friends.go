package main

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// friendsServedBy is the function that answers boards of friends.
const friendsServedBy = "leaderboard"

// friendsEach is how many friends each regular with a token has.
const friendsEach = 50

// befriend writes the friends of the regulars with tokens.
func (w *world) befriend(ctx context.Context, client *upstash.Client) error {
	for i := range signedIn {
		args := []string{"ZADD", game.FriendsKey(regulars.ID(i)), "0", regulars.ID(i)}
		for range friendsEach {
			args = append(args, "0", w.anyone())
		}
		if _, err := client.Do(ctx, upstash.Cmd(args...).Idempotent()); err != nil {
			return err
		}
	}
	return nil
}
