package duel

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Carry makes the history agree with Redis on every player: on ratings, on the XP of duels,
// and on how many duels were begun, including duels that Redis no longer has. It is for a
// history that was lost, and runs after Refill, which hands over the duels that Redis still
// has. Carry leaves out players whose duels are decided meanwhile, and returns how many these
// are.
//
// Errors: ErrNoHistory.
//
// Cost: that of Keep, 1 billed command for each duel on the list, 5 for every 20,000 players
// and 1 for every 1,000 who have begun a duel.
func (k *Keeper) Carry(ctx context.Context) (carried, left int, err error) {
	if k.history == nil {
		return 0, 0, ErrNoHistory
	}
	// The second round carries what the first one did not get right.
	for range 2 {
		if _, err := k.Keep(ctx); err != nil {
			return carried, left, err
		}
		var all []Carried
		if all, left, err = k.missing(ctx); err != nil {
			return carried, left, err
		}
		if err := k.history.PutCarried(ctx, all); err != nil {
			return carried, left, fmt.Errorf("carry what duels have left: %w", err)
		}
		carried = max(carried, len(all))
	}
	return carried, left, nil
}

// snapshot is the result of all duels in Redis at one moment.
type snapshot struct {
	ratings, xp map[string]float64
	begun       map[string]int64
	due         []string
}

func (k *Keeper) snapshot(ctx context.Context) (now snapshot, err error) {
	if now.due, err = k.listDue(ctx); err != nil {
		return now, err
	}
	if now.ratings, err = k.all(ctx, game.DuelKey); err != nil {
		return now, err
	}
	if now.xp, err = k.all(ctx, game.DuelXPKey); err != nil {
		return now, err
	}
	now.begun = map[string]int64{}
	if k.rules.Provisional.Duels == 0 {
		return now, nil
	}
	for cursor := ""; ; {
		pairs, next, err := upstash.Scan(ctx, k.redis, "HSCAN", game.DuelsPlayedKey, cursor, restorePage)
		if err != nil {
			return now, err
		}
		p := redis.Fields{}
		for i := 0; i < len(pairs); i += 2 {
			now.begun[pairs[i]] = p.Whole(pairs[i+1])
		}
		if cursor = next; p.Err != nil || next == "" {
			return now, p.Err
		}
	}
}

// said is the result of all duels in the history.
type said struct {
	carried   map[string]Carried
	standings map[string]Standing
	begun     map[string]int64
}

func (k *Keeper) said(ctx context.Context, due []string) (h said, err error) {
	h = said{map[string]Carried{}, map[string]Standing{}, map[string]int64{}}
	known, err := k.history.Carried(ctx)
	if err != nil {
		return h, err
	}
	for _, c := range known {
		h.carried[c.Player] = c
	}
	err = k.standings(ctx, due, func(page []Standing) error {
		for _, p := range page {
			h.standings[p.Player] = p
		}
		return nil
	})
	if err != nil {
		return h, err
	}
	return h, k.history.EachBegun(ctx, func(page []Begun) error {
		for _, b := range page {
			h.begun[b.Player] += b.Duels
		}
		return nil
	})
}

// missing is what the history has to carry so that it agrees with Redis. Left counts players
// who are left out because their duels change at this moment.
func (k *Keeper) missing(ctx context.Context) (all []Carried, left int, err error) {
	before, err := k.snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	begun, decided, err := k.underWay(ctx, before.due)
	if err != nil {
		return nil, 0, err
	}
	h, err := k.said(ctx, before.due)
	if err != nil {
		return nil, 0, err
	}
	now, err := k.snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	reckoning := k.reckoning()
	for player, stored := range now.ratings {
		was, rated := before.ratings[player]
		if decided[player] || !rated || was != stored || before.xp[player] != now.xp[player] || before.begun[player] != now.begun[player] {
			left++
			continue
		}
		standing, current := h.standings[player]
		rating, kept := reckoning.entry(stored), reckoning.archivedRating(standing)
		c := h.carried[player]
		c.Player = player
		switch {
		case !current || c.Rating == nil && !same(rating, kept):
			c.Rating, c.Through = &rating.Points, reckoning.through(rating)
		case !same(rating, kept):
			moved := *c.Rating + rating.Points - kept.Points
			if reckoning.decay != nil {
				moved = rating.Points // with decay, the history adds it to no duel: its duels count alone
			}
			c.Rating, c.Through = &moved, reckoning.through(rating)
		}
		c.XP += max(0, int64(now.xp[player])-standing.XP)
		c.Begun += max(0, now.begun[player]-begun[player]-h.begun[player])
		if c != h.carried[player] && (c.Rating != nil || c.XP+c.Begun > 0) {
			all = append(all, c)
		}
	}
	return all, left, nil
}
