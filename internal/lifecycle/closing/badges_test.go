package closing_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

const withBadges = `
name: testing
refresh: 1s
modes:
  first: {max: 1000, xp: 1.5, scopes: [group]}
  best: {policy: best, max: 100000, ties: shared, scopes: [group]}
badges:
  streak_3: {title: Three in a row, streak: 3}
  streak_6: {title: Six in a row, streak: 6}
  days_5: {title: Five days, days: 5}
  xp_4000: {title: Rich, xp: 4000}
  perfect: {title: Perfect, score: best, mode: first}
  high: {title: High, score: 800, mode: best}
  day_top2: {title: Near the top, rank: 2, period: day, mode: best}
  group_first: {title: First of a group, rank: 1, period: day, mode: first, scope: group}
  first_place: {title: First place, rank: 1, period: day, once: true}
  week_top2: {title: A good week, rank: 2, period: week, mode: best}
`

// given is one row of badges, without what a model cannot know.
type given struct{ player, rule, key string }

// rows returns all badges with the dates on which they were earned.
func (k *kit) badges() map[given]string {
	k.t.Helper()
	ctx := context.Background()
	c, err := pgx.Connect(ctx, k.url)
	require.NoError(k.t, err)
	defer func() { _ = c.Close(ctx) }()
	rows, err := c.Query(ctx, `SELECT player, rule, key, earned::text FROM badges`)
	require.NoError(k.t, err)
	all := map[given]string{}
	var g given
	var earned string
	_, err = pgx.ForEachRow(rows, []any{&g.player, &g.rule, &g.key, &earned}, func() error {
		require.NotContains(k.t, all, g)
		all[g] = earned
		return nil
	})
	require.NoError(k.t, err)
	return all
}

// plainBadges is a model that knows what everybody has played. It gives badges of boards
// whenever a day or week is closed, and all others at the end, from everything.
type plainBadges struct {
	scores map[string]map[game.Date]map[string]int // mode, day, player
	dirty  map[game.Date]bool                      // played on since it was closed
	weeks  map[string]bool                         // closed weeks
	has    map[given]string
}

func (p *plainBadges) play(mode, player string, d game.Date, score int) {
	if p.scores[mode][d] == nil {
		p.scores[mode][d] = map[string]int{}
	}
	p.scores[mode][d][player] = max(p.scores[mode][d][player], score)
	p.dirty[d] = true
}

func (p *plainBadges) give(player, rule, key, earned string) {
	g := given{player, rule, key}
	if had, ok := p.has[g]; !ok || earned < had {
		p.has[g] = earned
	}
}

// top gives the badges for entries of a board with fewer than n others ahead.
func (p *plainBadges) top(board map[string]int, n int, rule, key, earned string) {
	for player, score := range board {
		ahead := 0
		for _, other := range board {
			if other > score {
				ahead++
			}
		}
		if ahead < n {
			p.give(player, rule, key, earned)
		}
	}
}

func teamOf(player string) int { return len(player) % 3 }

// daily closes the days before a date that were played on.
func (p *plainBadges) daily(today game.Date) {
	again := map[string]game.Date{}
	for d := range p.dirty {
		if !d.Before(today) {
			continue
		}
		delete(p.dirty, d)
		date := d.String()
		p.top(p.scores["best"][d], 2, "day_top2", date, date)
		for _, mode := range []string{"first", "best"} {
			p.top(p.scores[mode][d], 1, "first_place", "", date)
		}
		for team := range 3 {
			of := maps.Clone(p.scores["first"][d])
			maps.DeleteFunc(of, func(player string, _ int) bool { return teamOf(player) != team })
			p.top(of, 1, "group_first", date, date)
		}
		if week := game.Week.Of(d); p.weeks[week.Key()] {
			again[week.Key()] = d
		}
	}
	for _, d := range again {
		p.week(d)
	}
}

// week closes the week of a date.
func (p *plainBadges) week(d game.Date) {
	w := game.Week.Of(d)
	p.weeks[w.Key()] = true
	board := map[string]int{}
	for _, day := range w.Days() {
		for player, score := range p.scores["best"][day] {
			board[player] = max(board[player], score)
		}
	}
	p.top(board, 2, "week_top2", w.Key(), w.Last().String())
}

// histories gives badges for what players have reached by their own play before a day.
func (p *plainBadges) histories(today game.Date) {
	run, days, xp := map[string]int{}, map[string]int{}, map[string]int{}
	for d := monday; d.Before(today); d = d.AddDays(1) {
		played := map[string]bool{}
		for player, score := range p.scores["first"][d] {
			played[player] = true
			xp[player] += score * 3 / 2
			if score >= 1000 {
				p.give(player, "perfect", "", d.String())
			}
		}
		for player, score := range p.scores["best"][d] {
			played[player] = true
			if score >= 800 {
				p.give(player, "high", "", d.String())
			}
		}
		for player := range run {
			if !played[player] {
				run[player] = 0
			}
		}
		for player := range played {
			run[player]++
			days[player]++
			for rule, reached := range map[string]bool{"streak_3": run[player] >= 3, "streak_6": run[player] >= 6, "days_5": days[player] >= 5, "xp_4000": xp[player] >= 4000} {
				if reached {
					p.give(player, rule, "", d.String())
				}
			}
		}
	}
}

// badgesOf asserts that the badges are those of the model.
func (k *kit) badgesOf(model *plainBadges) {
	k.t.Helper()
	is := k.badges()
	for g, day := range model.has {
		require.Equal(k.t, day, is[g], "%+v", g)
	}
	for g, day := range is {
		_, ok := model.has[g]
		require.True(k.t, ok, "%+v on %s", g, day)
	}
}

// run runs the daily job. If killed is not 0, a first run is killed at its request of that
// number.
func (k *kit) run(killed int) {
	k.t.Helper()
	if killed > 0 {
		ctx, cancel := context.WithCancel(context.Background())
		end := testkit.Before(k.server, killed, cancel)
		_, _ = k.process().Daily(ctx)
		end()
		cancel()
	}
	for range 2 { // the lock of a run that was killed may last a moment longer
		report, err := k.process().Daily(context.Background())
		require.NoError(k.t, err)
		if !report.Busy {
			return
		}
		_, err = k.server.Redis().Do(context.Background(), "DEL", game.LockKey("daily"))
		require.NoError(k.t, err)
	}
	k.t.Fatal("the job is locked")
}

// Runs are missed, doubled and killed, and scores come late: each player still has each badge
// once, dated as a plain count says. Nothing of it changes when Redis is lost and restored and
// everything runs again.
func TestEveryBadgeIsGivenOnceWhateverRuns(t *testing.T) {
	for seed := range 4 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			k := newKit(t)
			k.game = testkit.Game(t, withBadges)
			model := &plainBadges{scores: map[string]map[game.Date]map[string]int{"first": {}, "best": {}}, dirty: map[game.Date]bool{}, weeks: map[string]bool{}, has: map[given]string{}}
			draw := func(n, at, what int) int { return rapid.IntRange(0, n-1).Example(seed*1_000_003 + at*1009 + what) }
			play := func(d game.Date, player int, at int) {
				name := fmt.Sprint("p", 10+player, []string{"", "x", "yy"}[player%3])
				first := draw(50, at, 1)*19 + player // no two players have the same
				if draw(40, at, 2) == 0 && !slices.Contains(slices.Collect(maps.Values(model.scores["first"][d])), 1000) {
					first = 1000
				}
				if _, had := model.scores["first"][d][name]; !had {
					k.play("first", name, d, game.Score(first))
					model.play("first", name, d, first)
				}
				if best := draw(9, at, 3) * 100; best > model.scores["best"][d][name] {
					k.play("best", name, d, game.Score(best))
					model.play("best", name, d, best)
				}
			}
			const days = 15
			at := 0
			for n := range days {
				d := monday.AddDays(n)
				k.at(d, 12, 0)
				for player := range 9 {
					if at++; draw(5, at, 0) > 0 {
						play(d, player, at)
					}
				}
				if at++; n > 1 && draw(2, at, 4) == 0 {
					play(d.AddDays(-1-draw(2, at, 5)), draw(9, at, 6), at)
				}
				k.at(d.AddDays(1), 0, 30)
				if at++; n < days-1 && draw(3, at, 7) == 0 {
					continue // missed
				}
				k.run(draw(3, at, 8) * draw(60, at, 9))
				model.daily(d.AddDays(1))
				if draw(2, at, 10) == 0 {
					k.run(0)
				}
				if d.Weekday() == time.Sunday || n == days-1 { // otherwise the next run does it
					_, err := k.process().Weekly(context.Background(), k.now)
					require.NoError(t, err)
					for w := monday; w.AddDays(6).Before(d.AddDays(1)); w = w.AddDays(7) {
						model.week(w)
					}
				}
			}
			model.histories(monday.AddDays(days))
			require.NotEmpty(t, model.has)
			k.badgesOf(model)

			rarities, err := badgestore.In(k.archive()).Rarities(context.Background())
			require.NoError(t, err)
			require.Equal(t, int64(9), rarities["streak_3"].Players)

			k.lose()
			k.restore()
			for range 2 {
				k.at(monday.AddDays(days+1), 0, 30)
				k.run(0)
				_, err := k.process().Weekly(context.Background(), k.now)
				require.NoError(t, err)
			}
			k.badgesOf(model)
		})
	}
}

// A player who has a badge for a place keeps it when a late score takes the place; the player
// of that score gets one too. When an operator removes a score, the badges that followed from
// it go too.
func TestAPlaceOnceGivenStays(t *testing.T) {
	ctx := context.Background()
	k := newKit(t)
	k.game = testkit.Game(t, withBadges)
	k.at(monday, 12, 0)
	for i, player := range []string{"a", "b", "c"} {
		k.play("best", player, monday, game.Score(100*(i+1)))
	}
	k.at(monday.AddDays(1), 0, 30)
	k.run(0)
	has := func() (players []string) {
		for g := range k.badges() {
			if g.rule == "day_top2" {
				players = append(players, g.player)
			}
		}
		slices.SortFunc(players, cmp.Compare)
		return players
	}
	require.Equal(t, []string{"b", "c"}, has())
	k.play("best", "a", monday, 900)
	k.at(monday.AddDays(2), 0, 30)
	k.run(0)
	require.Equal(t, []string{"a", "b", "c"}, has())

	_, err := k.archive().Results.Delete(ctx, "best", monday, "a", game.Act{ID: "act-1", Actor: "ops", At: k.now})
	require.NoError(t, err)
	require.Equal(t, []string{"b", "c"}, has())
	_, err = k.archive().ErasePlayer(ctx, "b", game.Act{ID: "act-2", Actor: "ops", At: k.now})
	require.NoError(t, err)
	require.Equal(t, []string{"c"}, has())
	for g := range k.badges() {
		require.NotEqual(t, "b", g.player)
	}
}

// A rule gives one badge for a day or week, also to a player who leads several groups: it names
// the group whose name comes first.
func TestPlacesInTwoGroupsGiveOneBadge(t *testing.T) {
	ctx := context.Background()
	k := newKit(t)
	k.game = testkit.Game(t, withBadges+"  group_week: {title: Top of a group, rank: 10, period: week, mode: first, scope: group}\n")
	k.at(monday, 12, 0)
	for _, groups := range [][]string{{"red", "blue"}, {"green", "amber"}} { // whichever is named first
		sub := game.Submission{Mode: k.mode("first"), Player: "p_" + groups[0], Date: monday, Score: 100, At: k.now}
		for _, id := range groups {
			group, err := game.GroupScope(id)
			require.NoError(t, err)
			sub.Scopes = append(sub.Scopes, group)
		}
		_, err := k.process().Store.Boards.Submit(ctx, sub)
		require.NoError(t, err)
	}
	k.at(monday.AddDays(1), 0, 30)
	k.run(0)
	k.at(monday.AddDays(7), 0, 30)
	k.run(0)
	_, err := k.process().Weekly(ctx, k.now)
	require.NoError(t, err)
	for player, first := range map[string]string{"p_red": "group:blue", "p_green": "group:amber"} {
		of, err := badgestore.In(k.archive()).Of(ctx, player, []string{"group_first", "group_week"}, badge.Badge{}, 10)
		require.NoError(t, err)
		require.Len(t, of, 2)
		for _, b := range of {
			require.Equal(t, first, b.Scope, b.Rule)
		}
	}
}

// A lost Postgres has no badges. The days that come back bring theirs, whether a run or the
// operator brings them back.
func TestDaysThatComeBackBringTheirBadges(t *testing.T) {
	for name, bringBack := range map[string]func(*kit) error{
		"daily": func(k *kit) error { _, err := k.process().Daily(context.Background()); return err },
		"by hand": func(k *kit) error {
			_, err := k.process().Refill(context.Background(), closing.RefillOptions{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			k.game = testkit.Game(t, withBadges)
			k.playDays(monday, 6, 6)
			before := k.badges()
			require.Contains(t, before, given{"player01", "streak_3", ""})
			k.url = archivetest.Database(t)
			require.Empty(t, k.badges())
			require.NoError(t, bringBack(k))
			require.Equal(t, before, k.badges())
		})
	}
}
