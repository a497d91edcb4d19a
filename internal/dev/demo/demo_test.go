package demo_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
)

// shown is a product that a demo plays.
type shown struct {
	*local.Product
	demo    *demo.Demo
	plays   []demo.Play
	steps   int           // that it lives before it is stopped
	waited  time.Duration // what it would have waited so far
	faults  []error
	stopped context.CancelFunc
}

func (s *shown) wait(ctx context.Context, d time.Duration) error {
	s.waited += d
	if s.steps--; s.steps < 0 {
		s.stopped()
	}
	return ctx.Err()
}

func show(t *testing.T, o local.Options, options demo.Options) *shown {
	o.Addr, o.Log = "127.0.0.1:0", io.Discard
	if o.Game == nil {
		g, err := app.LoadGame("")
		require.NoError(t, err)
		o.Game = g
	}
	product, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	s := &shown{Product: product}
	options.URL, options.Now, options.Wait = product.URL, time.Now, s.wait
	options.Failed = func(err error) { s.faults = append(s.faults, err) }
	options.Played = func(p demo.Play) { s.plays = append(s.plays, p) }
	s.demo, err = demo.New(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(s.demo.Close)
	return s
}

// live lets so many steps happen.
func (s *shown) live(ctx context.Context, steps int) {
	ctx, s.stopped = context.WithCancel(ctx)
	defer s.stopped()
	s.steps = steps
	s.demo.Live(ctx)
}

// row is a player's place in the plain model.
type row struct {
	player string
	score  float64
	order  int // of the play that set it
}

// ranked is what a board of the mode must be: of one date, in order; of several, the
// sum or the best of the days, where equal scores may be in any order.
func ranked(plays []demo.Play, mode client.Mode, within func(date string) bool) []row {
	days := map[string]map[string]row{} // by player, then by date
	for n, p := range plays {
		if p.Mode != mode.Name || !within(p.Date) {
			continue
		}
		if days[p.Player] == nil {
			days[p.Player] = map[string]row{}
		}
		before, played := days[p.Player][p.Date]
		if !played || mode.Policy == "best" && p.Score > before.score {
			days[p.Player][p.Date] = row{p.Player, p.Score, n}
		}
	}
	var all []row
	for player, own := range days {
		whole := row{player: player}
		for _, day := range own {
			whole.order = day.order
			if mode.Aggregate == "max" {
				whole.score = max(whole.score, day.score)
			} else {
				whole.score += day.score
			}
		}
		all = append(all, whole)
	}
	slices.SortFunc(all, func(a, b row) int {
		if a.score != b.score {
			return int(b.score - a.score)
		}
		return a.order - b.order
	})
	return all
}

// requireExact holds every rank of every board against the model.
func (s *shown) requireExact(t *testing.T) {
	t.Helper()
	lb, err := client.New(client.Config{URL: s.URL})
	require.NoError(t, err)
	defer lb.Close()
	g, err := lb.Game(t.Context())
	require.NoError(t, err)
	dates := map[string]bool{}
	for _, p := range s.plays {
		dates[p.Date] = true
	}
	checked := 0
	for _, mode := range g.Modes {
		for date := range dates {
			for period, within := range map[string]func(string) bool{
				"day":     func(d string) bool { return d == date },
				"week":    func(d string) bool { return weekOf(d) == weekOf(date) },
				"month":   func(d string) bool { return d[:7] == date[:7] },
				"alltime": func(string) bool { return true },
			} {
				want := ranked(s.plays, mode, within)
				n := 0
				for e, err := range lb.Entries(t.Context(), client.Board{Mode: mode.Name, Period: period, Date: date}) {
					require.NoError(t, err)
					require.Less(t, n, len(want))
					what := fmt.Sprintf("%s %s %s, rank %d", mode.Name, period, date, e.Rank)
					require.EqualValues(t, n+1, e.Rank, what)
					require.InDelta(t, want[n].score, e.Score, 0, what)
					same := func(r row) bool { return r.player == e.Player && r.score == e.Score }
					if period == "day" {
						require.Equal(t, want[n].player, e.Player, what)
					}
					require.True(t, slices.ContainsFunc(want, same), what)
					require.NotEmpty(t, e.Name, what)
					n++
					checked++
				}
				require.Len(t, want, n, "%s %s %s", mode.Name, period, date)
			}
		}
	}
	require.Greater(t, checked, 1000)
}

func weekOf(date string) string {
	d, err := game.ParseDate(date)
	if err != nil {
		return err.Error()
	}
	year, week := d.Midnight().ISOWeek()
	return fmt.Sprint(year, week)
}

func TestBoardsMoveAndEveryRankIsRight(t *testing.T) {
	for name, o := range map[string]local.Options{
		"embedded Redis":      {Redis: local.RedisEmbedded},
		"Valkey and Postgres": {Redis: local.RedisAuto, DatabaseURL: local.DatabaseAuto},
	} {
		t.Run(name, func(t *testing.T) {
			s := show(t, o, demo.Options{Seed: 7, Players: 30, Days: 3})
			require.NoError(t, s.demo.Past(t.Context()))
			before := len(s.plays)
			dates := map[string]int{}
			for _, p := range s.plays {
				dates[p.Date]++
			}
			require.GreaterOrEqual(t, len(dates), 4, "three days and a part of today")

			s.live(t.Context(), 60)
			require.Greater(t, len(s.plays), before+50, "boards move")
			require.Empty(t, s.faults)
			s.requireExact(t)
			for _, p := range s.plays[before:] {
				require.NotEqual(t, demo.Guest.ID, p.Player, "today is the guest's own")
			}
		})
	}
}

// A minute of the demo costs what CONTRIBUTING.md says: the pace and the price of a
// step are both bounded.
func TestAMinuteIsBounded(t *testing.T) {
	s := show(t, local.Options{Redis: local.RedisEmbedded}, demo.Options{Seed: 7, Players: 60, Days: 1})
	require.NoError(t, s.demo.Past(t.Context()))
	before := s.Usage().Commands
	s.live(t.Context(), 60)
	require.GreaterOrEqual(t, s.waited, time.Minute)
	spent := s.Usage().Commands - before
	t.Log("commands of the first minute:", spent)
	require.LessOrEqual(t, spent, int64(300))

	s.waited = 0
	s.live(t.Context(), 180)
	require.GreaterOrEqual(t, s.waited, 5*time.Minute, "slower after two minutes")
}

// guest is what the product has of the guest after the days before the demo.
func guest(t *testing.T) (*client.Client, client.PlayerDocument) {
	t.Helper()
	s := show(t, local.Options{Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto}, demo.Options{Seed: 7, Players: 30, Days: 2})
	require.NoError(t, s.demo.Past(t.Context()))
	lb, err := client.New(client.Config{URL: s.URL, SigningKey: s.Secrets.SigningKey, OpsToken: s.Secrets.OpsToken})
	require.NoError(t, err)
	t.Cleanup(lb.Close)
	kept, err := lb.Ops().Player(t.Context(), demo.Guest.ID, "")
	require.NoError(t, err)
	return lb, kept
}

// The guest finds days played.
func TestTheGuestHasMuchToSee(t *testing.T) {
	lb, kept := guest(t)
	require.NotEmpty(t, kept.Results)
	require.Equal(t, "Ana", kept.Profile.Name)
	current, err := lb.Ops().Status(t.Context())
	require.NoError(t, err)
	require.Empty(t, current.Problems)
}

const everyKind = `name: kinds
modes:
  adds: {policy: sum, max: 500, day_max: 100000, details: true}
  last: {policy: latest, max: 100}
  times: {policy: best, order: asc, min: 10, max: 600, decimals: 2}
  typed: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: errors, max: 99, order: asc}]}
  ours: {max: 9, authoritative: true}
`

func TestAnyGameIsPlayed(t *testing.T) {
	for _, day := range []string{"utc", "local"} {
		g, err := gamefile.Parse("kinds.yaml", []byte("day: "+day+"\n"+everyKind))
		require.NoError(t, err)
		s := show(t, local.Options{Redis: local.RedisEmbedded, Game: g}, demo.Options{Seed: 1, Players: 12, Days: 2})
		require.NoError(t, s.demo.Past(t.Context()))
		s.live(t.Context(), 60)
		require.Empty(t, s.faults)
		modes := map[string]int{}
		for _, p := range s.plays {
			modes[p.Mode]++
		}
		require.ElementsMatch(t, []string{"adds", "last", "times", "typed", "ours"}, slices.Collect(maps.Keys(modes)), day)
	}
}

func TestWhatGoesWrongIsToldAndGoesOn(t *testing.T) {
	s := show(t, local.Options{Redis: local.RedisEmbedded}, demo.Options{Seed: 1, Players: 12})
	require.NoError(t, s.demo.Past(t.Context()))
	lb, err := client.New(client.Config{URL: s.URL, OpsToken: s.Secrets.OpsToken})
	require.NoError(t, err)
	defer lb.Close()
	_, err = lb.Ops().SetMaintenance(t.Context(), time.Now().Add(time.Hour), "testing")
	require.NoError(t, err)
	s.live(t.Context(), 6)
	require.NotEmpty(t, s.faults)
	var p *client.Problem
	require.ErrorAs(t, s.faults[0], &p)
	require.Equal(t, client.CodeMaintenance, p.Code)
	_, err = lb.Ops().EndMaintenance(t.Context())
	require.NoError(t, err)
	before := len(s.plays)
	s.live(t.Context(), 5)
	require.Greater(t, len(s.plays), before)
}

func TestOnlyALocalProductIsPlayed(t *testing.T) {
	_, err := demo.New(t.Context(), demo.Options{URL: "http://127.0.0.1:1", Players: 2, Now: time.Now})
	require.Error(t, err)
	_, err = demo.New(t.Context(), demo.Options{URL: "https://api.example.com", Players: 1})
	require.ErrorContains(t, err, "use 2")
}
