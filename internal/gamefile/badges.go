package gamefile

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// badgeReader reads what players are given badges for. Scores are written with the decimals of
// their modes.
type badgeReader struct {
	*reader
	modes []*game.Mode
}

// besides are the keys that a fact may have beside its own and the title.
var besides = map[game.Fact][]string{
	game.OfRank: {"period", "mode", "scope", "once"}, game.OfScore: {"mode"}, game.OfPeers: {"days"},
}

func (r badgeReader) read(v value) game.Badges {
	ids, values := r.entries(v)
	if v.node != nil && v.node.Kind == yaml.MappingNode && len(ids) == 0 {
		r.add(v.node.Line, v.path, "there are none", "declare one, as in week: {title: A week, streak: 7}, or leave badges out")
	}
	var all game.Badges
	for i, id := range ids {
		if rule, ok := r.rule(id, values[i]); ok {
			all = append(all, rule)
		}
	}
	return all
}

// rule reads one badge; false if the file does not say what it is given for.
func (r badgeReader) rule(id string, v value) (game.BadgeRule, bool) {
	known := []string{"title", "period", "mode", "scope", "once"}
	for _, fact := range game.Facts {
		known = append(known, string(fact))
	}
	f := r.section(v, known...)
	if r.bad[v.path] {
		return game.BadgeRule{}, false
	}
	if f.field("title").node == nil {
		r.missing(f.field("title"), "use what people read")
	}
	rule := game.BadgeRule{ID: id, Title: r.text(f.field("title"), id, "use text"), Fact: r.fact(f)}
	if rule.Fact == "" {
		return rule, false
	}
	allowed := append([]string{"title", string(rule.Fact)}, besides[rule.Fact]...)
	for _, key := range known {
		if other := f.field(key); other.node != nil && !slices.Contains(allowed, key) {
			r.add(r.lines[other.path], other.path, fmt.Sprintf("it has no meaning beside %s", rule.Fact), "leave it out, or make it a badge of its own")
		}
	}
	rule.Mode = r.text(f.field("mode"), "", "use the name of a mode")
	own := f.field(string(rule.Fact))
	switch rule.Fact {
	case game.OfScore:
		r.score(&rule, own)
	case game.OfRank:
		rule.Bound = r.number(own, 0, 1)
		rule.Once = r.flag(f.field("once"))
		r.board(&rule, f)
	case game.OfPeers:
		rule.Bound, rule.Within = r.number(own, 0, 1), int(r.number(f.field("days"), 0, 1))
		if f.field("days").node == nil {
			r.missing(f.field("days"), "use within how many days in a row")
		}
	default:
		rule.Bound = r.number(own, 0, 1)
	}
	return rule, true
}

// fact is what the badge is given for. Beside peers, the key days belongs to the peers.
func (r badgeReader) fact(f section) (fact game.Fact) {
	for _, next := range game.Facts {
		v := f.field(string(next))
		if v.node == nil || next == game.OfDays && f.field(string(game.OfPeers)).node != nil {
			continue
		}
		if fact != "" {
			r.add(r.lines[v.path], v.path, fmt.Sprintf("the badge is given for %s already", fact), "keep one of them, and make the other a badge of its own")
			return ""
		}
		fact = next
	}
	if fact == "" {
		r.add(r.lines[f.at.path], f.at.path, "it is given for nothing", "say one of rank, score, streak, days, xp, wins and peers")
	}
	return fact
}

func (r badgeReader) score(rule *game.BadgeRule, own value) {
	const best = "best"
	i := slices.IndexFunc(r.modes, func(m *game.Mode) bool { return m.Called() == rule.Mode })
	if rule.Best = own.node.Value == best; rule.Best || i < 0 {
		return // the rules report a mode that does not exist
	}
	if own.node.ShortTag() == "!!str" {
		r.wrongType(own, "use best, or a score")
		return
	}
	rule.Bound = r.number(own, game.Leading(r.modes[i]).Decimals, 0)
}

func (r badgeReader) board(rule *game.BadgeRule, f section) {
	if f.field("period").node == nil {
		r.missing(f.field("period"), "use day, week, month or season")
	}
	word := choice(r.reader, f.field("period"), "a period that ends", "day", "day", "week", "month", "season")
	rule.Period, _ = game.ParsePeriodKind(word)
	if choice(r.reader, f.field("scope"), "a scope of badges", "all", "all", "group") == "group" {
		rule.Scope = game.Group
	}
}
