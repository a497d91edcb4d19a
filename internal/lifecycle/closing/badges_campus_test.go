package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

// acquainted works out by hand who has met fifteen others within seven days, and who was there
// for thirty days in a row.
type acquainted struct {
	met map[string]map[game.Date]map[string]bool
	has map[given]string
}

func (a acquainted) meet(player, other string, d game.Date) {
	if a.met[player] == nil {
		a.met[player] = map[game.Date]map[string]bool{}
	}
	if a.met[player][d] == nil {
		a.met[player][d] = map[string]bool{}
	}
	a.met[player][d][other] = true
}

func (a acquainted) upTo(last game.Date) map[given]string {
	for player, days := range a.met {
		run := 0
		for d := monday; !d.After(last); d = d.AddDays(1) {
			if run++; days[d] == nil {
				run = 0
			}
			if run == 30 {
				a.has[given{player, "streak_30", ""}] = d.String()
			}
			others := map[string]bool{}
			for back := range 7 {
				for other := range days[d.AddDays(-back)] {
					others[other] = true
				}
			}
			g := given{player, "social_butterfly", ""}
			if _, had := a.has[g]; !had && len(others) >= 15 {
				a.has[g] = d.String()
			}
		}
	}
	return a.has
}

// On the campus each player has each badge once: for meeting others within a week, also by
// acts that came late, for thirty days, and for places on the boards of the player's own
// campus.
func TestTheCampusGivesItsBadges(t *testing.T) {
	ctx := context.Background()
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	k := newKit(t)
	k.game = testkit.Game(t, string(text))
	a := k.app(nil)
	p := k.over(a, k.archive())
	model := acquainted{map[string]map[game.Date]map[string]bool{}, map[given]string{}}
	const players, days = 40, 32
	name := func(i int) string { return fmt.Sprint("s", 10+i) }
	campus := []string{"irvine", "lisbon"}
	n := 0
	draw := func(most int) int { n++; return rapid.IntRange(0, most-1).Example(n) }
	tell := func(from, to int, d game.Date) {
		n++
		at := d.Midnight().Add(20*time.Hour + time.Duration(n%7000)*time.Second)
		taken, err := a.Activity().Take(ctx, []activity.Event{{
			ID: fmt.Sprint("e", n), Type: "chat.message", At: at, Group: campus[from%2], From: name(from), To: name(to),
		}})
		require.NoError(t, err)
		require.Empty(t, taken.Refused)
		model.meet(name(from), name(to), d)
		model.meet(name(to), name(from), d)
	}
	run := func() {
		_, err := a.Activity().Compute(ctx)
		require.NoError(t, err)
		report, err := p.Daily(ctx)
		require.NoError(t, err)
		require.Empty(t, report.Unfinished)
		_, err = p.Weekly(ctx, k.now)
		require.NoError(t, err)
	}
	top := map[given]string{}
	for day := range days {
		d := monday.AddDays(day)
		k.at(d, 23, 0)
		tell(0, 2, d) // every day
		for range 30 {
			from := draw(players)
			if to := draw(players/2)*2 + from%2; to != from {
				tell(from, to, d)
			}
		}
		k.at(d.AddDays(1), 0, 30)
		if day > 3 && draw(2) == 0 { // sent late, for a day that may have closed
			tell(4, 6+2*draw(15), d.AddDays(-2-draw(2)))
		}
		if draw(4) > 0 {
			run()
		}
	}
	k.at(monday.AddDays(days+1), 0, 30)
	run()
	run()
	for day := range days {
		d := monday.AddDays(day)
		for _, group := range campus {
			scope, err := game.GroupScope(group)
			require.NoError(t, err)
			page, err := p.Archive.Boards.Page(ctx, game.BoardOf(k.mode("overall"), game.Day.Of(d), scope), 100, 0, nil)
			require.NoError(t, err)
			for _, e := range page.Entries {
				if e.Rank <= 10 {
					top[given{e.Player, "daily_top10", d.String()}] = d.String()
				}
			}
		}
	}
	is := k.badges()
	butterflies, weekly := 0, 0
	for g, day := range model.upTo(monday.AddDays(days - 1)) {
		require.Equal(t, day, is[g], "%+v", g)
		butterflies++
	}
	for g := range top {
		require.Equal(t, g.key, is[g], "%+v", g)
	}
	for g := range is {
		switch g.rule {
		case "social_butterfly", "streak_30":
			require.Equal(t, model.has[g], is[g], "%+v", g)
		case "weekly_top10":
			weekly++
		}
	}
	require.Greater(t, butterflies, 3)
	require.Equal(t, monday.AddDays(29).String(), is[given{name(0), "streak_30", ""}])
	require.GreaterOrEqual(t, weekly, 4*2*10)
}
