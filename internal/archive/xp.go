package archive

import (
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// xpRows adds up XP in double precision, as Redis does. Each row gives what [game.Mode.XPOf]
// says: floor(true score, or 0 if that is less, × numerator / denominator), the XP of a play, and the gain of the
// best threshold that the score reaches. width_bucket, which counts the thresholds reached,
// wants them ascending: so scores and thresholds are multiplied by the mode's direction.
//
// $1 first date, $2 last date, then by mode: names, numerators, denominators, plays,
// directions, thresholds, gains
const XPRows = XPRule + `
SELECT player, sum(` + XPOfRow + `)
FROM results JOIN rule USING (mode)
WHERE date BETWEEN $1 AND $2
GROUP BY player`

// xpRule is the modes' rules, xpOfRow the XP that they give for a result.
const XPRule = `
WITH rule AS MATERIALIZED (
  SELECT mode, numerator, denominator, play, direction,
         thresholds::double precision[] AS thresholds, gains::double precision[] AS gains
  FROM unnest($3::text[], $4::double precision[], $5::double precision[], $6::double precision[],
              $7::double precision[], $8::text[], $9::text[])
       AS given (mode, numerator, denominator, play, direction, thresholds, gains)
)`

const XPOfRow = `
  floor(greatest(floor(stored), 0) * numerator / denominator) + play
  + coalesce(gains[width_bucket(direction * floor(stored), thresholds)], 0)`

// xpArguments returns the parameters of xpRows that describe the modes' rules.
func XPArguments(modes []*game.Mode) []any {
	var names, thresholds, gains []string
	var numerators, denominators, plays, directions []float64
	for _, m := range modes {
		if !m.GivesXP() {
			continue
		}
		direction := 1.0
		if m.Order == game.Asc {
			direction = -1
		}
		var from, gained []string
		for _, step := range m.XP.Scores {
			from = append(from, strconv.FormatInt(int64(direction)*int64(game.Reaching(m, step.Score)), 10))
			gained = append(gained, strconv.FormatInt(step.XP, 10))
		}
		names = append(names, m.Name)
		numerators = append(numerators, float64(m.XP.Weight))
		denominators = append(denominators, xpScale(m))
		plays = append(plays, float64(m.XP.Play))
		directions = append(directions, direction)
		thresholds = append(thresholds, "{"+strings.Join(from, ",")+"}") // arrays of arrays would have to be of one length
		gains = append(gains, "{"+strings.Join(gained, ",")+"}")
	}
	return []any{names, numerators, denominators, plays, directions, thresholds, gains}
}

// xpScale is the denominator of a mode's weight: thousandths, times the scale of the score's
// decimals.
func xpScale(m *game.Mode) float64 {
	scale := 1000.0
	for range m.Decimals {
		scale *= 10
	}
	return scale
}
