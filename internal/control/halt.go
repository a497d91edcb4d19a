package control

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Halt is why writes have to wait, as Redis has it now and not as a process remembers it.
type Halt struct {
	Maintenance *Maintenance // nil: none is on
	Rules       error        // why these rules may not write, a *ruleset.ChangedError; nil: they may
}

// ReadHalt reads why a game's writes have to wait. It reads both causes, since a process whose
// rules are refused may not write after a maintenance either.
//
// Cost: 1 billed command.
func ReadHalt(ctx context.Context, client *upstash.Client, g *game.Game, now time.Time) (h Halt, err error) {
	n, err := readNotices(ctx, client)
	if err != nil {
		return h, redis.Wrap("read what keeps writes waiting", err)
	}
	if m, on := n.asksToWait(); on && now.Before(m.Until) {
		h.Maintenance = &m
	}
	rules, err := n.keptRules()
	h.Rules = errors.Join(err, ruleset.Check(rules, ruleset.Of(g), g.Today(now)))
	return h, nil
}
