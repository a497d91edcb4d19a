package world_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
)

// model is what sites have published to each other, board by board.
type model struct {
	*kit
	published map[string]map[string]map[string]float64            // site -> board -> top
	copies    map[string]map[string]map[string]map[string]float64 // site -> other -> board -> top
	states    map[string][]map[string]string                      // each state that a site has had
}

// TestTheWorldIsTheBestOfWhatEachSiteSaidLast makes three sites play, remove and merge, while
// others are down, cut off or answer an older state.
func TestTheWorldIsTheBestOfWhatEachSiteSaidLast(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		world.RulesOf(k.game).Top = 4
		rapid.Check(k.t, func(rt *rapid.T) {
			k.empty()
			k.clock.Set(noon)
			m := &model{kit: k, published: map[string]map[string]map[string]float64{}, copies: map[string]map[string]map[string]map[string]float64{}, states: map[string][]map[string]string{}}
			for _, s := range k.sites {
				m.copies[s.name] = map[string]map[string]map[string]float64{}
			}
			some := func() *site { return k.sites[rapid.IntRange(0, len(k.sites)-1).Draw(rt, "site")] }
			player := func() string { return fmt.Sprint("p", rapid.IntRange(0, 9).Draw(rt, "player")) }
			mode := func() string { return rapid.SampledFrom([]string{"best", "fast"}).Draw(rt, "mode") }
			rt.Repeat(map[string]func(*rapid.T){
				"play": func(rt *rapid.T) {
					k.play(rt, some(), mode(), player(), game.Score(rapid.IntRange(1, 6).Draw(rt, "score")))
				},
				"play2": func(rt *rapid.T) {
					k.play(rt, some(), mode(), player(), game.Score(rapid.IntRange(1, 6).Draw(rt, "score")))
				},
				"remove": func(rt *rapid.T) {
					_, err := some().Repair.RemoveScore(k.t.Context(), testkit.Mode(k.t, k.game, mode()), k.game.Today(k.clock.Now()), player(), nil)
					require.NoError(rt, err)
				},
				"pass": func(rt *rapid.T) {
					k.clock.Pass(time.Duration(rapid.IntRange(1, 300).Draw(rt, "minutes")) * time.Minute)
				},
				"merge": func(rt *rapid.T) { m.merges(rt, some()) },
				"faulty": func(rt *rapid.T) {
					m.faulty(rt, some(), some())
				},
			})
		})
	})
}

// boards returns all boards that the sites merge at present.
func (m *model) boards() (all []game.Board) {
	seen := map[string]bool{}
	for d := game.DateOf(noon); !d.After(m.game.Today(m.clock.Now())); d = d.AddDays(1) {
		for _, mode := range m.game.Modes {
			for _, p := range append([]game.Period{game.Day.Of(d)}, m.game.PeriodsOf(d)...) {
				if b := game.BoardOf(mode, p, game.Scope{}); !seen[b.Key] {
					seen[b.Key] = true
					all = append(all, b)
				}
			}
		}
	}
	return all
}

// merges makes a site merge with all others, without faults, and compares every board of the
// world.
func (m *model) merges(rt *rapid.T, s *site) {
	report := m.run(rt, s)
	for name, site := range report.Sites {
		if len(m.states[name]) == 0 {
			require.Equal(rt, world.ErrSilent.Error(), site.Problem)
			continue
		}
		require.Empty(rt, site.Problem)
		m.copies[s.name][name] = m.published[name]
	}
	m.note(rt, s)
	for _, b := range m.boards() {
		all := maps.Clone(m.published[s.name][b.Key])
		for _, copies := range m.copies[s.name] {
			join(all, copies[b.Key], b.Mode.Order)
		}
		require.Equal(rt, best(b.Mode.Order, 4, all), m.entries(rt, s, world.BoardOf(b.Mode, b.Period).Key), b.Key)
	}
}

// note records what a site has published.
func (m *model) note(rt *rapid.T, s *site) {
	tops := map[string]map[string]float64{}
	for _, b := range m.boards() {
		tops[b.Key] = best(b.Mode.Order, 4, m.whole(rt, s, b.Mode, b.Period))
	}
	m.published[s.name] = tops
	m.states[s.name] = append(m.states[s.name], s.hash(world.StateKey))
}

// faulty makes a site merge with a fault, and then all sites without.
func (m *model) faulty(rt *rapid.T, s, other *site) {
	m.clock.Pass(3 * time.Second)
	n, after := rapid.IntRange(1, 9).Draw(rt, "n"), rapid.Bool().Draw(rt, "after")
	before := s.hash(world.CopiesKey(other.name))
	_, looked, _ := strings.Cut(s.hash(world.SitesKey)[other.name], `"looked":`) // 13 digits, as all of these times
	looked, _, _ = strings.Cut(strings.TrimSuffix(looked, "}"), ",")
	switch how := rapid.SampledFrom([]string{"down", "cut", "old"}).Draw(rt, "how"); {
	case how == "cut":
		other.redis.Server.Inject(cutAt(n, after)) // which may be the own one
		_, _ = m.Merge(s).Run(m.t.Context())
		other.redis.Server.Inject(nil)
	case s == other:
		return
	case how == "down":
		other.redis.Server.Inject(down)
		report, err := m.Merge(s).Run(m.t.Context())
		other.redis.Server.Inject(nil)
		require.NoError(rt, err)
		require.NotEmpty(rt, report.Sites[other.name].Problem)
		require.Equal(rt, before, s.hash(world.CopiesKey(other.name)))
	case len(m.states[other.name]) > 1 && len(before) > 0:
		newest := other.hash(world.StateKey)
		other.putHash(world.StateKey, m.states[other.name][0])
		report, err := m.Merge(s).Run(m.t.Context())
		other.putHash(world.StateKey, newest)
		require.NoError(rt, err)
		now := s.hash(world.CopiesKey(other.name))
		if was := m.states[other.name][0][world.LookedField]; strings.Compare(looked, was) > 0 {
			require.Contains(rt, report.Sites[other.name].Problem, world.ErrOlder.Error())
			require.Equal(rt, before, now)
		}
	}
	m.start(s)
	for _, s := range m.sites { // whatever was published and copied meanwhile
		m.run(rt, s)
		m.note(rt, s)
	}
	for _, s := range m.sites {
		m.merges(rt, s)
	}
}

func (m *model) Merge(s *site) *world.Merge { return m.kit.merge(s) }
