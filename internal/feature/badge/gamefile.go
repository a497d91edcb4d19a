package badge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"

	"github.com/framedle/leaderboards/internal/game"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.Register(ruleset.Rule{Key: "badges", Value: describe, Consequence: ruleset.Consequence{
		Effect: ruleset.Safe, Why: "awarded badges stay, and are shown as long as their rule exists; days and weeks that close from now on use the new rules",
	}})
}

var key = gamefile.Key{
	Name: "badges", Kind: gamefile.Table, Pattern: gamefile.NameForm, Min: "1", Max: "100", Holds: "up to 100, by name; each with a title and one of `rank`, `score`, `streak`, `days`, `xp`, `wins`, `peers`",
	Text: "what players get badges for: see [Badges](../build/badges.md)", Of: &gamefile.Key{Name: "name", Kind: gamefile.Mapping, Keys: []gamefile.Key{
		{Name: "title", Required: "use what people read", Min: "1", Max: "100", Holds: "1 to 100 bytes", Text: "the name that people see"},
		gamefile.TitlesKey,
		{Name: "period", Kind: gamefile.Choice, Absent: "required with `rank`", Noun: "a period that ends", Words: []string{"day", "week", "month", "season"}, Text: "of which boards a badge for ranks is"},
		{Name: "mode", Absent: "any with `rank`, required with `score`", Advice: gamefile.UseMode, Pattern: gamefile.NameForm, Holds: "a mode's name", Text: "the mode of ranks or scores"},
		{Name: "scope", Kind: gamefile.Choice, Default: "all", Noun: "a scope of badges", Words: []string{"all", "group"}, Text: "boards of everyone, or of groups; with `rank`"},
		{Name: "once", Kind: gamefile.Boolean, Default: "false", Text: "a player gets it only once; with `rank`"},
		{Name: "rank", Kind: gamefile.Number, Min: "1", Max: "100", Text: "this rank or better on a closed board"},
		{Name: "score", Kind: gamefile.ModeScore, Words: []string{"best"}, Holds: "`best`, or a score of the mode", Text: "a day's score that reaches this, or the best possible"},
		{Name: "streak", Kind: gamefile.Number, Min: "1", Max: "36600", Text: "so many days in a row, with freezes"},
		{Name: "days", Kind: gamefile.Number, Min: "1", Max: "36600", Text: "so many days played. With `peers`: within so many days, up to 31"},
		{Name: "xp", Kind: gamefile.Number, Min: "1", Max: "1000000000000", Text: "so much XP, of days and duels"},
		{Name: "wins", Kind: gamefile.Number, Min: "1", Max: "1000000", Text: "so many duels won"},
		{Name: "peers", Kind: gamefile.Number, Min: "1", Max: "10000", Text: "acts with so many different players, in a game with [activity](../build/activity.md)"},
	}},
}

// besides are the keys that a fact may have beside its own and the title.
var besides = map[Fact][]string{
	OfRank: {"period", "mode", "scope", "once"}, OfScore: {"mode"}, OfPeers: {"days"},
}

func read(v gamefile.Value, g *game.Game) {
	ids, values := v.Entries()
	if v.IsMapping() && len(ids) == 0 {
		v.Report("there are none", "declare one, as in week: {title: A week, streak: 7}, or leave badges out")
	}
	var all Rules
	for i, id := range ids {
		if rule, ok := readBadge(values[i], id, g.Modes); ok {
			all = append(all, rule)
		}
	}
	if len(all) > 0 {
		g.Features = append(g.Features, all)
	}
}

// readBadge reads one badge; false if the file does not say what it is given for. Scores are
// written with the decimals of their modes.
func readBadge(v gamefile.Value, id string, modes []*game.Mode) (Rule, bool) {
	f := v.Fields()
	if v.Bad() {
		return Rule{}, false
	}
	rule := Rule{ID: id, Title: f.Field("title").TextOr(id), Titles: gamefile.Titles(f.Field("titles")), Fact: factOf(v, f)}
	if rule.Fact == "" {
		return rule, false
	}
	allowed := append([]string{"title", "titles", string(rule.Fact)}, besides[rule.Fact]...)
	for _, k := range key.Of.Keys {
		if other := f.Field(k.Name); other.Given() && !slices.Contains(allowed, k.Name) {
			other.ReportAtKey(fmt.Sprintf("it has no meaning next to %s", rule.Fact), "leave it out, or make it a badge of its own")
		}
	}
	rule.Mode = f.Field("mode").Text()
	own := f.Field(string(rule.Fact))
	if rule.Fact == OfScore {
		badgeScore(&rule, own, modes)
		return rule, true
	}
	if rule.Bound = own.Number(); own.Bad() {
		rule.Bound = 1
	}
	switch rule.Fact {
	case OfRank:
		rule.Once = f.Field("once").Flag()
		badgeBoard(&rule, f)
	case OfPeers:
		days := f.Field("days")
		if rule.Within = days.Int(); !days.Given() {
			days.Missing("use within how many days in a row")
		}
	}
	return rule, true
}

// factOf is what the badge is given for. Beside peers, the key days belongs to the peers.
func factOf(badge gamefile.Value, f gamefile.Fields) (fact Fact) {
	for _, next := range Facts {
		v := f.Field(string(next))
		if !v.Given() || next == OfDays && f.Field(string(OfPeers)).Given() {
			continue
		}
		if fact != "" {
			v.ReportAtKey(fmt.Sprintf("the badge is given for %s already", fact), "keep one of them, and make the other a badge of its own")
			return ""
		}
		fact = next
	}
	if fact == "" {
		badge.ReportAtKey("it is given for nothing", "say one of rank, score, streak, days, xp, wins and peers")
	}
	return fact
}

func badgeScore(rule *Rule, own gamefile.Value, modes []*game.Mode) {
	i := slices.IndexFunc(modes, func(m *game.Mode) bool { return m.Called() == rule.Mode })
	if rule.Best = own.Is("best"); rule.Best || i < 0 {
		return // the rules report a mode that does not exist
	}
	if own.IsText() {
		own.WrongType("use best, or a score")
		return
	}
	decimals := game.Leading(modes[i]).Decimals
	if decimals < 0 || decimals > game.MaxDecimals {
		own.Void() // without decimals no score can be understood
		return
	}
	rule.Bound = int64(own.Score(decimals))
}

func badgeBoard(rule *Rule, f gamefile.Fields) {
	period := f.Field("period")
	if !period.Given() {
		period.Missing("use day, week, month or season")
	}
	rule.Period, _ = game.ParsePeriodKind(period.Text())
	if f.Field("scope").Text() == "group" {
		rule.Scope = game.Group
	}
}

// describe is the text by which two versions of the rules are compared.
func describe(g *game.Game) string {
	all := RulesOf(g)
	if len(all) == 0 {
		return gamefile.Off
	}
	said := make([]string, len(all))
	for i, r := range all {
		bound := strconv.FormatInt(r.Bound, 10)
		if m, ok := g.Mode(r.Mode); ok && r.Fact == OfScore {
			bound = game.ShowScore(m, game.Score(r.Bound))
		}
		said[i] = fmt.Sprintf("%s: %q for %s %s", r.ID, r.Title, r.Fact, bound)
		switch r.Fact {
		case OfRank:
			said[i] += fmt.Sprintf(" of %s, %s, %s, once %t", cmp.Or(r.Mode, "any mode"), r.Period, r.Scope, r.Once)
		case OfScore:
			said[i] += " of " + r.Mode
		case OfPeers:
			said[i] += fmt.Sprintf(" within %d days", r.Within)
		}
	}
	return strings.Join(said, ", ")
}
