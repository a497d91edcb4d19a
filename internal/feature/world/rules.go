package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Rules says which boards several sites merge into boards of the world, see docs/operate/world.md.
type Rules struct {
	Top     int64             // how many entries of each site's board the other sites see, and of the world's board
	Periods []game.PeriodKind // in any order
	Modes   []string          // empty: all; never XP and duels
}

// RulesOf returns the rules of a game, nil if it has one site.
func RulesOf(g *game.Game) *Rules { return game.RulesOf[*Rules](g) }

// Bounds of a [Rules].
const (
	leastWorldTop = 100
	// MostTop is also the default.
	MostTop = 10_000
)

// Periods are the periods that sites may merge.
var Periods = []game.PeriodKind{game.Day, game.Week, game.Month, game.Season, game.AllTime}

// Merges reports whether a mode's boards of a kind of period are merged; a nil Rules merges
// none.
func (w *Rules) Merges(m *game.Mode, k game.PeriodKind) bool {
	return w != nil && m.Name != game.XPMode && m.Name != game.DuelMode && slices.Contains(w.Periods, k) && (len(w.Modes) == 0 || slices.Contains(w.Modes, m.Name) || slices.Contains(w.Modes, m.Called()))
}

// BoardOf is the board of the world that a mode's boards of a period are merged into.
func BoardOf(m *game.Mode, p game.Period) game.Board {
	return game.Board{Mode: m, Period: p, Scope: game.OfWorld, Key: Key(game.BoardKey(m.Name, p, game.Scope{}))}
}

// Complete notes that boards are merged.
func (w *Rules) Complete(g *game.Game) game.FeatureRules {
	g.SeveralSites = true
	return w
}

// Check reports what is wrong with the rules.
func (w *Rules) Check(g *game.Game, c *game.Checker) {
	c.Within("world.top", float64(w.Top), leastWorldTop, MostTop)
	if len(w.Periods) == 0 {
		c.Add("world.periods", "there are none", "name some, or leave it out for all")
	}
	for i, k := range w.Periods {
		path := fmt.Sprintf("world.periods[%d]", i)
		switch {
		case !slices.Contains(Periods, k):
			c.Add(path, k.String()+" is not merged", "use "+periodsText(Periods), "world.periods")
		case slices.Contains(w.Periods[:i], k):
			c.Add(path, k.String()+" is there twice", "name each period once", "world.periods")
		}
	}
	for i, name := range w.Modes {
		path := fmt.Sprintf("world.modes[%d]", i)
		if _, ok := g.ModeCalled(name); !ok {
			c.Add(path, fmt.Sprintf("%.50q is no mode of the game", name), "use names of modes, or leave modes out for all", "world.modes")
		} else if slices.Contains(w.Modes[:i], name) {
			c.Add(path, name+" is there twice", "name each mode once", "world.modes")
		}
	}
}

func periodsText(kinds []game.PeriodKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = k.String()
	}
	return strings.Join(words, ", ")
}

// Key is a board of the world, merged from the sites' boards.
func Key(board string) string { return "world:" + board }

// StateKey is a hash that other sites read: what this site has published of each of its
// boards, by key, and in [LookedField] when it last looked.
const StateKey = "world:state"

// TopKey is a sorted set that a site has published: the top of a board. It never
// changes: each publication has its own.
func TopKey(board string, stamp int64) string {
	return "world:top:" + strconv.FormatInt(stamp, 10) + ":" + board
}

// LookedField is the field of no board.
const LookedField = ":looked"

// CopiesKey is a hash of another site: what it had published of each board, by key,
// when it was copied.
func CopiesKey(site string) string { return "world:copies:" + site }

// CopyKey is a sorted set: the top of another site's board, as it was copied.
func CopyKey(site, board string) string { return "world:copy:" + site + ":" + board }

// ShownKey is a hash: player -> how the first players of a copy are shown.
func ShownKey(site, board string) string { return "world:shown:" + site + ":" + board }

// MadeKey is a hash: board -> what the board of the world was made from.
const MadeKey = "world:made"

// SitesKey is a hash: site -> what was last known of it.
const SitesKey = "world:sites"

// NotedKey is a hash of what the site's last merges have seen, so that the next merge
// skips what has not changed.
const NotedKey = "world:noted"
