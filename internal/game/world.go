package game

import (
	"fmt"
	"slices"
	"strings"
)

// World says which boards several sites merge into boards of the world, see docs/operate/world.md.
type World struct {
	Top     int64        // how many entries of each site's board the other sites see, and of the world's board
	Periods []PeriodKind // in any order
	Modes   []string     // empty: all; never XP and duels
}

// Bounds of a [World].
const (
	leastWorldTop = 100
	// MostWorldTop is also the default.
	MostWorldTop = 10_000
)

// WorldPeriods are the periods that sites may merge.
var WorldPeriods = []PeriodKind{Day, Week, Month, Season, AllTime}

// Merges reports whether a mode's boards of a kind of period are merged; a nil World merges
// none.
func (w *World) Merges(m *Mode, k PeriodKind) bool {
	return w != nil && m.Name != XPMode && m.Name != DuelMode && slices.Contains(w.Periods, k) && (len(w.Modes) == 0 || slices.Contains(w.Modes, m.Name) || slices.Contains(w.Modes, m.Called()))
}

// WorldOf is the board of the world that a mode's boards of a period are merged into.
func WorldOf(m *Mode, p Period) Board {
	return Board{Mode: m, Period: p, Scope: Scope{kind: Worldwide}, Key: WorldKey(BoardKey(m.Name, p, Scope{}))}
}

func checkWorld(c *checker, g *Game) {
	w := g.World
	if w == nil {
		return
	}
	c.within("world.top", float64(w.Top), leastWorldTop, MostWorldTop)
	if len(w.Periods) == 0 {
		c.add("world.periods", "there are none", "name some, or leave it out for all")
	}
	for i, k := range w.Periods {
		path := fmt.Sprintf("world.periods[%d]", i)
		switch {
		case !slices.Contains(WorldPeriods, k):
			c.add(path, k.String()+" is not merged", "use "+periodsText(WorldPeriods), "world.periods")
		case slices.Contains(w.Periods[:i], k):
			c.add(path, k.String()+" is there twice", "name each period once", "world.periods")
		}
	}
	for i, name := range w.Modes {
		path := fmt.Sprintf("world.modes[%d]", i)
		if _, ok := g.ModeCalled(name); !ok {
			c.add(path, fmt.Sprintf("%.50q is no mode of the game", name), "use names of modes, or leave modes out for all", "world.modes")
		} else if slices.Contains(w.Modes[:i], name) {
			c.add(path, name+" is there twice", "name each mode once", "world.modes")
		}
	}
}

func periodsText(kinds []PeriodKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = k.String()
	}
	return strings.Join(words, ", ")
}
