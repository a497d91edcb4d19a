package lifecycle_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// decayGame has the policies that add days up, with factors and steps. moreDecays has what
// decay is combined with: shared ties, and boards of rolling days.
const (
	decayGame = `
name: testing
grace: 15m
refresh: 5s
modes:
  first: {max: 1000, xp: 1.5, scopes: [country, region, group], details: true, decay: {factor: 0.95}}
  coins: {policy: sum, min: 1, max: 500, day_max: 5000, decimals: 1, decay: {factor: 0.7, every: 7d, floor: 0.5}}
`
	moreDecays = `
  best: {policy: best, max: 100000, aggregate: sum, scopes: [country, region, group], decay: {factor: 0.9}}
  newest: {policy: latest, max: 50, aggregate: sum, rolling: true, decay: {factor: 0.5, every: 10d}}
  shared: {max: 20, ties: shared, decay: {factor: 0.975}}
`
)

// decayed returns what is left of a mode's days today: each day multiplied by the factor for
// every step that has begun since, in fractions, rounded only as the board rounds.
func (h *history) decayed(m *game.Mode) map[string]game.Score {
	exact := map[string]*big.Rat{}
	for d, day := range h.days[m.Name] {
		left := h.left(m.Decay, d)
		for player, e := range day.entries {
			if exact[player] == nil {
				exact[player] = new(big.Rat)
			}
			exact[player].Add(exact[player], new(big.Rat).Mul(left, new(big.Rat).SetInt64(int64(e.score))))
		}
	}
	all := map[string]game.Score{}
	for player, sum := range exact {
		all[player] = max(wholeOf(sum), m.Decay.Floor)
	}
	return all
}

// left returns what a point of a day counts today. Steps begin every so many days, counted
// from a Monday.
func (h *history) left(rule *game.DecayRule, d game.Date) *big.Rat {
	left := big.NewRat(1, 1)
	for next := d.AddDays(1); !next.After(h.today()); next = next.AddDays(1) {
		if next.DaysSince(game.NewDate(2024, time.January, 1))%rule.Every == 0 {
			left.Mul(left, big.NewRat(rule.Factor, 1_000_000))
		}
	}
	return left
}

// wholeOf returns what is shown of a total, which is kept in 1024ths.
func wholeOf(total *big.Rat) game.Score {
	grains := new(big.Rat).Mul(total, big.NewRat(1024, 1))
	grains.Add(grains, big.NewRat(1, 2))
	nearest := new(big.Int).Div(grains.Num(), grains.Denom())
	return game.Score(nearest.Rsh(nearest, 10).Int64())
}

// Somebody looks at any time, runs of the schedule are missed or doubled, scores come late,
// days are rolled up and expire: all time is what is left of every score as it was played, and
// no other period decays.
func TestDecayedBoardsFollowFromTheirDays(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, decayGame+moreDecays)
		for name, scheduled := range map[string]bool{"schedule never runs": false, "schedule runs, days expire": true} {
			t.Run(name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) { k.follows(rt, &life{scheduled: scheduled, misses: true}) })
			})
		}
	})
}

// A player's own entry on a board that decays contains every score that was answered, with the
// weights of the day: over midnights, broken connections, clocks that differ, and removals.
func TestOwnDecayedStandingsHaveEveryScore(t *testing.T) {
	for name, rules := range map[string]string{"utc": "", "local days": "day: local\n"} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.ownStandings(t, rules+decayGame+moreDecays) })
		})
	}
}

// Whatever is removed, also of rolled-up days: all time is at once what is left, to the last
// bit.
func TestRemovalsRepairDecayedBoards(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, decayGame)
		rapid.Check(t, k.removalsRepair)
	})
}

// A claim moves a device's scores with the weights of their days.
func TestClaimsMergeDecayedBoards(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, decayGame)
		rapid.Check(t, k.claimsMerge)
	})
}

// A day passes without plays: the first look of the next day shows that day's totals, also in
// a process that looked a moment before midnight. A player's own entry is right at once, a
// page as soon as it is as old as a page may be.
func TestTheFirstLookOfADayHasItsTotals(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, decayGame)
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
		k.clock.Set(noon)
		p := k.process()
		for player, score := range map[string]game.Score{"a": 1000, "b": 400} {
			sub := k.play("first", player, score)
			sub.Scopes, sub.Profile = []game.Scope{group(t, "red")}, game.Profile{Name: player, Country: "BR"}
			_, err := p.Boards.Submit(t.Context(), sub)
			require.NoError(t, err)
		}
		midnight := noon.Add(12 * time.Hour)
		for _, look := range []struct {
			at   time.Duration // since midnight
			own  game.Score
			want []string
		}{
			{-time.Second, 1000, []string{"1 a 1000", "2 b 400"}},
			{time.Second, 950, nil},
			{k.game.Refresh, 950, []string{"1 a 950", "2 b 380"}},
			{24*time.Hour - time.Second, 950, []string{"1 a 950", "2 b 380"}},
			{24 * time.Hour, 902, nil},
			{24*time.Hour + k.game.Refresh, 902, []string{"1 a 902", "2 b 361"}},
		} {
			k.clock.Set(midnight.Add(look.at))
			for _, scope := range []game.Scope{{}, country(t, "BR"), region(t, "SA"), group(t, "red")} {
				card, err := p.Boards.Card(t.Context(), game.BoardOf(k.mode("first"), game.AllTime.Of(k.today()), scope), "a")
				require.NoError(t, err)
				require.Equal(t, look.own, card.Score, "%v %v after midnight", scope, look.at)
				if look.want != nil {
					require.Equal(t, look.want, k.ever(t, p, "first", scope), "%v %v after midnight", scope, look.at)
				}
			}
		}
	})
}

// The own entry that is computed for a player who has just played is the one that the next
// refresh makes, to the last bit, on every scope.
func TestAnOwnDecayedEntryIsWhatARefreshMakes(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, decayGame)
		var at time.Time
		play := func(p *process, player string, score game.Score) {
			sub := k.play("first", player, score)
			sub.Scopes, sub.Profile = []game.Scope{group(t, "red")}, game.Profile{Name: player, Country: "BR"}
			_, err := p.Boards.Submit(t.Context(), sub)
			require.NoError(t, err)
		}
		for day := range 12 {
			at = noon.AddDate(0, 0, day)
			k.clock.Set(at)
			for i, player := range []string{"a", "b", "c"} {
				if player != "c" || day < 11 {
					play(k.process(), player, game.Score(100+31*i+7*day))
				}
			}
			_, err := runDaily(t.Context(), k.process(), nil)
			require.NoError(t, err)
		}
		scopes := []game.Scope{{}, country(t, "BR"), region(t, "SA"), group(t, "red")}
		board := func(scope game.Scope) game.Board {
			return game.BoardOf(k.mode("first"), game.AllTime.Of(k.today()), scope)
		}
		p, before := k.process(), map[game.Scope]float64{}
		for _, scope := range scopes {
			for _, e := range wholeBoard(t, p, board(scope), 10) {
				if e.Player == "c" {
					before[scope] = e.Stored
				}
			}
		}
		play(k.process(), "c", 1000)
		own := map[game.Scope]float64{}
		for _, scope := range scopes {
			card, err := p.Boards.Card(t.Context(), board(scope), "c")
			require.NoError(t, err)
			require.InDelta(t, before[scope]+1000, card.Stored, 1.0/512, scope)
			own[scope] = card.Stored
		}
		k.clock.Set(at.Add(time.Hour))
		for _, scope := range scopes {
			for _, e := range wholeBoard(t, k.process(), board(scope), 10) {
				if e.Player == "c" {
					require.Equal(t, own[scope], e.Stored, scope)
				}
			}
		}
	})
}

// A board that is too large for one command is read in pages, with the same result.
func TestALargeDecayedBoardIsTheSame(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, decayGame)
		for day := range 10 {
			k.clock.Set(noon.AddDate(0, 0, day))
			p := k.process()
			for i := range 5 {
				_, err := p.Boards.Submit(t.Context(), k.play("first", fmt.Sprint("p", i), game.Score(100*i+7*day)))
				require.NoError(t, err)
			}
			_, err := runDaily(t.Context(), p, nil)
			require.NoError(t, err)
		}
		b := game.BoardOf(k.mode("first"), game.AllTime.Of(k.today()), game.Scope{})
		look := func(players int64) []game.Entry {
			k.clock.Pass(time.Hour)
			p := k.process()
			if players > 0 {
				p.Boards.Totals.Set(b.Key, players)
			}
			return wholeBoard(t, p, b, 3)
		}
		small := look(0)
		require.Len(t, small, 5)
		require.Equal(t, small, look(1_000_000))
	})
}

// ever returns the entries of all time.
func (k *kit) ever(t *testing.T, p *process, mode string, scope game.Scope) (rows []string) {
	for _, e := range wholeBoard(t, p, game.BoardOf(k.mode(mode), game.AllTime.Of(k.today()), scope), 10) {
		rows = append(rows, fmt.Sprintf("%d %s %d", e.Rank, e.Player, e.Score))
	}
	return rows
}
