package lifecycle_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// teamGame ranks groups in a mode for every policy and aggregate.
const teamGame = `
name: teams
refresh: 1s
seasons: [{name: autumn, first: 2026-11-16, last: 2026-12-20}]
modes:
  first: {max: 1000, scopes: [group], teams: sum}
  best: {policy: best, max: 1000, scopes: [group], teams: {best: 2}}
  latest: {policy: latest, min: -50, max: 50, decimals: 1, aggregate: last, ties: shared, scopes: [group], teams: {best: 1}}
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group], teams: sum}
`

// league plays in groups, and keeps who has ever played a day of a mode in which group.
type league struct {
	life
	members map[string]map[game.Date]map[string]map[string]bool // by mode, date and group
}

func (l *league) play(t *rapid.T, now time.Time) {
	m := l.g.Modes[rapid.IntRange(0, len(l.g.Modes)-1).Draw(t, "mode")]
	d := game.DateOf(now).AddDays(-rapid.SampledFrom([]int{0, 0, 0, 1, 4}).Draw(t, "late"))
	at := d.Midnight().Add(time.Duration(rapid.IntRange(0, 86399).Draw(t, "second")) * time.Second)
	high := m.Max
	if m.Policy == game.Sum {
		high = 50 // stays inside the day's total
	}
	l.keys++
	sub := game.Submission{
		Mode: m, Player: fmt.Sprintf("p%d", rapid.IntRange(1, 5).Draw(t, "player")), Date: d, At: at,
		Score:       game.Score(rapid.Int64Range(int64(m.Min), int64(high)).Draw(t, "score")),
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprintf("k%d", l.keys), Fingerprint: "f"},
	}
	for _, name := range rapid.SampledFrom([][]string{nil, {"red"}, {"green"}, {"red", "blue"}}).Draw(t, "groups") {
		sub.Scopes = append(sub.Scopes, group(l.k.tb, name))
		if l.members[m.Name] == nil {
			l.members[m.Name] = map[game.Date]map[string]map[string]bool{}
		}
		if l.members[m.Name][d] == nil {
			l.members[m.Name][d] = map[string]map[string]bool{}
		}
		if l.members[m.Name][d][name] == nil {
			l.members[m.Name][d][name] = map[string]bool{}
		}
		l.members[m.Name][d][name][sub.Player] = true
	}
	_, err := l.process(t).Boards.Submit(context.Background(), sub)
	require.NoError(t, err)
	l.history.day(m, d).submit(sub.Player, sub.Score, at)
}

// want adds up from a plain map each group's members, by their standing entries on the days on
// which they played for it.
func (l *league) want(m *game.Mode, p game.Period) map[string]game.Score {
	totals := map[string]game.Score{}
	for _, name := range []string{"red", "green", "blue"} {
		of := history{days: map[string]map[game.Date]*model{}}
		for d, day := range l.history.days[m.Name] {
			for player, e := range day.entries {
				if l.members[m.Name][d][name][player] {
					of.day(m, d).entries[player] = e
				}
			}
		}
		var scores []game.Score
		for _, score := range of.period(m, p) {
			scores = append(scores, score)
		}
		slices.Sort(scores)
		slices.Reverse(scores)
		if m.Teams.Best > 0 {
			scores = scores[:min(m.Teams.Best, len(scores))]
		}
		for i, score := range scores {
			if i == 0 {
				totals[name] = 0
			}
			totals[name] += score
		}
	}
	return totals
}

func (l *league) look(t *rapid.T, now time.Time) {
	l.k.clock.Set(now.Add(time.Duration(rapid.IntRange(200, 3000).Draw(t, "seconds later")) * time.Second))
	p := l.k.process()
	today := game.DateOf(now)
	for _, m := range l.g.Modes {
		for _, period := range append(l.g.PeriodsOf(today), game.Day.Of(today)) {
			l.same(t, p, game.BoardOf(m, period, game.TeamsScope()), l.want(m, period))
		}
	}
}

// The board of teams equals what the members' entries add up to, over days that close, are
// rolled up and expire, for every policy and aggregate.
func TestBoardsOfGroupsEqualWhatTheirMembersAddUpTo(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, teamGame)
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			l := &league{life: life{k: k, g: k.game, history: history{days: map[string]map[game.Date]*model{}}}, members: map[string]map[game.Date]map[string]map[string]bool{}}
			l.processes = []*process{k.process(), k.process()}
			now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
			for range rapid.IntRange(3, 40).Draw(rt, "days") {
				l.k.clock.Set(now)
				for range rapid.IntRange(0, 5).Draw(rt, "plays") {
					l.play(rt, now)
				}
				_, err := runDaily(context.Background(), l.process(rt), newShelf()) // which lets groups follow late scores
				require.NoError(rt, err)
				l.expireGroups(now)
				if rapid.IntRange(0, 3).Draw(rt, "look") == 0 {
					l.look(rt, now)
				}
				now = now.AddDate(0, 0, 1)
			}
			l.look(rt, now)
		})
	})
}

// expireGroups deletes the day boards whose life is over, also those of groups.
func (l *league) expireGroups(now time.Time) {
	l.expire(now)
	ctx := context.Background()
	for mode, days := range l.members {
		for d, groups := range days {
			end, _ := l.g.Expires(game.Day.Of(d))
			for name := range groups {
				if !now.Before(end) {
					_, err := l.k.server.Redis().Do(ctx, "DEL", game.BoardKey(mode, game.Day.Of(d), group(l.k.tb, name)))
					require.NoError(l.k.tb, err)
				}
			}
		}
	}
}

// A week that is over keeps its board of teams after its days have expired, and a removal
// shows on it with the next refresh.
func TestABoardOfGroupsOutlivesItsDays(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, teamGame)
		ctx := context.Background()
		p := k.process()
		for i, player := range []string{"a", "b", "c"} {
			sub := k.play("first", player, game.Score(10*(i+1)))
			sub.Scopes = []game.Scope{group(t, []string{"red", "red", "blue"}[i])}
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		week := game.Week.Of(game.DateOf(noon))
		read := func() (rows []string) {
			p := k.process()
			for _, e := range wholeBoard(t, p, game.BoardOf(k.mode("first"), week, game.TeamsScope()), 10) {
				rows = append(rows, fmt.Sprint(e.Rank, " ", e.Player, " ", e.Score))
			}
			return rows
		}
		k.clock.Set(noon.AddDate(0, 0, 5))
		_, err := runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		report, err := k.process().Rollup.RefreshPeriod(ctx, week)
		require.NoError(t, err)
		require.Contains(t, fmt.Sprint(report.Refreshed), "lb:first:week:2026-W47:groups")
		want := []string{"1 red 30", "2 blue 30"}
		require.Equal(t, want, read())
		k.clock.Set(noon.AddDate(0, 0, 12))
		_, err = runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		for _, scope := range []game.Scope{{}, group(t, "red"), group(t, "blue")} {
			_, err = k.server.Redis().Do(ctx, "DEL", game.BoardKey("first", game.Day.Of(game.DateOf(noon)), scope))
			require.NoError(t, err)
		}
		require.Equal(t, want, read())
		p = k.process()
		_, err = p.Repair.Erase(ctx, "b", lifecycle.Erasure{})
		require.NoError(t, err)
		k.clock.Set(noon.AddDate(0, 0, 12).Add(time.Hour))
		require.Equal(t, []string{"1 blue 30", "2 red 10"}, read())
	})
}

// If days have expired that no closing has seen, the days that are left are not taken for all.
func TestABoardOfGroupsIsNotReplacedByAPartialOne(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, teamGame)
		ctx := context.Background()
		sub := k.play("first", "a", 10)
		sub.Scopes = []game.Scope{group(t, "red")}
		_, err := k.process().Boards.Submit(ctx, sub)
		require.NoError(t, err)
		read := func() []game.Entry {
			p := k.process()
			return wholeBoard(t, p, game.BoardOf(k.mode("first"), game.Week.Of(game.DateOf(noon)), game.TeamsScope()), 10)
		}
		want := read()
		require.Len(t, want, 1)
		k.clock.Set(noon.AddDate(0, 0, 12))
		for _, scope := range []game.Scope{{}, group(t, "red")} {
			_, err = k.server.Redis().Do(ctx, "DEL", game.BoardKey("first", game.Day.Of(game.DateOf(noon)), scope))
			require.NoError(t, err)
		}
		require.Equal(t, want, read())
		_, err = k.process().Rollup.RefreshPeriod(ctx, game.Week.Of(game.DateOf(noon)))
		require.NoError(t, err)
		require.Equal(t, want, read())
	})
}

// A look at a board of teams costs a command for each group, once in an interval that grows
// with the number of groups. Plays cost nothing for it.
func TestABoardOfGroupsCostsACommandForEachGroup(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.ageless()
		const groups = 120
		cost := func(teamed bool) int64 {
			k.empty()
			k.game = loadGame(t, "name: g\nmodes: {first: {max: 1000, scopes: [group]}}")
			if teamed {
				k.game = loadGame(t, "name: g\nmodes: {first: {max: 1000, scopes: [group], teams: sum}}")
			}
			p := k.process()
			commands, _ := p.spent(func() {
				for i := range groups {
					sub := k.play("first", fmt.Sprint("p", i), game.Score(i))
					sub.Scopes = []game.Scope{group(t, fmt.Sprint("g", i))}
					_, err := p.Boards.Submit(ctx, sub)
					require.NoError(t, err)
				}
			})
			return commands
		}
		cost(false) // this makes the scripts known to Redis
		require.Equal(t, cost(false), cost(true), "nothing is added to a play")
		look := func(p *process, period game.Period) (commands, trips int64) {
			return p.spent(func() {
				page, err := p.Boards.Page(ctx, game.BoardOf(k.mode("first"), period, game.TeamsScope()), game.PageRequest{Limit: 10})
				require.NoError(t, err)
				require.EqualValues(t, groups, page.Total)
				require.Equal(t, "g119", page.Entries[0].Player)
				require.Empty(t, page.Entries[0].Profile)
			})
		}
		today := game.DateOf(noon)
		for _, period := range append(k.game.PeriodsOf(today), game.Day.Of(today)) {
			look(k.process(), period) // which learns how many groups exist
			k.clock.Set(k.clock.Now().Truncate(time.Hour).Add(time.Hour))
			commands, trips := look(k.process(), period)
			require.LessOrEqual(t, commands, int64(groups+12), period.Key())
			require.LessOrEqual(t, trips, int64(groups/50+9), period.Key())
			k.clock.Set(k.clock.Now().Add(5 * time.Second))
			commands, _ = look(k.process(), period)
			require.LessOrEqual(t, commands, int64(6), "refreshed by another process: %s", period.Key())
		}
	})
}

// If more groups exist than one pass takes, each pass computes the next ones.
func TestManyGroupsAreWorkedOutInParts(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.game = loadGame(t, "name: g\nmodes: {first: {max: 1000, scopes: [group], teams: sum}}")
		const groups = 2300
		batch := func(player string) {
			var subs []game.Submission
			for i := range groups {
				sub := k.play("first", fmt.Sprint(player, i), 1)
				sub.Scopes = []game.Scope{group(t, fmt.Sprint("g", i))}
				subs = append(subs, sub)
			}
			for some := range slices.Chunk(subs, 1000) {
				for _, o := range k.process().Boards.SubmitBatch(ctx, some) {
					require.NoError(t, o.Err)
				}
			}
		}
		sum := func() (total game.Score) {
			p := k.process()
			for _, e := range wholeBoard(t, p, game.BoardOf(k.mode("first"), game.Day.Of(game.DateOf(noon)), game.TeamsScope()), 200) {
				total += e.Score
			}
			return total
		}
		batch("a")
		const passes = (groups + derive.TeamsCommands - 1) / derive.TeamsCommands
		seen := map[game.Score]bool{}
		for range passes + 3 { // while groups are few, the time between two passes is shorter, and some turns are skipped
			seen[sum()] = true
			k.clock.Set(k.clock.Now().Add(240 * time.Second)) // 60 s, doubled until it is 240 or more
		}
		require.GreaterOrEqual(t, len(seen), passes, "each pass brings some")
		require.Contains(t, seen, game.Score(groups))
		batch("b")
		for range passes {
			sum()
			k.clock.Set(k.clock.Now().Add(240 * time.Second))
		}
		require.EqualValues(t, 2*groups, sum())
	})
}

// Groups with very many players on their days are read in pages, beside small ones as usual:
// ranks are the same, and no command blocks Redis for long.
func TestLargeGroupsAreReadInPages(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.game = loadGame(t, "name: g\nmodes: {first: {max: 1000, scopes: [group], teams: sum}, best: {policy: best, max: 1000, scopes: [group], teams: {best: 3}}}")
		week := game.Week.Of(k.today()) // a Wednesday
		sizes := map[string]int{"red": 40_000, "blue": 36_000, "few": 20}
		for _, name := range []string{"first", "best"} {
			want := map[string]game.Score{}
			for back := 2; back >= 0; back-- {
				d := k.today().AddDays(-back)
				k.redis.Do("HSET", game.DaysKey(name), d.String(), "open")
				for of, size := range sizes {
					k.redis.Do("HSET", game.ScopedDaysKey(name), game.ScopedDay(d, group(t, of)), "open")
					for first := 0; first < size; first += 10_000 {
						entries := []string{}
						for i := first; i < min(size, first+10_000); i++ {
							score := 1 + (i*7+back*13)%900
							entries = append(entries, fmt.Sprint(score), fmt.Sprintf("%s_%05d", of, i+back*size/4))
						}
						for _, scope := range []game.Scope{{}, group(t, of)} {
							k.redis.Do(append([]string{"ZADD", game.BoardKey(name, game.Day.Of(d), scope)}, entries...)...)
						}
					}
				}
			}
			for of, size := range sizes {
				totals := map[string]int{}
				for back := range 3 {
					for i := range size {
						player, score := fmt.Sprintf("%s_%05d", of, i+back*size/4), 1+(i*7+back*13)%900
						if name == "best" {
							totals[player] = max(totals[player], score)
						} else {
							totals[player] += score
						}
					}
				}
				best := slices.Sorted(maps.Values(totals))
				slices.Reverse(best)
				if name == "best" {
					best = best[:3]
				}
				for _, score := range best {
					want[of] += game.Score(score)
				}
			}
			k.server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
				for _, command := range r.Commands {
					require.False(t, command[0] == "ZUNION" && command[1] > "2" && strings.Contains(command[2], "group:red"), "Redis would be held up")
				}
				return none
			})
			look := func(period game.Period) map[string]game.Score {
				page, err := k.process().Boards.Page(ctx, game.BoardOf(k.mode(name), period, game.TeamsScope()), game.PageRequest{Limit: 10})
				require.NoError(t, err)
				got := map[string]game.Score{}
				for _, e := range page.Entries {
					got[e.Player] = e.Score
				}
				return got
			}
			require.NoError(t, k.process().Rollup.Calendar.ListDays(ctx))
			commands, _ := (&process{meter: k.client.Meter()}).spent(func() { require.Equal(t, want, look(week), name) })
			require.LessOrEqual(t, commands, int64(35), name)

			// A day is rolled up after its group's index was read: it counts once.
			month, old, rolled := game.Month.Of(k.today()), k.today().AddDays(-2), 0
			rolledUp := game.RolledUpKey(game.BoardOf(k.mode(name), month, group(t, "red")).Key)
			k.server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
				for _, command := range r.Commands {
					if rolled == 0 && command[0] == "ZSCAN" && command[1] == rolledUp {
						rolled++
						k.redis.Do("ZUNIONSTORE", rolledUp, "1", game.BoardKey(name, game.Day.Of(old), group(t, "red")))
						k.redis.Do("HSET", game.ScopedDaysKey(name), game.ScopedDay(old, group(t, "red")), derive.DayRolledUp)
					}
				}
				return none
			})
			require.Equal(t, want, look(month), name)
			require.Equal(t, name == "first", rolled == 1, "of the best it would count once anyway")
			k.server.Inject(nil)
		}
	})
}

// A score that is taken out, a ban, an erasure and a claim show at once on boards that rank
// groups, of open and of closed periods.
func TestWhatIsTakenOutLeavesItsGroupsAtOnce(t *testing.T) {
	ctx := context.Background()
	acts := map[string]func(p *process, m *game.Mode, d game.Date) error{
		"score": func(p *process, m *game.Mode, d game.Date) error {
			_, err := p.Repair.RemoveScore(ctx, m, d, "p1", nil)
			return err
		},
		"ban": func(p *process, _ *game.Mode, _ game.Date) error {
			_, err := p.Repair.RemoveRecent(ctx, "p1", nil)
			return err
		},
		"erasure": func(p *process, _ *game.Mode, _ game.Date) error {
			_, err := p.Repair.Erase(ctx, "p1", lifecycle.Erasure{})
			return err
		},
		"claim": func(p *process, _ *game.Mode, _ game.Date) error {
			_, err := p.Repair.Claim(ctx, "p1", "p3", nil)
			return err
		},
	}
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, teamGame)
		k.ageless()
		for name, act := range acts {
			for _, daysAgo := range []int{0, 1, 3, 7} { // open, closed, closed with its week, rolled up
				if daysAgo == 7 && name != "erasure" {
					continue // without an archive rolled-up scores stay
				}
				t.Run(fmt.Sprint(name, " ", daysAgo), func(t *testing.T) {
					k.empty()
					played := noon.AddDate(0, 0, 4)
					k.clock.Set(played)
					p, day := k.process(), game.DateOf(played)
					for player, groups := range map[string][]string{"p1": {"red", "blue"}, "p2": {"red"}, "p3": {"green"}} {
						sub := k.play("best", player, map[string]game.Score{"p1": 40, "p2": 5, "p3": 7}[player])
						for _, name := range groups {
							sub.Scopes = append(sub.Scopes, group(t, name))
						}
						_, err := p.Boards.Submit(ctx, sub)
						require.NoError(t, err)
					}
					k.clock.Set(played.AddDate(0, 0, daysAgo))
					if daysAgo > 0 {
						_, err := runDaily(ctx, p, newShelf())
						require.NoError(t, err)
					}
					looked := func() map[string]map[string]game.Score {
						seen := map[string]map[string]game.Score{}
						for _, period := range append(k.game.PeriodsOf(day), game.Day.Of(day)) {
							b := game.BoardOf(k.mode("best"), period, game.TeamsScope())
							page, err := p.Boards.Page(ctx, b, game.PageRequest{Limit: 10})
							require.NoError(t, err)
							seen[b.Key] = map[string]game.Score{}
							for _, e := range page.Entries {
								seen[b.Key][e.Player] = e.Score
							}
						}
						return seen
					}
					for key, groups := range looked() {
						require.Equal(t, map[string]game.Score{"red": 45, "blue": 40, "green": 7}, groups, key)
					}
					require.NoError(t, act(p, k.mode("best"), day))
					want := map[string]game.Score{"red": 5, "green": 7}
					if name == "claim" {
						want = map[string]game.Score{"red": 45, "blue": 40, "green": 40}
					}
					for key, groups := range looked() {
						require.Equal(t, want, groups, key)
					}
				})
			}
		}
	})
}
