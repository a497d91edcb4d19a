package gamefile

import (
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

var badgesKey = key{
	name: "badges", kind: table, form: nameForm, min: "1", max: "100", holds: "up to 100, by name; each with a title and one of `rank`, `score`, `streak`, `days`, `xp`, `wins`, `peers`",
	text: "what players get badges for: see [Badges](../build/badges.md)", of: &key{name: "name", kind: mapping, keys: []key{
		{name: "title", need: "use what people read", min: "1", max: "100", holds: "1 to 100 bytes", text: "the name that people see"},
		titlesKey,
		{name: "period", kind: choice, otherwise: "required with `rank`", noun: "a period that ends", words: []string{"day", "week", "month", "season"}, text: "of which boards a badge for ranks is"},
		{name: "mode", otherwise: "any with `rank`, required with `score`", want: modeName, form: nameForm, holds: "a mode's name", text: "the mode of ranks or scores"},
		{name: "scope", kind: choice, usual: "all", noun: "a scope of badges", words: []string{"all", "group"}, text: "boards of everyone, or of groups; with `rank`"},
		{name: "once", kind: boolean, usual: "false", text: "a player gets it only once; with `rank`"},
		{name: "rank", kind: number, min: "1", max: "100", text: "this rank or better on a closed board"},
		{name: "score", kind: score, words: []string{"best"}, holds: "`best`, or a score of the mode", text: "a day's score that reaches this, or the best possible"},
		{name: "streak", kind: number, min: "1", max: "36600", text: "so many days in a row, with freezes"},
		{name: "days", kind: number, min: "1", max: "36600", text: "so many days played. With `peers`: within so many days, up to 31"},
		{name: "xp", kind: number, min: "1", max: "1000000000000", text: "so much XP, of days and duels"},
		{name: "wins", kind: number, min: "1", max: "1000000", text: "so many duels won"},
		{name: "peers", kind: number, min: "1", max: "10000", text: "acts with so many different players, in a game with [activity](../build/activity.md)"},
	}},
}

// besides are the keys that a fact may have beside its own and the title.
var besides = map[game.Fact][]string{
	game.OfRank: {"period", "mode", "scope", "once"}, game.OfScore: {"mode"}, game.OfPeers: {"days"},
}

func readBadges(v value, g *game.Game) {
	ids, values := v.entries()
	if v.isMapping() && len(ids) == 0 {
		v.report("there are none", "declare one, as in week: {title: A week, streak: 7}, or leave badges out")
	}
	for i, id := range ids {
		if rule, ok := readBadge(values[i], id, g.Modes); ok {
			g.Badges = append(g.Badges, rule)
		}
	}
}

// readBadge reads one badge; false if the file does not say what it is given for. Scores are
// written with the decimals of their modes.
func readBadge(v value, id string, modes []*game.Mode) (game.BadgeRule, bool) {
	f := v.fields()
	if v.bad[v.path] {
		return game.BadgeRule{}, false
	}
	rule := game.BadgeRule{ID: id, Title: f.field("title").textOr(id), Titles: titles(f.field("titles")), Fact: fact(f)}
	if rule.Fact == "" {
		return rule, false
	}
	allowed := append([]string{"title", "titles", string(rule.Fact)}, besides[rule.Fact]...)
	for _, name := range v.key.names() {
		if other := f.field(name); other.given() && !slices.Contains(allowed, name) {
			v.add(v.lines[other.path], other.path, fmt.Sprintf("it has no meaning next to %s", rule.Fact), "leave it out, or make it a badge of its own")
		}
	}
	rule.Mode = f.field("mode").text()
	own := f.field(string(rule.Fact))
	if rule.Fact == game.OfScore {
		badgeScore(&rule, own, modes)
		return rule, true
	}
	if rule.Bound = own.number(); v.bad[own.path] {
		rule.Bound = 1
	}
	switch rule.Fact {
	case game.OfRank:
		rule.Once = f.field("once").flag()
		badgeBoard(&rule, f)
	case game.OfPeers:
		days := f.field("days")
		if rule.Within = days.int(); !days.given() {
			days.missing("use within how many days in a row")
		}
	}
	return rule, true
}

// fact is what the badge is given for. Beside peers, the key days belongs to the peers.
func fact(f fields) (fact game.Fact) {
	for _, next := range game.Facts {
		v := f.field(string(next))
		if !v.given() || next == game.OfDays && f.field(string(game.OfPeers)).given() {
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

func badgeScore(rule *game.BadgeRule, own value, modes []*game.Mode) {
	i := slices.IndexFunc(modes, func(m *game.Mode) bool { return m.Called() == rule.Mode })
	if rule.Best = own.is("best"); rule.Best || i < 0 {
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

func badgeBoard(rule *game.BadgeRule, f fields) {
	period := f.field("period")
	if !period.given() {
		period.missing("use day, week, month or season")
	}
	rule.Period, _ = game.ParsePeriodKind(period.text())
	if f.field("scope").text() == "group" {
		rule.Scope = game.Group
	}
}
