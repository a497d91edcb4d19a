package ruleset

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

const seasonPrefix = "seasons."

const (
	// rolledUpAfter is for how many days after a season's first day none of its days has been
	// rolled up: day boards live seven days at least after their day, and are rolled up in the
	// last quarter of that.
	rolledUpAfter = 5
	// rolledUpWithin is for how many days after a season some day of it may not be rolled up:
	// no day board lives longer.
	rolledUpWithin = 31
)

const restoreSeason = "; or accept the rules, and have lbctl restore make the season from the archive"

// seasonsInto adds one rule for each season.
func seasonsInto(r Rules, g *game.Game) {
	for _, s := range g.Seasons {
		r[seasonPrefix+s.Name] = s.First.String() + " to " + s.Last.String()
	}
}

// daysOf reads a rule of a season. A text that is no such rule gives a season long past.
func daysOf(rule string) (first, last game.Date) {
	from, to, _ := strings.Cut(rule, " to ")
	first, err := game.ParseDate(from)
	if last, lastErr := game.ParseDate(to); err == nil && lastErr == nil {
		return first, last
	}
	return game.Date{}, game.Date{}
}

// seasonChange is what adding, changing or removing a season does on a date; one of the rules
// may be empty.
func seasonChange(path, old, now string, today game.Date) Change {
	c := Change{Path: path, Old: old, New: now, Effect: Safe}
	first, last := daysOf(old)
	begins, _ := daysOf(now)
	begun := old != "" && !first.After(today)
	late := now != "" && today.DaysSince(begins) > rolledUpAfter
	switch {
	case now == "" && !begun:
		c.Why = "it has not begun: there is nothing of it"
	case now == "" && today.DaysSince(last) > rolledUpWithin:
		c.Effect, c.Why = Forward, "its boards stay in Redis until they expire, and no address shows them; do not use its name again"
	case now == "":
		c.Effect, c.Why = Refused, "days of it are rolled up from now on without being added to it, so it could not be had back"
		c.Instead = "leave it in the file until a month after its last day"
	case old != "" && begun:
		c.Effect, c.Why = Refused, "it has begun, and its boards have taken in days by the old dates"
		c.Instead = "give the new dates a name of their own" + restoreSeason
	case late:
		c.Effect, c.Why = Refused, fmt.Sprintf("days of it that are more than %d days old have been rolled up and would be missing", rolledUpAfter)
		c.Instead = "let it begin on a day to come" + restoreSeason
	default:
		c.Why = "it is made from its days, as soon as it has begun"
	}
	return c
}
