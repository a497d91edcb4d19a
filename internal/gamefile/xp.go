package gamefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

const xpDecimals = 3

// xp reads what a mode gives: a number for each point, or a mapping of what it gives for a
// play and for scores; another key has the decimals of these.
func (r modeReader) xp(mode section, says value, decimals int) game.XPRule {
	v := mode.field("xp")
	if v.node == nil || v.node.Kind != yaml.MappingNode {
		return game.XPRule{Weight: r.number(v, xpDecimals, 0)}
	}
	f := r.section(v, "play", "scores")
	if len(v.node.Content) == 0 {
		r.add(v.node.Line, v.path, "there is nothing in it", `use a number, or play and scores, as in {play: 10, scores: {"60": 100}}`)
	}
	rule := game.XPRule{Play: r.number(f.field("play"), 0, 0)}
	readable := decimals >= 0 && decimals <= game.MaxDecimals && !r.bad[says.path]
	if scores := f.field("scores"); scores.node != nil && readable {
		rule.Scores = r.xpScores(scores, decimals)
	}
	return rule
}

// xpScores reads a table whose keys are scores.
func (r modeReader) xpScores(v value, decimals int) []game.XPScore {
	keys, values := r.entries(v)
	var scores []game.XPScore
	lines := map[game.Score]int{}
	for i, key := range keys {
		line := r.lines[values[i].path]
		score, err := game.ParseScaled(key, decimals)
		if err != nil {
			r.add(line, values[i].path, fmt.Sprintf("%.40q is not a score of this mode", key),
				wantNumber(decimals)+" within 2^53")
			continue
		}
		if first, twice := lines[score]; twice {
			r.add(line, values[i].path, fmt.Sprintf("the score stands in line %d already", first), "keep one of them")
			continue
		}
		lines[score] = line
		r.lines[v.at(game.FormatScaled(score, decimals))] = line // rules name a score by its shortest form
		if xp := r.number(values[i], 0, 0); !r.bad[values[i].path] {
			scores = append(scores, game.XPScore{Score: score, XP: xp})
		}
	}
	if v.node.Kind == yaml.MappingNode && len(v.node.Content) == 0 {
		r.add(v.node.Line, v.path, "there are none", `use scores and what they give, as in {"60": 100}`)
	}
	return scores
}
