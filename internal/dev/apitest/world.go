package apitest

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	WorldPath = Daily + "/world"
	merging   = "world: {top: 100, periods: [day, week]}\n"
)

// Merged has a call made in a game of two sites that have merged; at the other one
// user_far and sixty others have played.
func Merged(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		if !strings.Contains(s.Game, merging) {
			s.Game += merging
			s.Handler = s.Process()
			s.MergeWith("far", 61)
		}
		return c(s)
	}
}

// MergeWith merges both ways with a site of some players, the first of whom has a name.
func (s *Stack) MergeWith(name string, players int) {
	g := testkit.Game(s, s.Game)
	there := testkit.OnPlan(s, upstashtest.Options{ReadOnlyToken: "may-only-read"}, testkit.AtOnce)
	reader := there.Connect(testkit.AtOnce, func(c *upstash.Config) { c.Token = "may-only-read" })
	far := lifecycle.New(lifecycle.Options{Redis: there.Client, Game: g, Now: s.Clock.Now})
	for i := range players {
		p := game.Submission{Mode: testkit.Mode(s, g, "daily"), Player: fmt.Sprint("user_", name, i), Date: g.Today(s.Clock.Now()), Score: game.Score(1000 - i), At: s.Clock.Now()}
		if i == 0 {
			p.Profile = game.Profile{Name: "Far", Country: "PT"}
		}
		_, err := far.Boards.Submit(s.Context(), p)
		require.NoError(s, err)
	}
	_, err := (&world.Merge{Boards: far.Boards, Name: name}).Run(s.Context())
	require.NoError(s, err)
	here := lifecycle.New(lifecycle.Options{Redis: s.Client, Game: g, Now: s.Clock.Now})
	_, err = (&world.Merge{Boards: here.Boards, Name: "here", Others: []world.Other{{Name: name, Redis: reader}}}).Run(s.Context())
	require.NoError(s, err)
}
