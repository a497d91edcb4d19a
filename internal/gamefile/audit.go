package gamefile

import "github.com/framedle/leaderboards/internal/game"

// readAudit reads from which date on, and for how long, the game records what submissions did.
func readAudit(r *reader, v value) game.Audit {
	if v.node == nil {
		return game.Audit{}
	}
	f := r.section(v, "since", "months")
	if r.bad[v.path] {
		return game.Audit{}
	}
	if f.field("since").node == nil {
		r.missing(f.field("since"), "use the first date to be recorded whole, one that has not begun when the game is deployed, such as 2026-12-01")
	}
	return game.Audit{
		Since:  r.date(f.field("since")),
		Months: int(r.number(f.field("months"), 0, game.UsualAuditMonths)),
	}
}
