package presence

import (
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: gamefile.Key{
		Name: "presence", Kind: gamefile.Boolean, Default: "false",
		Text: "counts players who are online: see [Presence](../build/presence.md)",
	}, Read: func(v gamefile.Value, g *game.Game) { g.Features = append(g.Features, counted(v.Flag())) }})
	ruleset.Register(ruleset.Rule{Key: "presence", Value: func(g *game.Game) string { return strconv.FormatBool(Enabled(g)) }, Consequence: ruleset.Consequence{Effect: ruleset.Safe}})
}

// counted says whether a game counts the players who are there.
type counted bool

// Check has nothing to report.
func (counted) Check(*game.Game, *game.Checker) {}

// Enabled reports whether a game counts the players who are there, see docs/build/presence.md.
func Enabled(g *game.Game) bool { return bool(game.RulesOf[counted](g)) }
