package model

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	_ "github.com/framedle/leaderboards/internal/product/app" // sections of all features
)

var noon = time.Date(2004, time.April, 15, 12, 0, 0, 0, time.UTC)

// history draws what players of some groups do over some days, close to midnights, New
// Year and a change of clocks, with dense runs of messages.
func history(t *rapid.T, g *game.Game) []Event {
	groups := []string{"irvine", "lisbon", "nowhere"}
	begin := rapid.SampledFrom([]time.Time{
		noon, time.Date(2004, 12, 31, 7, 59, 50, 0, time.UTC), time.Date(2004, 4, 4, 7, 59, 55, 0, time.UTC),
		time.Date(2004, 10, 31, 6, 59, 55, 0, time.UTC), time.Date(2004, 3, 28, 0, 59, 55, 0, time.UTC),
	}).Draw(t, "begin")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	var events []Event
	for range rapid.IntRange(1, 12).Draw(t, "runs") {
		at := begin.Add(time.Duration(r.IntN(4*24)) * time.Hour).Add(time.Duration(r.IntN(20000)) * time.Millisecond)
		player := func() string { return fmt.Sprintf("%s-%d", groups[r.IntN(2)], r.IntN(4)) }
		kind := activity.RulesOf(g).Events[r.IntN(len(activity.RulesOf(g).Events))]
		from, step := player(), []int{0, 30, 190, 200, 5000}[r.IntN(5)]
		for range 1 + r.IntN(130) {
			at = at.Add(time.Duration(step) * time.Millisecond)
			e := Event{ID: fmt.Sprint(len(events)), Type: kind.Name, At: at, Who: []string{from}}
			e.Group = e.Who[0][:6] // a player has one group; the names lisbon and irvine have six letters
			for len(e.Who) < 2 && kind.Who[0] != activity.User {
				if other := player(); other != from && other[:6] == e.Group {
					e.Who = append(e.Who, other)
				}
			}
			if kind.Who[0] == activity.Users && r.IntN(2) == 0 {
				e.Winner = e.Who[r.IntN(2)]
			}
			events = append(events, e)
		}
	}
	return events
}

func TestDaysAreThoseOfAPlainModelInAnyOrder(t *testing.T) {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	g, err := gamefile.Parse("games/campus.yaml", text)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		events := history(t, g)
		want := Activity(g, events)
		// Each event is delivered one to three times, in any order.
		delivered := append([]Event(nil), events...)
		for i := range rapid.IntRange(0, 2*len(events)).Draw(t, "again") {
			delivered = append(delivered, events[i%len(events)])
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 2))
		r.Shuffle(len(delivered), func(i, j int) { delivered[i], delivered[j] = delivered[j], delivered[i] })
		type day struct {
			group string
			date  game.Date
		}
		acts := map[day][]activity.Act{}
		for _, e := range delivered {
			where, err := time.LoadLocation(activity.RulesOf(g).Zone(e.Group))
			require.NoError(t, err)
			y, m, d := e.At.In(where).Date()
			k := day{e.Group, game.NewDate(y, m, d)}
			acts[k] = append(acts[k], activity.Act{ID: e.ID, Type: e.Type, At: e.At.UnixMilli(), Who: e.Who, Winner: e.Winner})
		}
		modes, got := activity.RulesOf(g).Modes(), map[game.Date]map[string]Active{}
		for k, some := range acts {
			for player, tallied := range activity.Of(activity.RulesOf(g), some, acts[day{k.group, k.date.AddDays(-1)}]) {
				streak := want[k.date][player].Streak
				scores := map[string]game.Score{}
				for i, points := range tallied.Points(g, streak) {
					scores[modes[i]] = points
				}
				if got[k.date] == nil {
					got[k.date] = map[string]Active{}
				}
				got[k.date][player] = Active{Group: k.group, Streak: streak, Scores: scores}
			}
		}
		require.Equal(t, want, got)
	})
}
