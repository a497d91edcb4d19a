package control

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// KeptRules reads the rules by which the boards in a Redis are kept: none in an empty Redis,
// and several only while they are being replaced.
//
// Cost: 1 billed command.
func KeptRules(ctx context.Context, client *upstash.Client) ([]ruleset.Rules, error) {
	n, err := readNotices(ctx, client)
	if err != nil {
		return nil, redis.Wrap("read the rules that the boards are kept by", err)
	}
	return n.keptRules()
}

// KeepRules stores this game's rules as those by which the boards are kept. If the stored
// scores do not permit the change, it returns a *ruleset.ChangedError. The rules of modes that
// have left the game stay, so that builds from before and after a mode was added can run side
// by side.
//
// Cost: 1 billed command; 3 more if the rules differ.
func (ns *Notices) KeepRules(ctx context.Context) error {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return redis.Wrap("read the rules that the boards are kept by", err)
	}
	kept, err := n.keptRules()
	if err != nil {
		return err
	}
	if err := ruleset.Check(kept, ns.rules(), ns.db.Game.Today(ns.db.Now())); err != nil {
		return err
	}
	now := ruleset.Keep(kept, ns.rules())
	if slices.Equal(n.rules, []string{now}) {
		return nil
	}
	return redis.Wrap("keep the rules", replace(ctx, ns.db.Redis, game.RulesMember, n.rules, now))
}

// AcceptRules stores a game's rules as those by which the boards are kept, even if the stored
// scores do not permit the change. Processes that refuse to write notice it within a minute.
//
// Cost: at most 4 billed commands.
func AcceptRules(ctx context.Context, client *upstash.Client, g *game.Game) error {
	n, err := readNotices(ctx, client)
	if err != nil {
		return redis.Wrap("accept rules", err)
	}
	return redis.Wrap("accept rules", replace(ctx, client, game.RulesMember, n.rules, ruleset.Of(g).Stored()))
}
