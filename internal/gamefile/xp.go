package gamefile

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

var xpKey = key{
	name: "xp", kind: mapping, also: &key{kind: number, decimals: 3, min: "0", max: "1000"}, usual: "0", holds: "`0` to `1000`, up to 3 decimals, or the keys below",
	text: "XP for each point above 0, rounded down for each day and mode. Not with `order: asc`", min: "1", keys: []key{
		{name: "play", kind: number, usual: "0", min: "0", max: "1000000", text: "XP for each day played, whatever the score"},
		{name: "scores", kind: table, min: "1", max: "100", form: `^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`, holds: "up to 100 scores within the bounds of a day, and `1` to `1000000` for each",
			text: "XP for the hardest of these scores that the day's score has reached. A harder score must give more",
			of:   &key{name: "score", kind: number, min: "1", max: "1000000", text: "XP for the score"}},
	},
}

// readXP reads what a mode gives: a number for each point, or a mapping of what it gives for a
// play and for scores; another key has the decimals of these.
func readXP(v, says value, decimals int) game.XPRule {
	if !v.isMapping() {
		return game.XPRule{Weight: v.number()}
	}
	f := v.fields()
	if len(v.node.Content) == 0 {
		v.report("there is nothing in it", `use a number, or play and scores, as in {play: 10, scores: {"60": 100}}`)
	}
	rule := game.XPRule{Play: f.field("play").number()}
	readable := decimals >= 0 && decimals <= game.MaxDecimals && !v.bad[says.path]
	if scores := f.field("scores"); scores.given() && readable {
		rule.Scores = xpScores(scores, decimals)
	}
	return rule
}

// xpScores reads a table whose keys are scores.
func xpScores(v value, decimals int) []game.XPScore {
	keys, values := v.entries()
	var scores []game.XPScore
	lines := map[game.Score]int{}
	for i, key := range keys {
		line := v.lines[values[i].path]
		score, err := game.ParseScaled(key, decimals)
		if err != nil {
			v.add(line, values[i].path, fmt.Sprintf("%.40q is not a score of this mode", key),
				wantNumber(decimals)+" within 2^53")
			continue
		}
		if first, twice := lines[score]; twice {
			v.add(line, values[i].path, fmt.Sprintf("the score is in line %d already", first), "keep one of them")
			continue
		}
		lines[score] = line
		v.lines[v.at(game.FormatScaled(score, decimals))] = line // rules name a score by its shortest form
		if xp := values[i].number(); !v.bad[values[i].path] {
			scores = append(scores, game.XPScore{Score: score, XP: xp})
		}
	}
	if v.isMapping() && len(v.node.Content) == 0 {
		v.report("there are none", `use scores and what they give, as in {"60": 100}`)
	}
	return scores
}
