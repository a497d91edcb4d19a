package archive

import (
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
)

// The board of groups consists of what the members of each group add up to: rows
// (scope, player, stored) of the members, then of the groups.
const (
	memberStands = `floor(coalesce(scoped_stored[array_position(scopes, scope)], stored))`
	memberRows   = ` AS stored FROM results CROSS JOIN unnest(scopes) AS scope
WHERE mode = $1 AND date BETWEEN $2 AND $3 AND $4 = 'groups' AND starts_with(scope, 'group:')`
	perMember = ` GROUP BY scope, player`
)

// teamRows are a mode's groups as the players of a board.
func teamRows(m *game.Mode) string {
	members := `SELECT scope, player, sum(` + memberStands + `)` + memberRows + perMember
	switch m.Aggregate {
	case game.Max:
		members = `SELECT scope, player, max(` + memberStands + `)` + memberRows + perMember
	case game.Min:
		members = `SELECT scope, player, min(` + memberStands + `)` + memberRows + perMember
	case game.Last:
		members = `SELECT DISTINCT ON (scope, player) scope, player, ` + memberStands + memberRows + ` ORDER BY scope, player, date DESC`
	}
	counted := ``
	if best := m.Teams.Best; best > 0 {
		counted = ` WHERE place <= ` + strconv.Itoa(best)
	}
	return `SELECT substr(scope, 7) COLLATE "C" AS player, sum(stored) AS stored FROM (
SELECT scope, stored, row_number() OVER (PARTITION BY scope ORDER BY stored DESC) AS place FROM (` + members + `) AS members
) AS placed` + counted + ` GROUP BY scope`
}
