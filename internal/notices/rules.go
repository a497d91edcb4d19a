package notices

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/ruleset"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// KeptRules reads the rules that the boards in a Redis are kept by: none in an
// empty one, several only while they are being replaced. Cost: 1 billed command.
func KeptRules(ctx context.Context, redis *upstash.Client) ([]ruleset.Rules, error) {
	n, err := readNotices(ctx, redis)
	if err != nil {
		return nil, rdb.Wrap("read the rules that the boards are kept by", err)
	}
	return n.keptRules()
}

// KeepRules has the boards kept by this game's rules from now on, as far as what is
// stored allows it; the error is a *ruleset.ChangedError if it does not. What was
// known of modes that are not in the game any more stays known, so that builds
// before and after a mode was added can run side by side.
//
// Cost: 1 billed command; 3 more where the rules differ.
func (ns *Notices) KeepRules(ctx context.Context) error {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return rdb.Wrap("read the rules that the boards are kept by", err)
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
	return rdb.Wrap("keep the rules", replace(ctx, ns.db.Redis, game.RulesMember, n.rules, now))
}

// AcceptRules has the boards in a Redis kept by a game's rules, whatever that does
// to what is stored. Processes that refuse to write notice within a minute.
//
// Cost: at most 4 billed commands.
func AcceptRules(ctx context.Context, redis *upstash.Client, g *game.Game) error {
	n, err := readNotices(ctx, redis)
	if err != nil {
		return rdb.Wrap("accept rules", err)
	}
	return rdb.Wrap("accept rules", replace(ctx, redis, game.RulesMember, n.rules, ruleset.Of(g).Stored()))
}
