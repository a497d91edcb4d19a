package gamefile

import "github.com/framedle/leaderboards/internal/game"

var auditKey = key{name: "audit", kind: mapping, otherwise: "no record", text: "[records](../operate/audit.md) the effect of each submission; needs `outbox: true`", keys: []key{
	{name: "since", kind: date, need: "use the first date to be recorded whole, one that has not begun when the game is deployed, such as 2026-12-01",
		text: "the date from which it is recorded"},
	{name: "months", kind: number, usual: "24", min: "3", max: "120", text: "how long the record is kept"},
}}

func readAudit(v value, g *game.Game) {
	if f := v.fields(); v.given() && !v.bad[v.path] {
		g.Audit = game.Audit{Since: f.field("since").date(), Months: f.field("months").int()}
	}
}
