package audit

import (
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.Register(ruleset.Rule{Key: "audit.since", Value: since, Consequence: ruleset.Consequence{Effect: ruleset.Forward, On: beginning}})
	ruleset.Register(ruleset.Rule{
		Key: "audit.months", Value: func(g *game.Game) string { return strconv.Itoa(RulesOf(g).Months) },
		Consequence: ruleset.Consequence{Effect: ruleset.Forward, Why: "older months are deleted by the next run of cron-daily"},
	})
}

var key = gamefile.Key{
	Name: "audit", Kind: gamefile.Mapping, Absent: "no record", Text: "[records](../operate/audit.md) the effect of each submission; needs `outbox: true`",
	Keys: []gamefile.Key{
		{Name: "since", Kind: gamefile.Date, Required: "use the first date to be recorded whole, one that has not begun when the game is deployed, such as 2026-12-01",
			Text: "the date from which it is recorded"},
		{Name: "months", Kind: gamefile.Number, Default: "24", Min: "3", Max: "120", Text: "how long the record is kept"},
	},
}

func read(v gamefile.Value, g *game.Game) {
	if f := v.Fields(); v.Given() && !v.Bad() {
		g.Features = append(g.Features, Rules{Since: f.Field("since").Date(), Months: f.Field("months").Int()})
	}
}

func since(g *game.Game) string {
	if !RulesOf(g).Enabled() {
		return "off"
	}
	return RulesOf(g).Since.String()
}

// beginning is what beginning or ending the record does on a date. Somewhere on earth the next
// date has already begun.
func beginning(now string, today game.Date) ruleset.Consequence {
	since, err := game.ParseDate(now)
	switch {
	case err != nil:
		return ruleset.Consequence{Effect: ruleset.Forward, Why: "existing records are kept for as long as the file said; to record again, set a future date"}
	case today.DaysSince(since) > -2:
		return ruleset.Consequence{
			Effect: ruleset.Refused, Why: "scores of that date may exist without a record, so later ones would be recorded as the first",
			Instead: "use " + today.AddDays(2).String() + " or later",
		}
	}
	return ruleset.Consequence{Effect: ruleset.Forward, Why: "submissions are recorded from now on; their effect is known for dates from then on"}
}
