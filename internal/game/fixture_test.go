package game_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

// plainMode is the simplest mode there is: first play counts, 0 to 1000.
func plainMode() game.Mode {
	return game.Mode{
		Name: "daily_frame", Title: "Daily Frame", Policy: game.First, Order: game.Desc, Ties: game.Earliest,
		Max: 1000, Aggregate: game.Sum, XP: game.XPRule{Weight: 1000},
	}
}

// description is a sound game with the given modes.
func description(modes ...game.Mode) game.Game {
	g := game.Game{
		Name: "framedle", Day: game.UTC, Grace: 15 * time.Minute, Refresh: 5 * time.Second, Cache: time.Minute,
		Lives: game.Lives{Day: 8 * day, Week: 30 * day, Month: 180 * day},
		Level: game.LevelCurve{Base: 50},
	}
	for _, m := range modes {
		g.Modes = append(g.Modes, &m)
	}
	return g
}

func newGame(t require.TestingT, d game.Game) *game.Game {
	g, err := game.New(d)
	require.NoError(t, err)
	return g
}

// withMode is a game of one mode, and the mode.
func withMode(t require.TestingT, m game.Mode) (*game.Game, *game.Mode) {
	g := newGame(t, description(m))
	return g, g.Modes[0]
}
