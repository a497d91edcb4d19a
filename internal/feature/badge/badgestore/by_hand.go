package badgestore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
)

// BadgeState is what a player has of a badge.
type BadgeState string

// What a player may have of a badge.
const (
	NotHeld BadgeState = "none"
	IsHeld  BadgeState = "held"
	IsTaken BadgeState = "taken" // an operator took it
)

// State returns what the player has of a badge.
// 1 round trip.
func (a Table) State(ctx context.Context, b PlayerBadge) (BadgeState, error) {
	rows, err := archive.Collect(ctx, a.db, "look for a badge", `
SELECT taken_at IS NOT NULL FROM badges WHERE player = $1 AND rule = $2 AND key = $3`, []any{b.Player, b.Rule, b.Key}, pgx.RowTo[bool])
	switch {
	case err != nil || len(rows) == 0:
		return NotHeld, err
	case rows[0]:
		return IsTaken, nil
	}
	return IsHeld, nil
}

// GiveByHand gives a player a badge, or back the one that was taken. A player who has it keeps
// it as it is. A player who was erased since from gets none.
// 1 round trip.
func (a Table) GiveByHand(ctx context.Context, b PlayerBadge, from time.Time) error {
	_, err := archive.Collect(ctx, a.db, "give a badge by hand", a.withEvents(`
INSERT INTO badges AS old (player, rule, key, mode, scope, period, earned, since, by_hand)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, true WHERE NOT erased_since($1, $9)
ON CONFLICT (player, rule, key) DO UPDATE SET taken_at = NULL WHERE old.taken_at IS NOT NULL`),
		append([]any{b.Player, b.Rule, b.Key, b.Mode, b.Scope, b.Period, b.Earned.Midnight(), b.Since.Midnight(), from}, a.listening()...), pgx.RowTo[string])
	return err
}

// TakeByHand takes a badge from a player. One that a rule gave leaves a mark, so that it is not
// given again; one that was given by hand leaves none: the player may still earn it.
// 1 round trip.
func (a Table) TakeByHand(ctx context.Context, b PlayerBadge, at time.Time) error {
	return a.db.Run(ctx, "take a badge by hand", `
WITH dropped AS (DELETE FROM badges WHERE player = $1 AND rule = $2 AND key = $3 AND by_hand)
UPDATE badges SET taken_at = $4 WHERE player = $1 AND rule = $2 AND key = $3 AND NOT by_hand AND taken_at IS NULL`, b.Player, b.Rule, b.Key, at)
}
