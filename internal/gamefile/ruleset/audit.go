package ruleset

import (
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
)

const auditSince = "audit.since"

func sinceOf(g *game.Game) string {
	if !g.Audit.On() {
		return off
	}
	return g.Audit.Since.String()
}

func auditMonths(g *game.Game) string { return strconv.Itoa(g.Audit.Months) }

// auditChange is what beginning or ending the record does on a date. Somewhere on earth the
// next date has already begun.
func auditChange(now string, today game.Date) consequence {
	since, err := game.ParseDate(now)
	switch {
	case err != nil:
		return forward("what is recorded stays for as long as the file said; to record again, say so from a date to come")
	case today.DaysSince(since) > -2:
		return refused("scores of that date may be there of which nothing is recorded, so the record would take later ones for the first", "use "+today.AddDays(2).String()+" or later")
	}
	return forward("submissions are recorded from now on; what they found is known of dates from then on")
}
