package duel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// model is what duels must come to, in memory.
type model struct {
	rules   duel.Rules
	ratings map[string]float64
	duels   map[string]*modelDuel
	ids     []string
}

type modelDuel struct {
	players [2]string
	state   duel.State
	told    [2]string // "" is nothing
	outcome string
	until   int64
}

func (m *model) rating(player string) float64 {
	if r, ok := m.ratings[player]; ok {
		return r
	}
	return m.rules.Start
}

func (m *model) decide(d *modelDuel, outcome string) {
	result := map[string]float64{d.players[0]: 1, d.players[1]: 0, "draw": 0.5}[outcome]
	a, b := m.rating(d.players[0]), m.rating(d.players[1])
	change := eloChange(m.rules, m.rules.K, a, b, result)
	m.ratings[d.players[0]], m.ratings[d.players[1]] = a+change, b-change
	d.state, d.outcome = duel.Decided, outcome
}

func (m *model) end(d *modelDuel, now int64) {
	if now <= d.until || d.state != duel.Ready && d.state != duel.Waiting {
		return
	}
	switch answer := d.told[0] + d.told[1]; {
	case d.state == duel.Ready && answer != "":
		m.decide(d, answer)
	default:
		d.state = duel.Expired
	}
}

// tell is what telling a result must do.
func (m *model) tell(d *modelDuel, player, outcome string, now int64) error {
	place := -1
	for i, p := range d.players {
		if player == p && p != "" {
			place = i
		}
	}
	if player != "" && place < 0 {
		return duel.ErrUnknown
	}
	if player != "" {
		m.end(d, now)
	}
	switch {
	case d.players[1] == "" && d.state == duel.Waiting:
		return duel.ErrNotReady
	case d.players[1] == "":
		return duel.ErrOver
	case outcome != "draw" && outcome != d.players[0] && outcome != d.players[1]:
		return duel.ErrNotPlaying
	case d.state == duel.Decided && outcome == d.outcome:
		return nil
	case d.state == duel.Decided:
		return duel.ErrDecided
	case player == "":
		m.decide(d, outcome)
		return nil
	case d.state == duel.Expired:
		return duel.ErrOver
	case d.told[place] != "" && d.told[place] != outcome:
		return duel.ErrDecided
	case d.told[place] != "":
		return nil
	}
	d.told[place] = outcome
	switch other := d.told[1-place]; other {
	case "":
	case outcome:
		m.decide(d, outcome)
	default:
		d.state = duel.Disputed
	}
	return nil
}

// Whatever is done in whatever order, duels and ratings are those of a model in
// memory, and all ratings together stay what they were.
func TestDuelsAreThoseOfAModel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++
			_, err := k.redis.Server.Redis().Do(ctx, "FLUSHALL")
			require.NoError(t, err)
			m := &model{rules: k.rules, ratings: map[string]float64{}, duels: map[string]*modelDuel{}}
			player := rapid.SampledFrom([]string{"a", "b", "c"})
			arrange := func(t *rapid.T) {
				a := player.Draw(t, "a")
				b := player.Filter(func(b string) bool { return b != a }).Draw(t, "b")
				id := fmt.Sprintf("m%d.%d", run, len(m.ids))
				d, err := k.Arrange(ctx, id, [2]string{a, b}, "")
				require.NoError(t, err)
				m.ids = append(m.ids, id)
				m.duels[id] = &modelDuel{players: [2]string{a, b}, state: duel.Ready, until: d.Until.UnixMilli()}
			}
			arrange(t) // so that there is a duel to draw
			pick := func(t *rapid.T) string { return rapid.SampledFrom(m.ids).Draw(t, "duel") }
			t.Repeat(map[string]func(*rapid.T){
				"challenge": func(t *rapid.T) {
					p := player.Draw(t, "player")
					d, err := k.Challenge(ctx, p, "", "")
					require.NoError(t, err)
					m.ids = append(m.ids, d.ID)
					m.duels[d.ID] = &modelDuel{players: [2]string{p}, state: duel.Waiting, until: d.Until.UnixMilli()}
				},
				"arrange": arrange,
				"accept": func(t *rapid.T) {
					id, p := pick(t), player.Draw(t, "player")
					d := m.duels[id]
					m.end(d, k.clock.Now().UnixMilli())
					got, err := k.Accept(ctx, id, p)
					switch {
					case d.state == duel.Waiting && d.players[0] == p:
						require.ErrorIs(t, err, duel.ErrOwn)
					case d.state == duel.Waiting:
						require.NoError(t, err)
						d.players[1], d.state, d.until = p, duel.Ready, got.Until.UnixMilli()
					case d.players[1] == p:
						require.NoError(t, err)
					default:
						require.True(t, errors.Is(err, duel.ErrTaken) || errors.Is(err, duel.ErrOver), err)
					}
				},
				"decline": func(t *rapid.T) {
					id, p := pick(t), player.Draw(t, "player")
					d := m.duels[id]
					m.end(d, k.clock.Now().UnixMilli())
					_, err := k.Decline(ctx, id, p)
					switch {
					case d.players[0] != p && d.players[1] != p:
						require.ErrorIs(t, err, duel.ErrUnknown)
					case d.state == duel.Waiting || d.state == duel.Expired:
						require.NoError(t, err)
						d.state = duel.Expired
					default:
						require.ErrorIs(t, err, duel.ErrAccepted)
					}
				},
				"tell": func(t *rapid.T) {
					id := pick(t)
					p := rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "player")
					outcome := rapid.SampledFrom([]string{"a", "b", "c", "draw"}).Draw(t, "outcome")
					winner := outcome
					if winner == "draw" {
						winner = ""
					}
					want := m.tell(m.duels[id], p, outcome, k.clock.Now().UnixMilli())
					_, err := k.Report(ctx, id, duel.Result{Player: p, Winner: winner})
					require.ErrorIs(t, err, want)
				},
				"pass": func(t *rapid.T) { k.clock.Pass(k.rules.Timeout / 3) },
				"": func(t *rapid.T) {
					sum := 0.0
					for id, d := range m.duels {
						m.end(d, k.clock.Now().UnixMilli())
						got, err := k.Duel(ctx, id)
						require.NoError(t, err)
						require.Equal(t, d.state, got.State, id)
					}
					for p, want := range m.ratings {
						reply, err := k.redis.Client.Do(ctx, upstash.Cmd("ZSCORE", game.DuelKey, p))
						require.NoError(t, err)
						rating, err := reply.Float64()
						require.NoError(t, err)
						require.InDelta(t, want, rating, 1e-9, p)
						sum += rating
					}
					require.InDelta(t, k.rules.Start*float64(len(m.ratings)), sum, 1e-9)
				},
			})
		})
	})
}
