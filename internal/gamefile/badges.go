package gamefile

import (
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

var badgesKey = Key{
	Name: "badges", Kind: Table, Pattern: NameForm, Min: "1", Max: "100", Holds: "up to 100, by name; each with a title and one of `rank`, `score`, `streak`, `days`, `xp`, `wins`, `peers`",
	Text: "what players get badges for: see [Badges](../build/badges.md)", Of: &Key{Name: "name", Kind: Mapping, Keys: []Key{
		{Name: "title", Required: "use what people read", Min: "1", Max: "100", Holds: "1 to 100 bytes", Text: "the name that people see"},
		TitlesKey,
		{Name: "period", Kind: Choice, Absent: "required with `rank`", Noun: "a period that ends", Words: []string{"day", "week", "month", "season"}, Text: "of which boards a badge for ranks is"},
		{Name: "mode", Absent: "any with `rank`, required with `score`", Advice: UseMode, Pattern: NameForm, Holds: "a mode's name", Text: "the mode of ranks or scores"},
		{Name: "scope", Kind: Choice, Default: "all", Noun: "a scope of badges", Words: []string{"all", "group"}, Text: "boards of everyone, or of groups; with `rank`"},
		{Name: "once", Kind: Boolean, Default: "false", Text: "a player gets it only once; with `rank`"},
		{Name: "rank", Kind: Number, Min: "1", Max: "100", Text: "this rank or better on a closed board"},
		{Name: "score", Kind: ModeScore, Words: []string{"best"}, Holds: "`best`, or a score of the mode", Text: "a day's score that reaches this, or the best possible"},
		{Name: "streak", Kind: Number, Min: "1", Max: "36600", Text: "so many days in a row, with freezes"},
		{Name: "days", Kind: Number, Min: "1", Max: "36600", Text: "so many days played. With `peers`: within so many days, up to 31"},
		{Name: "xp", Kind: Number, Min: "1", Max: "1000000000000", Text: "so much XP, of days and duels"},
		{Name: "wins", Kind: Number, Min: "1", Max: "1000000", Text: "so many duels won"},
		{Name: "peers", Kind: Number, Min: "1", Max: "10000", Text: "acts with so many different players, in a game with [activity](../build/activity.md)"},
	}},
}

// besides are the keys that a fact may have beside its own and the title.
var besides = map[game.Fact][]string{
	game.OfRank: {"period", "mode", "scope", "once"}, game.OfScore: {"mode"}, game.OfPeers: {"days"},
}

func readBadges(v Value, g *game.Game) {
	ids, values := v.Entries()
	if v.isMapping() && len(ids) == 0 {
		v.Report("there are none", "declare one, as in week: {title: A week, streak: 7}, or leave badges out")
	}
	for i, id := range ids {
		if rule, ok := readBadge(values[i], id, g.Modes); ok {
			g.Badges = append(g.Badges, rule)
		}
	}
}

// readBadge reads one badge; false if the file does not say what it is given for. Scores are
// written with the decimals of their modes.
func readBadge(v Value, id string, modes []*game.Mode) (game.BadgeRule, bool) {
	f := v.Fields()
	if v.bad[v.path] {
		return game.BadgeRule{}, false
	}
	rule := game.BadgeRule{ID: id, Title: f.Field("title").TextOr(id), Titles: Titles(f.Field("titles")), Fact: fact(f)}
	if rule.Fact == "" {
		return rule, false
	}
	allowed := append([]string{"title", "titles", string(rule.Fact)}, besides[rule.Fact]...)
	for _, name := range v.key.names() {
		if other := f.Field(name); other.Given() && !slices.Contains(allowed, name) {
			v.add(v.lines[other.path], other.path, fmt.Sprintf("it has no meaning next to %s", rule.Fact), "leave it out, or make it a badge of its own")
		}
	}
	rule.Mode = f.Field("mode").Text()
	own := f.Field(string(rule.Fact))
	if rule.Fact == game.OfScore {
		badgeScore(&rule, own, modes)
		return rule, true
	}
	if rule.Bound = own.Number(); v.bad[own.path] {
		rule.Bound = 1
	}
	switch rule.Fact {
	case game.OfRank:
		rule.Once = f.Field("once").Flag()
		badgeBoard(&rule, f)
	case game.OfPeers:
		days := f.Field("days")
		if rule.Within = days.Int(); !days.Given() {
			days.Missing("use within how many days in a row")
		}
	}
	return rule, true
}

// fact is what the badge is given for. Beside peers, the key days belongs to the peers.
func fact(f Fields) (fact game.Fact) {
	for _, next := range game.Facts {
		v := f.Field(string(next))
		if !v.Given() || next == game.OfDays && f.Field(string(game.OfPeers)).Given() {
			continue
		}
		if fact != "" {
			v.add(v.lines[v.path], v.path, fmt.Sprintf("the badge is given for %s already", fact), "keep one of them, and make the other a badge of its own")
			return ""
		}
		fact = next
	}
	if fact == "" {
		f.at.add(f.at.lines[f.at.path], f.at.path, "it is given for nothing", "say one of rank, score, streak, days, xp, wins and peers")
	}
	return fact
}

func badgeScore(rule *game.BadgeRule, own Value, modes []*game.Mode) {
	i := slices.IndexFunc(modes, func(m *game.Mode) bool { return m.Called() == rule.Mode })
	if rule.Best = own.Is("best"); rule.Best || i < 0 {
		return // the rules report a mode that does not exist
	}
	if own.node.ShortTag() == "!!str" {
		own.wrongType("use best, or a score")
		return
	}
	decimals := game.Leading(modes[i]).Decimals
	if decimals < 0 || decimals > game.MaxDecimals {
		own.bad[own.path] = true // without decimals no score can be understood
		return
	}
	rule.Bound = own.scaled(decimals)
}

func badgeBoard(rule *game.BadgeRule, f Fields) {
	period := f.Field("period")
	if !period.Given() {
		period.Missing("use day, week, month or season")
	}
	rule.Period, _ = game.ParsePeriodKind(period.Text())
	if f.Field("scope").Text() == "group" {
		rule.Scope = game.Group
	}
}
