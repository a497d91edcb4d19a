package archive

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Kind is what a player achieved in a week, month or season.
type Kind string

// The kinds, best first.
const (
	Champion Kind = "champion" // rank 1
	Podium   Kind = "podium"   // rank 2 or 3
	Top10    Kind = "top10"
	Top100   Kind = "top100"
)

// Award is one player's achievement on a board.
type Award struct {
	Player string
	Kind   Kind
	Rank   int64
}

// everybody is how answers name the scope that the archive keeps as "".
const everybody = "global"

const achievementColumns = `
SELECT kind, mode, period, period_key, coalesce(nullif(scope, ''), '` + everybody + `') AS scope, rank, awarded_at FROM achievements AS won `

// place returns the values that an achievement is ordered by among those of its player.
func place(w game.Achievement) []any {
	return []any{w.AwardedAt, w.Mode, w.Period, w.PeriodKey, strings.TrimPrefix(w.Scope, everybody), w.Kind}
}

// Achievements are what players have achieved in weeks, months and seasons.
type Achievements struct{ db *DB }

// Put makes these awards the awards of a board: it adds new ones and deletes those that are
// missing here. An award that stays keeps the time at which it was given. at is the time at
// which the board was read: a player erased since then gets no award.
// 1 round trip.
func (a Achievements) Put(ctx context.Context, b game.Board, awards []Award, at time.Time) error {
	players, kinds, ranks := make([]string, len(awards)), make([]string, len(awards)), make([]int64, len(awards))
	for i, w := range awards {
		players[i], kinds[i], ranks[i] = w.Player, string(w.Kind), w.Rank
	}
	return a.db.Run(ctx, "put the awards of "+b.Key, `
WITH given AS (
    SELECT * FROM unnest($5::text[], $6::text[], $7::bigint[]) AS rows (player, kind, rank)
), lost AS (
    DELETE FROM achievements
    WHERE mode = $1 AND period = $2 AND period_key = $3 AND scope = $4
      AND (player, kind) NOT IN (SELECT player, kind FROM given)
)
INSERT INTO achievements AS old (mode, period, period_key, scope, player, kind, rank, awarded_at)
SELECT $1, $2, $3, $4, player, kind, rank, $8 FROM given WHERE NOT erased_since(player, $8)
ON CONFLICT (mode, period, period_key, scope, player, kind) DO UPDATE
SET rank = excluded.rank WHERE old.rank <> excluded.rank`,
		append(snapshotKey(b), players, kinds, ranks, at)...)
}

// Of lists what a player has achieved, newest first.
// 1 round trip.
func (a Achievements) Of(ctx context.Context, player string) ([]game.Achievement, error) {
	return Collect(ctx, a.db, "read a player's achievements", achievementColumns+`
WHERE player = $1 ORDER BY awarded_at DESC, mode, period, period_key, won.scope, rank`, []any{player}, pgx.RowToStructByName[game.Achievement])
}

// Before reads the player's achievements that come after the place p, newest first.
// 1 round trip.
func (a Achievements) Before(ctx context.Context, player string, p game.Achievement, limit int) ([]game.Achievement, error) {
	return Collect(ctx, a.db, "read a player's achievements", achievementColumns+`
WHERE player = $1 AND (awarded_at, mode, period, period_key, scope, kind) < ($2, $3, $4, $5, $6, $7)
ORDER BY awarded_at DESC, mode DESC, period DESC, period_key DESC, won.scope DESC, kind DESC LIMIT $8`,
		slices.Concat([]any{player}, place(p), []any{limit}), pgx.RowToStructByName[game.Achievement])
}
