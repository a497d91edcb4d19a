package activityreplay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/lab/activityreplay"
	"github.com/framedle/leaderboards/lab/model"
)

func campus(t testing.TB) *game.Game {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	g, err := gamefile.Parse("games/campus.yaml", text)
	require.NoError(t, err)
	return g
}

// life makes up the events of three groups, in three zones, over some days. A few players
// have most of them. Some machines send in bursts, some of these across midnight, and
// some players move from one group to another.
func life(g *game.Game, seed uint64, begin time.Time, days, events int) []model.Event {
	r := rand.New(rand.NewPCG(seed, 3))
	groups := []string{"irvine", "lisbon", "elsewhere"}
	zones := map[string]*time.Location{"elsewhere": time.UTC}
	for group, zone := range activity.RulesOf(g).Zones {
		zones[group], _ = time.LoadLocation(zone)
	}
	home := func(player int, at time.Time) string { // one group for each date, wherever the player is
		n := player % 3
		if player%7 == 0 {
			n += int(at.Unix() / (3 * 24 * 3600))
		}
		return groups[n%3]
	}
	var all []model.Event
	add := func(kind activity.EventRule, at time.Time, group string, who ...int) {
		e := model.Event{ID: fmt.Sprint("e-", len(all)), Type: kind.Name, Group: group, At: at}
		for _, player := range who {
			e.Who = append(e.Who, fmt.Sprint("u", player))
		}
		if kind.Who[0] == activity.Users && r.IntN(3) > 0 {
			e.Winner = e.Who[r.IntN(2)]
		}
		all = append(all, e)
	}
	for len(all) < events {
		// Each group's noon is at a moment of its own, so a date is the same for all
		// players of a group. A player who moves does so between dates.
		day := time.Duration(r.IntN(days)) * 24 * time.Hour
		at := begin.Add(day).Add(time.Duration(r.Int64N(int64(24 * time.Hour))))
		one := r.IntN(40)
		kind := activity.RulesOf(g).Events[r.IntN(len(activity.RulesOf(g).Events))]
		n, step := 1, time.Second
		if r.IntN(20) == 0 {
			n, step = 40+r.IntN(60), []time.Duration{50, 100, 199, 200, 201}[r.IntN(5)]*time.Millisecond
			y, m, d := at.Date()
			at = time.Date(y, m, d, 0, 0, -r.IntN(10), 0, zones[groups[r.IntN(3)]]).UTC()
			kind = messages(g)
		}
		for range n {
			at = at.Add(step)
			noonOf := func(group string) time.Time {
				y, m, d := at.In(zones[group]).Date()
				return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
			}
			group := ""
			for _, g := range groups {
				if home(one, noonOf(g)) == g {
					group = g
				}
			}
			other := r.IntN(40)
			for kind.Who[0] != activity.User && group != "" && (other == one || home(other, noonOf(group)) != group) {
				other = r.IntN(40)
			}
			switch {
			case group == "": // the player is moving
			case kind.Who[0] == activity.User:
				add(kind, at, group, one)
			default:
				add(kind, at, group, one, other)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b model.Event) int { return a.At.Compare(b.At) })
	return all
}

// messages is a type of events that may be in a burst.
func messages(g *game.Game) activity.EventRule {
	i := slices.IndexFunc(activity.RulesOf(g).Events, func(r activity.EventRule) bool { return r.Message })
	return activity.RulesOf(g).Events[i]
}

// oneGroupADay leaves out the events by which a player would be in two groups on one
// date.
func oneGroupADay(g *game.Game, events []model.Event) []model.Event {
	in := map[string]string{}
	return slices.DeleteFunc(events, func(e model.Event) bool {
		zone, _ := time.LoadLocation(activity.RulesOf(g).Zones[e.Group])
		for _, player := range e.Who {
			key := player + e.At.In(zone).Format(time.DateOnly)
			if in[key] != "" && in[key] != e.Group {
				return true
			}
		}
		for _, player := range e.Who {
			in[player+e.At.In(zone).Format(time.DateOnly)] = e.Group
		}
		return false
	})
}

// goAround moves a fifth of the events to another group. It returns how many dates of
// players are then in several groups.
func goAround(g *game.Game, events []model.Event) (several int) {
	in := map[string]map[string]bool{}
	for i := range events {
		e := &events[i]
		if i%5 == 0 {
			e.Group = []string{"irvine", "lisbon", "elsewhere"}[i/5%3]
		}
		zone, _ := time.LoadLocation(activity.RulesOf(g).Zones[e.Group])
		for _, player := range e.Who {
			date := player + e.At.In(zone).Format(time.DateOnly)
			if in[date] == nil {
				in[date] = map[string]bool{}
			}
			if in[date][e.Group] = true; len(in[date]) == 2 {
				several++
			}
		}
	}
	return several
}

func TestALifeToldByUnreliableSendersIsTheModels(t *testing.T) {
	g := campus(t)
	retries := 0 // connections are cut at random: about eight in a life, in a rare one none
	for name, begin := range map[string]time.Time{
		"over a change of clocks":    time.Date(2004, 10, 25, 0, 0, 0, 0, time.UTC),
		"over new year":              time.Date(2004, 12, 24, 0, 0, 0, 0, time.UTC),
		"in several groups on a day": time.Date(2005, 3, 20, 0, 0, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			events := life(g, uint64(begin.Unix()), begin, 12, 4000)
			if strings.HasPrefix(name, "in several") {
				require.Greater(t, goAround(g, events), 100)
			} else {
				events = oneGroupADay(g, events)
			}
			report, err := activityreplay.Run(t.Context(), events, activityreplay.Options{Game: g, Seed: 1, Cut: 40, Again: 2, Late: time.Hour})
			require.NoError(t, err)
			require.Empty(t, report.Faults)
			require.GreaterOrEqual(t, report.Days, 12)
			require.Positive(t, report.Weeks)
			retries += report.Retries
			t.Logf("%+v", report)
		})
	}
	require.Positive(t, retries, "no connection was cut")
}

func TestMessagesAreReadLineByLine(t *testing.T) {
	events, err := activityreplay.Messages(strings.NewReader("# from to when\n1 2 1082008561\n3,1,1082008500\n\n4 4 1082008500\n1 2 1082008561\n"), "irvine")
	require.NoError(t, err)
	require.Len(t, events, 3)
	require.Equal(t, []string{"3", "1"}, events[0].Who)
	require.NotEqual(t, events[1].ID, events[2].ID)
	for _, wrong := range []string{"1 2", "1 2 3 4", "1 2 noon"} {
		_, err := activityreplay.Messages(strings.NewReader(wrong), "irvine")
		require.ErrorContains(t, err, "line 1")
	}
}
