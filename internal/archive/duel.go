package archive

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// duelColumnNames are the columns of a row, in the order of duelRow and scanDuel.
const duelColumnNames = `id, state, a, b, mode, created_at, k, winner, score_a, score_b, decided_by, decided_at,
    before_a, after_a, rank_a, before_b, after_b, rank_b, points_a, xp_a, points_b, xp_b`

// Duels are the duels that are over, the duels under way as Redis last had them, and what they
// made of their players.
type Duels struct{ db *database }

// Put keeps duels that are decided or disputed, and those that expired after both players had
// come, up to MostRows. A duel that is kept as decided does not change any more. Erased takes
// the place of players who have been erased since.
// 1 round trip.
func (a Duels) Put(ctx context.Context, duels []game.Duel) error {
	n := len(duels)
	if n > MostRows {
		return fmt.Errorf("%d duels are too many to put at once; use up to %d", n, MostRows)
	}
	if n == 0 {
		return nil
	}
	return a.db.together(ctx, "put duels", func(b *pgx.Batch) {
		for _, d := range duels {
			b.Queue(`
INSERT INTO duels AS old (`+duelColumnNames+`)
VALUES ($1, $2, CASE WHEN erased_since($3, coalesce($12::timestamptz, $6::timestamptz)) THEN $23 ELSE $3 END, CASE WHEN erased_since($4, coalesce($12::timestamptz, $6::timestamptz)) THEN $23 ELSE $4 END,
    $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
ON CONFLICT (id) DO UPDATE
SET state = excluded.state, winner = excluded.winner, score_a = excluded.score_a, score_b = excluded.score_b,
    decided_by = excluded.decided_by, decided_at = excluded.decided_at,
    before_a = excluded.before_a, after_a = excluded.after_a, rank_a = excluded.rank_a,
    before_b = excluded.before_b, after_b = excluded.after_b, rank_b = excluded.rank_b,
    points_a = excluded.points_a, xp_a = excluded.xp_a, points_b = excluded.points_b, xp_b = excluded.xp_b
WHERE old.state = 'disputed' AND excluded.state = 'decided'`, duelRow(d)...)
		}
	})
}

// winners are the column winner's values, by Winner + 1.
var winners = [...]string{"-", "a", "b"}

// duelRow returns the values of a duel's columns, and Erased.
func duelRow(d game.Duel) []any {
	var winner *string
	var decided *time.Time
	var score [2]*int64
	if o := d.Outcome; o != nil {
		winner, decided = &winners[o.Winner+1], &d.DecidedAt
		if o.Score != nil {
			score = [2]*int64{&o.Score[0], &o.Score[1]}
		}
	}
	r := d.Ratings
	return []any{
		d.ID, string(d.State), d.Players[0], d.Players[1], d.Mode, d.CreatedAt, d.K, winner, score[0], score[1], string(d.By), decided,
		r[0].Before, r[0].After, r[0].Rank, r[1].Before, r[1].After, r[1].Rank,
		d.Points[0], d.XP[0], d.Points[1], d.XP[1], Erased,
	}
}

// Of lists a player's duels, without expired ones, newest first: those made before a moment,
// or at that moment with a lesser id.
// 1 round trip.
func (a Duels) Of(ctx context.Context, player string, at time.Time, id string, limit int) ([]game.Duel, error) {
	const page = ` AND state <> 'expired' AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4`
	return collect(ctx, a.db, "list the duels of a player", `
SELECT `+duelColumnNames+` FROM (
    (SELECT * FROM duels WHERE a = $1`+page+`) UNION ALL (SELECT * FROM duels WHERE b = $1`+page+`)
) AS found ORDER BY created_at DESC, id DESC LIMIT $4`, []any{player, at, id, limit}, scanDuel)
}

func scanDuel(row pgx.CollectableRow) (d game.Duel, err error) {
	var winner *string
	var score [2]*int64
	r := &d.Ratings
	err = row.Scan(&d.ID, &d.State, &d.Players[0], &d.Players[1], &d.Mode, &d.CreatedAt, &d.K, &winner, &score[0], &score[1],
		&d.By, &d.DecidedAt, &r[0].Before, &r[0].After, &r[0].Rank, &r[1].Before, &r[1].After, &r[1].Rank,
		&d.Points[0], &d.XP[0], &d.Points[1], &d.XP[1])
	if err != nil || winner == nil {
		return d, err
	}
	d.Outcome = &game.DuelOutcome{Winner: strings.Index("-ab", *winner) - 1}
	if score[0] != nil && score[1] != nil {
		d.Outcome.Score = &[2]int64{*score[0], *score[1]}
	}
	return d, nil
}

// eraseDuels puts Erased in a player's place.
const eraseDuels = `
UPDATE duels SET a = CASE WHEN a = $1 THEN $2 ELSE a END, b = CASE WHEN b = $1 THEN $2 ELSE b END
WHERE a = $1 OR b = $1`

// Known returns those of the ids that belong to a kept duel which has not expired.
// 1 round trip.
func (a Duels) Known(ctx context.Context, ids []string) ([]string, error) {
	return collect(ctx, a.db, "look for duels", `SELECT id FROM duels WHERE id = ANY ($1) AND state <> 'expired'`, []any{ids}, pgx.RowTo[string])
}
