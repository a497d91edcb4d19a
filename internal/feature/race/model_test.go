package race_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
)

// model is what races must come to, in memory.
type model struct {
	game    *game.Game
	ratings map[string]float64
	races   map[string]*modelRace
	ids     []string
	now     time.Time
}

type modelRace struct {
	state         race.State
	size          int
	paired        time.Time
	starts, until time.Time
	seats         []*modelSeat
}

type modelSeat struct {
	player string
	seen   time.Time
	left   bool
	score  *game.Score
	place  int
}

func (r *modelRace) seat(player string) *modelSeat {
	for _, s := range r.seats {
		if s.player == player {
			return s
		}
	}
	return nil
}

func (r *modelRace) free(gone func(*modelSeat) bool) {
	r.seats = slices.DeleteFunc(r.seats, gone)
	if len(r.seats) < 2 {
		r.paired = time.Time{}
	}
}

// tick does what time has made due.
func (m *model) tick(r *modelRace) {
	rules := race.RulesOf(m.game)
	switch r.state {
	case race.Started:
		m.judge(r)
	case race.Waiting:
		r.free(func(s *modelSeat) bool { return m.now.Sub(s.seen) > rules.Silent })
		switch n := len(r.seats); {
		case n >= 2 && (n == r.size || m.now.Sub(r.paired) >= rules.Wait):
			r.state, r.starts = race.Started, m.now.Add(race.Lead)
			r.until = r.starts.Add(rules.Timeout)
			for _, s := range r.seats {
				s.seen = time.Time{}
			}
		case m.now.After(r.until):
			r.state = race.Expired
		}
	}
}

func (m *model) judge(r *modelRace) {
	answer := 0
	var scores []*game.Score
	for _, s := range r.seats {
		silent := !s.seen.IsZero() && m.now.Sub(s.seen) > race.RulesOf(m.game).Silent
		if s.score != nil {
			answer++
		} else if !s.left && !silent && !m.now.After(r.until) {
			return
		}
		scores = append(scores, s.score)
	}
	if answer == 0 {
		r.state = race.Expired
		return
	}
	places := race.Places(m.game.Modes[0], scores)
	var stood, k []float64
	for i, s := range r.seats {
		s.place = places[i]
		if _, rated := m.ratings[s.player]; !rated {
			m.ratings[s.player] = duel.RulesOf(m.game).Start
		}
		stood, k = append(stood, m.ratings[s.player]), append(k, duel.RulesOf(m.game).K)
	}
	for i, change := range race.Changes(duel.RulesOf(m.game), places, stood, k) {
		m.ratings[r.seats[i].player] += change
	}
	r.state = race.Decided
}

// elsewhere reports whether another race keeps a player.
func (m *model) elsewhere(player, id string) bool {
	for other, r := range m.races {
		s := r.seat(player)
		if other == id || s == nil || m.now.After(r.until) {
			continue
		}
		silent := !s.seen.IsZero() && m.now.Sub(s.seen) > race.RulesOf(m.game).Silent
		if !silent && (r.state == race.Waiting || r.state == race.Started && s.score == nil && !s.left) {
			return true
		}
	}
	return false
}

func (m *model) join(r *modelRace, id, player string) error {
	if m.elsewhere(player, id) {
		return race.ErrElsewhere
	}
	if s := r.seat(player); s != nil && r.state == race.Waiting {
		s.seen = m.now
	}
	m.tick(r)
	switch {
	case r.seat(player) != nil:
		return nil
	case r.state != race.Waiting:
		return race.ErrFull
	}
	r.seats = append(r.seats, &modelSeat{player: player, seen: m.now})
	if len(r.seats) == 2 {
		r.paired = m.now
	}
	m.tick(r)
	return nil
}

func (m *model) tell(r *modelRace, player string, score game.Score) error {
	s := r.seat(player)
	switch {
	case s == nil:
		return race.ErrUnknown
	case r.state == race.Waiting:
		return race.ErrEarly
	case s.score != nil:
		m.tick(r)
		if *s.score != score {
			return race.ErrOtherScore
		}
		return nil
	case r.state == race.Started && m.now.Before(r.starts):
		return race.ErrEarly
	case r.state == race.Started && !m.now.After(r.until) && !s.left:
		s.score = &score
		m.tick(r)
		return nil
	}
	m.tick(r)
	return race.ErrOver
}

// Whatever is done in whatever order, races and ratings are those of a model in
// memory.
func TestRacesAreThoseOfAModel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++
			_, err := k.redis.Server.Redis().Do(ctx, "FLUSHALL")
			require.NoError(t, err)
			k.Store = k.process() // remembers no race
			m := &model{game: k.game, ratings: map[string]float64{}, races: map[string]*modelRace{}, now: k.clock.Now()}
			player := rapid.SampledFrom([]string{"a", "b", "c", "d"})
			create := func(t *rapid.T) {
				p, size := player.Draw(t, "player"), rapid.IntRange(2, 4).Draw(t, "size")
				id := fmt.Sprintf("r%d.%d", run, len(m.ids))
				busy := m.elsewhere(p, id)
				_, err := k.Create(ctx, race.Wanted{ID: id, Player: p, Mode: "daily", Size: size})
				if busy {
					require.ErrorIs(t, err, race.ErrElsewhere)
					return
				}
				require.NoError(t, err)
				m.ids = append(m.ids, id)
				m.races[id] = &modelRace{
					state: race.Waiting, size: size, until: m.now.Add(race.RulesOf(k.game).Invite),
					seats: []*modelSeat{{player: p, seen: m.now}},
				}
			}
			create(t) // so that there is a race to draw
			pick := func(t *rapid.T) (string, *modelRace) {
				id := rapid.SampledFrom(m.ids).Draw(t, "race")
				return id, m.races[id]
			}
			join := func(t *rapid.T) {
				id, r := pick(t)
				p := player.Draw(t, "player")
				want := m.join(r, id, p)
				_, err := k.Join(ctx, id, p)
				require.ErrorIs(t, err, want)
			}
			t.Repeat(map[string]func(*rapid.T){
				"create":   create,
				"join":     join,
				"join too": join,
				"leave": func(t *rapid.T) {
					id, r := pick(t)
					p := player.Draw(t, "player")
					s := r.seat(p)
					switch {
					case s != nil && r.state == race.Waiting:
						r.free(func(other *modelSeat) bool { return other == s })
						if len(r.seats) == 0 {
							r.state = race.Expired
						}
					case s != nil && r.state == race.Started && s.score == nil:
						s.left = true
					}
					m.tick(r)
					_, err := k.Leave(ctx, id, p)
					if s == nil {
						require.ErrorIs(t, err, race.ErrUnknown)
						return
					}
					require.NoError(t, err)
				},
				"tell": func(t *rapid.T) {
					id, r := pick(t)
					p, score := player.Draw(t, "player"), game.Score(rapid.IntRange(0, 3).Draw(t, "score"))
					want := m.tell(r, p, score)
					_, err := k.Report(ctx, id, "daily", p, score)
					require.ErrorIs(t, err, want)
				},
				"pass": func(t *rapid.T) {
					k.clock.Pass(time.Duration(rapid.IntRange(1, 20_000).Draw(t, "ms")) * time.Millisecond)
					m.now = k.clock.Now()
				},
				"": func(t *rapid.T) {
					for id, r := range m.races {
						p := "nobody"
						if len(r.seats) > 0 {
							p = r.seats[0].player
						}
						before := r.state
						if s := r.seat(p); s != nil && r.state == race.Waiting && m.now.Sub(s.seen) >= 2*time.Second {
							s.seen = m.now
						}
						m.tick(r)
						got, err := k.See(ctx, id, p)
						if len(r.seats) == 0 && before != race.Waiting {
							require.ErrorIs(t, err, race.ErrUnknown)
							continue
						}
						require.NoError(t, err)
						require.Equal(t, r.state, got.State, id)
						require.Len(t, got.Seats, len(r.seats))
						for i, s := range r.seats {
							require.Equal(t, s.player, got.Seats[i].Player)
							require.Equal(t, s.place, got.Seats[i].Place)
						}
					}
					stand := k.ratings(t)
					require.Len(t, stand, len(m.ratings))
					sum := 0.0
					for p, want := range m.ratings {
						require.InDelta(t, want, stand[p], 1e-9, p)
						sum += stand[p]
					}
					require.InDelta(t, duel.RulesOf(k.game).Start*float64(len(stand)), sum, 1e-9)
				},
			})
		})
	})
}
