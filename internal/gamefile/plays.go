package gamefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// play reads the rule for every play.
func (r *nodes) play(v value) game.PlayRule {
	usual := game.DefaultPlayRule()
	f := r.section(v, "life", "slack")
	return game.PlayRule{
		Life:  r.duration(f.field("life"), usual.Life),
		Slack: r.duration(f.field("slack"), usual.Slack),
	}
}

// pools reads the texts that challenges are drawn from.
func (r *nodes) pools(v value) []game.Pool {
	names, values := r.entries(v)
	var all []game.Pool
	for i, name := range names {
		all = append(all, game.Pool{Name: name, Texts: r.texts(values[i], "use a list of texts")})
	}
	return all
}

// texts reads a list of texts.
func (r *nodes) texts(v value, want string) []string {
	if v.node.Kind != yaml.SequenceNode {
		r.wrongType(v, want)
		return nil
	}
	var all []string
	for i, node := range v.node.Content {
		item := value{node, fmt.Sprintf("%s[%d]", v.path, i)}
		r.lines[item.path] = node.Line
		if all = append(all, r.text(item, "", "use a text")); r.bad[item.path] {
			r.bad[v.path] = true // the list is not whole
		}
	}
	return all
}

// plays reads what a mode asks of its plays.
func (r modeReader) plays(m *game.Mode, f section) {
	m.NeedsPlay = choice(r.reader, f.field("play"), "a choice", off, "required", off) == "required"
	m.Proof = r.text(f.field("proof"), "", "use the name of a proof, such as keystrokes")
	rule := r.section(f.field("challenge"), "seconds", "texts", "seed", "keys")
	usual := 0
	if m.Proof != "" {
		usual = game.UsualKeys
	}
	m.Challenge = game.ChallengeRule{
		Seconds: int(r.number(rule.field("seconds"), 0, 0)),
		Texts:   r.text(rule.field("texts"), "", "use the name of texts that stand in challenges"),
		Seed:    r.flag(rule.field("seed")),
		Keys:    int(r.number(rule.field("keys"), 0, int64(usual))),
	}
}
