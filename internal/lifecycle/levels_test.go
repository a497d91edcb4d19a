package lifecycle_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// levelGame has levels under every policy and order that may have them.
const levelGame = `
name: levels
grace: 15m
refresh: 1s
cache: 0s
modes:
  first: {max: 1000, levels: 3, scopes: [group]}
  golf: {order: asc, min: -20, max: 20, aggregate: sum, levels: 3}
  best: {policy: best, max: 1000, levels: 3, scopes: [group, country]}
  fastest: {policy: best, order: asc, max: 1000, levels: 3}
  shared: {policy: best, max: 20, ties: shared, levels: 3}
`

func level(tb require.TestingT, n int) game.Scope {
	s, err := game.LevelScope(n)
	require.NoError(tb, err)
	return s
}

// levelModel has every play that counts at a level and, under the zero Scope, on the day.
type levelModel map[game.Scope]map[game.Date]map[string]game.Score

func (lm levelModel) play(m *game.Mode, scope game.Scope, d game.Date, player string, score game.Score) {
	if lm[scope] == nil {
		lm[scope] = map[game.Date]map[string]game.Score{}
	}
	if lm[scope][d] == nil {
		lm[scope][d] = map[string]game.Score{}
	}
	was, played := lm[scope][d][player]
	if played && (m.Policy == game.First || (m.Order == game.Desc) != (score > was)) {
		return
	}
	lm[scope][d][player] = score
}

// over returns a period's board.
func (lm levelModel) over(m *game.Mode, scope game.Scope, p game.Period) map[string]game.Score {
	all := map[string]game.Score{}
	for d, day := range lm[scope] {
		if !p.Contains(d) {
			continue
		}
		for player, score := range day {
			was, played := all[player]
			switch {
			case !played:
				all[player] = score
			case m.Aggregate == game.Sum:
				all[player] = was + score
			case m.Aggregate == game.Max:
				all[player] = max(was, score)
			case m.Aggregate == game.Min:
				all[player] = min(was, score)
			}
		}
	}
	return all
}

// TestLevelsHaveWhatWasReachedThere lets players play levels in every way through a few
// processes over some days, removes and rolls up, loses answers of Redis, and compares every
// board of every period with a model.
func TestLevelsHaveWhatWasReachedThere(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, levelGame)
		k.impatient()
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			k.clock.Set(noon)
			processes := []*process{k.process(), k.process()}
			m := k.mode(rapid.SampledFrom([]string{"first", "golf", "best", "fastest", "shared"}).Draw(rt, "mode"))
			model := levelModel{}
			some := func() *process { return processes[rapid.IntRange(0, 1).Draw(rt, "process")] }
			name := func() string { return fmt.Sprint("p", rapid.IntRange(0, 4).Draw(rt, "player")) }
			play := func(rt *rapid.T, way string, n int) {
				var subs []game.Submission
				for range n {
					score := game.Score(rapid.IntRange(1, 9).Draw(rt, "score"))
					sub := k.play(m.Name, name(), score)
					model.play(m, game.Scope{}, sub.Date, sub.Player, score)
					if at := rapid.IntRange(0, 3).Draw(rt, "level"); at > 0 {
						sub.Scopes = []game.Scope{level(rt, at)}
						model.play(m, sub.Scopes[0], sub.Date, sub.Player, score)
					}
					if m.HasScope(game.Group) && rapid.Bool().Draw(rt, "grouped") {
						sub.Scopes = append(sub.Scopes, group(t, "g"))
					}
					subs = append(subs, sub)
				}
				require.NoError(rt, ways[way](some(), subs...))
			}
			rt.Repeat(map[string]func(*rapid.T){
				"one":   func(rt *rapid.T) { play(rt, "one", 1) },
				"batch": func(rt *rapid.T) { play(rt, "batch", rapid.IntRange(1, 6).Draw(rt, "n")) },
				"queue": func(rt *rapid.T) { play(rt, "queue", rapid.IntRange(1, 6).Draw(rt, "n")) },
				"lost": func(rt *rapid.T) {
					k.server.Inject(everySecond())
					defer k.server.Inject(nil)
					play(rt, rapid.SampledFrom(wayNames()).Draw(rt, "way"), 2)
				},
				"remove": func(rt *rapid.T) {
					player, d := name(), k.today()
					_, err := some().Repair.RemoveScore(t.Context(), m, d, player, nil)
					require.NoError(rt, err)
					for _, days := range model {
						delete(days[d], player)
					}
				},
				"pass": func(*rapid.T) { k.clock.Pass(time.Duration(rapid.IntRange(1, 40).Draw(rt, "hours")) * time.Hour) },
				"roll up": func(*rapid.T) {
					_, err := some().Rollup.Calendar.Survey(t.Context())
					require.NoError(rt, err)
					_, err = runDaily(t.Context(), some(), nil)
					require.NoError(rt, err)
				},
				"look": func(rt *rapid.T) {
					k.clock.Pass(2 * time.Second)
					k.checkLevels(rt, some(), m, model, name())
				},
			})
		})
	})
}

// checkLevels compares all boards of all levels, and one player's cards, with the model.
func (k *kit) checkLevels(rt *rapid.T, p *process, m *game.Mode, model levelModel, player string) {
	today := k.today()
	for _, scope := range []game.Scope{{}, level(rt, 1), level(rt, 2), level(rt, 3)} {
		for _, period := range append([]game.Period{game.Day.Of(today)}, k.game.PeriodsOf(today)...) {
			b := game.BoardOf(m, period, scope)
			want := model.over(m, scope, period)
			got := map[string]game.Score{}
			for _, e := range wholeBoard(rt, p, b, 3) {
				got[e.Player] = e.Score
			}
			require.Equal(rt, want, got, b.Key)
			card, err := p.Boards.Card(context.Background(), b, player)
			if score, on := want[player]; !on {
				require.ErrorIs(rt, err, leaderboard.ErrNotOnBoard, b.Key)
			} else {
				require.NoError(rt, err, b.Key)
				require.Equal(rt, score, card.Score, b.Key)
			}
		}
	}
}

// TestAScoreAtALevelShowsAtOnce checks that derived boards show a score at a level at once.
func TestAScoreAtALevelShowsAtOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, levelGame)
		p := k.process()
		m := k.mode("best")
		for i, score := range []game.Score{5, 3, 8} {
			sub := k.play("best", "p", score)
			sub.Scopes = []game.Scope{level(t, 1)}
			_, err := p.Boards.Submit(t.Context(), sub)
			require.NoError(t, err)
			for _, period := range append([]game.Period{game.Day.Of(k.today())}, k.game.PeriodsOf(k.today())...) {
				card, err := p.Boards.Card(t.Context(), game.BoardOf(m, period, level(t, 1)), "p")
				require.NoError(t, err)
				require.Equal(t, []game.Score{5, 5, 8}[i], card.Score, period.Key())
			}
		}
	})
}

func TestAClaimBringsLevelsTogether(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, levelGame)
		for _, name := range []string{"first", "golf", "best", "fastest"} {
			k.empty()
			p, m, model := k.process(), k.mode(name), levelModel{}
			play := func(player string, at int, score game.Score) {
				sub := k.play(name, player, score)
				sub.Scopes = []game.Scope{level(t, at)}
				_, err := p.Boards.Submit(t.Context(), sub)
				require.NoError(t, err)
				model.play(m, game.Scope{}, sub.Date, "p", score)
				model.play(m, sub.Scopes[0], sub.Date, "p", score)
			}
			play("device_1", 1, 7)
			play("p", 1, 3)
			play("p", 2, 9)
			play("device_1", 2, 2)
			play("device_1", 3, 4)
			_, err := p.Repair.Claim(t.Context(), "device_1", "p", nil)
			require.NoError(t, err)
			k.clock.Pass(2 * time.Second)
			rapid.Check(t, func(rt *rapid.T) { k.checkLevels(rt, k.process(), m, model, "p") })
		}
	})
}

func TestAnErasureLeavesNothingAtLevels(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, levelGame)
		p := k.process()
		for at := 1; at <= 3; at++ {
			for _, player := range []string{"p", "q"} {
				sub := k.play("best", player, game.Score(at))
				sub.Scopes = []game.Scope{level(t, at)}
				_, err := p.Boards.Submit(t.Context(), sub)
				require.NoError(t, err)
			}
			k.clock.Pass(24 * time.Hour)
		}
		for at := 1; at <= 3; at++ {
			for _, period := range k.game.PeriodsOf(k.today()) {
				_, err := p.Boards.Page(t.Context(), game.BoardOf(k.mode("best"), period, level(t, at)), game.PageRequest{Limit: 9})
				require.NoError(t, err)
			}
		}
		_, err := p.Repair.Erase(t.Context(), "p", lifecycle.Erasure{})
		require.NoError(t, err)
		keys, err := k.server.Redis().Do(t.Context(), "KEYS", "lb:*")
		require.NoError(t, err)
		seen := 0
		for _, key := range keys.([]any) {
			require.NotContains(t, k.raw(t, key.(string)), "p", key)
			seen++
		}
		require.Greater(t, seen, 12)
	})
}

// TestADayOfLevelsComesBackAsItWas loses a day's boards, plays some of it again, and merges
// the archived results.
func TestADayOfLevelsComesBackAsItWas(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, levelGame)
		for _, name := range []string{"first", "golf", "best", "fastest", "shared"} {
			k.empty()
			k.clock.Set(noon)
			p, m, model := k.process(), k.mode(name), levelModel{}
			play := func(p *process, player string, at int, score game.Score) {
				sub := k.play(name, player, score)
				sub.Scopes = []game.Scope{level(t, at)}
				_, err := p.Boards.Submit(t.Context(), sub)
				require.NoError(t, err)
				model.play(m, game.Scope{}, sub.Date, player, score)
				model.play(m, sub.Scopes[0], sub.Date, player, score)
			}
			for i, player := range []string{"a", "b", "c"} {
				play(p, player, 1, game.Score(5+i))
				play(p, player, 2, game.Score(9-i))
			}
			var results []game.Result
			reading := lifecycle.Reading{Board: game.BoardOf(m, game.Day.Of(k.today()), game.Scope{}), Bare: true}
			for at := 1; at <= 3; at++ {
				reading.Groups = append(reading.Groups, game.BoardOf(m, game.Day.Of(k.today()), level(t, at)))
			}
			require.NoError(t, p.Days.Read(t.Context(), &reading, func(page []game.Result) error {
				for _, r := range page {
					r.Scopes = slices.Clone(r.Scopes)
					results = append(results, r)
				}
				return nil
			}))
			k.empty()
			p = k.process()
			play(p, "a", 1, 2)
			play(p, "b", 1, 8)
			play(p, "b", 3, 8)
			play(p, "d", 2, 1)
			for range 2 {
				require.NoError(t, p.Restore.MergeDay(t.Context(), m, k.today(), results, "lost", false))
			}
			k.clock.Pass(2 * time.Second)
			rapid.Check(t, func(rt *rapid.T) { k.checkLevels(rt, k.process(), m, model, "a") })

			k.empty()
			require.NoError(t, k.process().Restore.RestoreDay(t.Context(), m, k.today(), results, true, ""))
			for _, r := range results {
				for _, scoped := range r.Scopes {
					current := k.raw(t, game.BoardKey(m.Name, game.Day.Of(k.today()), scoped.Scope))
					require.Equal(t, math.Float64bits(scoped.Stored), math.Float64bits(current[r.Player]))
				}
			}
		}
	})
}

// TestWhatALevelCosts checks what a level costs a submission: two commands, and another if the
// player has never played there. A submission without a level costs what it costs in a game
// without levels.
func TestWhatALevelCosts(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, levelGame)
		k.ageless()
		p := k.process()
		n := 0
		submit := func(mode, player string, scopes ...game.Scope) (int64, int64) {
			return p.spent(func() {
				sub := k.play(mode, player, game.Score(1+n%20))
				n++
				sub.Scopes = scopes
				_, err := p.Boards.Submit(t.Context(), sub)
				require.NoError(t, err)
			})
		}
		for _, mode := range []string{"first", "best"} {
			for range 2 { // the first one learns which levels exist
				submit(mode, "member", level(t, 1))
			}
			for _, at := range []struct {
				player   string
				scopes   []game.Scope
				commands int64
			}{
				{fmt.Sprint("new", n), nil, 2}, {fmt.Sprint("newer", n), []game.Scope{level(t, 1)}, 5}, {"member", []game.Scope{level(t, 1)}, 4}, {"member", nil, 2},
			} {
				commands, trips := submit(mode, at.player, at.scopes...)
				require.Equal(t, []int64{at.commands, 1}, []int64{commands, trips}, "%s %v", mode, at)
			}
			submit(mode, "member", level(t, 1))
			_, err := p.Boards.Card(t.Context(), game.BoardOf(k.mode(mode), game.Day.Of(k.today()), level(t, 1)), "member")
			require.NoError(t, err)
			commands, trips := p.spent(func() {
				_, err := p.Boards.Card(t.Context(), game.BoardOf(k.mode(mode), game.Day.Of(k.today()), level(t, 1)), "member")
				require.NoError(t, err)
			})
			require.Equal(t, []int64{2, 1}, []int64{commands, trips}, "a card, as of a group")
		}
	})
}
