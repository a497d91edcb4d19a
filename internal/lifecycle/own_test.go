package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// ownModes have aggregates that do not follow from the better entry of a day.
const ownModes = `
  wild: {policy: latest, min: -50, max: 50, aggregate: max, scopes: [country]}
  slow: {policy: best, order: asc, max: 500, aggregate: sum, scopes: [group]}
  newest: {max: 90, aggregate: last, scopes: [country, group]}
  top: {policy: best, max: 300, aggregate: max, scopes: [country, group], xp: 1}
`

const ownSeason = `
seasons:
  - {name: autumn, first: 2026-11-01, last: 2026-12-31}
`

// ownLife plays a game in which players look at their own entries, through processes whose
// clocks differ.
type ownLife struct {
	k         *kit
	rt        *rapid.T
	processes []*process
	history   history
	plays     int
	passed    time.Duration
	removed   bool      // a country's boards keep what was removed until their next refresh
	stores    bool      // no process reads a week as its days are united
	long      bool      // days are rolled up and nothing is removed; otherwise a few days are enough
	lateAt    time.Time // of the last late score
}

// Where each player lives, and the group that every play of theirs names.
var (
	ownCountries = map[string]string{"p1": "BR", "p2": "BR", "p3": "DE"}
	ownGroups    = map[string]string{"p1": "red", "p3": "red"}
	ownPlayers   = []string{"p1", "p2", "p3"}
)

// A player's own entry contains every score of the player that was answered before, and
// nothing else: on every kind of board, whichever process has made it at whatever time,
// whichever connection breaks, and over the ends of days, weeks, months and years.
func TestOwnStandingsHaveEveryScoreThatWasAnswered(t *testing.T) {
	for name, rules := range map[string]string{"utc": "", "local days": "day: local\n"} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.ownStandings(t, rules+testGame+ownModes+ownSeason) })
		})
	}
}

func (k *kit) ownStandings(t *testing.T, rules string) {
	k.game = loadGame(t, rules)
	k.impatient()
	k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon.AddDate(0, -1, 0)) }
	rapid.Check(t, func(rt *rapid.T) {
		k.server.Inject(nil)
		k.empty()
		(&ownLife{k: k, rt: rt, history: history{days: map[string]map[game.Date]*model{}, today: k.today}}).run()
	})
}

// If drawn, store makes no process read a week as a union of its days.
func (l *ownLife) store() {
	for _, p := range l.processes {
		if l.stores {
			p.Rollup.UniteUpTo = 0
		}
	}
}

func (l *ownLife) run() {
	l.k.clock.Set(rapid.SampledFrom([]time.Time{
		time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC),
		time.Date(2026, 11, 22, 23, 50, 0, 0, time.UTC),  // the end of a week
		time.Date(2026, 11, 30, 23, 55, 0, 0, time.UTC),  // of a month
		time.Date(2026, 12, 31, 23, 58, 30, 0, time.UTC), // of a year and a season
	}).Draw(l.rt, "begin"))
	for _, ahead := range []time.Duration{0, 1500 * time.Millisecond, -1500 * time.Millisecond} {
		l.processes = append(l.processes, l.k.processAhead(ahead))
	}
	l.stores = rapid.Bool().Draw(l.rt, "weeks are read as they are stored")
	l.store()
	l.long = rapid.Bool().Draw(l.rt, "long")
	l.rt.Repeat(map[string]func(*rapid.T){
		"play":            func(rt *rapid.T) { l.rt = rt; l.play() },
		"play and look":   func(rt *rapid.T) { l.rt = rt; sub := l.play(); l.own(l.boardOf(sub.Mode, sub.Date), sub.Player) },
		"play late":       func(rt *rapid.T) { l.rt = rt; l.playLate() },
		"look":            func(rt *rapid.T) { l.rt = rt; l.own(l.board(), l.player()) },
		"others look":     func(rt *rapid.T) { l.rt = rt; l.others() },
		"a score goes":    func(rt *rapid.T) { l.rt = rt; l.remove() },
		"the day's work":  func(rt *rapid.T) { l.rt = rt; l.work() },
		"a new process":   func(rt *rapid.T) { l.rt = rt; l.processes[0] = l.k.process(); l.store() },
		"time goes on":    func(rt *rapid.T) { l.rt = rt; l.pass() },
		"answers are cut": func(rt *rapid.T) { l.rt = rt; l.cut() },
	})
}

func (l *ownLife) cut() {
	if faults := rapid.Bool().Draw(l.rt, "faults"); faults {
		l.k.server.Inject(unreliable())
	} else {
		l.k.server.Inject(nil)
	}
}

// processAhead makes a process whose clock is ahead of the others'.
func (k *kit) processAhead(ahead time.Duration) *process {
	now := func() time.Time { return k.clock.Now().Add(ahead) }
	return &process{lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.game, Now: now, Elapsed: k.elapsed, CursorKeys: [][]byte{cursorKey}}), k.client.Meter()}
}

func (l *ownLife) process() *process {
	return rapid.SampledFrom(l.processes).Draw(l.rt, "process")
}

func (l *ownLife) player() string { return rapid.SampledFrom(ownPlayers).Draw(l.rt, "player") }

// pass lets time pass. It does a day's scheduled work before the day's boards expire.
func (l *ownLife) pass() {
	took := rapid.SampledFrom([]time.Duration{
		time.Second, 3 * time.Second, 6 * time.Second, 40 * time.Second, 2 * time.Minute, 11 * time.Minute,
		time.Hour, 13 * time.Hour, 24 * time.Hour, 49 * time.Hour,
	}).Draw(l.rt, "time")
	if l.passed += took; l.passed > 4*24*time.Hour && !l.long {
		return
	}
	l.k.clock.Pass(took)
	if took > 12*time.Hour {
		l.work()
	}
}

// work runs the schedule without faults: other tests cover runs that are cut off.
func (l *ownLife) work() {
	l.k.server.Inject(nil)
	l.retried(func(p *process) error { _, err := runDaily(context.Background(), p, nil); return err })
}

// retried does something through some process until it gets an answer.
func (l *ownLife) retried(do func(p *process) error) {
	p := l.process()
	for tries := 0; ; tries++ {
		err := do(p)
		if err == nil {
			return
		}
		require.True(l.rt, leaderboard.IsRefusal(err), err)
		require.Less(l.rt, tries, 200)
	}
}

func (l *ownLife) play() game.Submission {
	return l.playOn(rapid.SampledFrom(l.k.game.OpenDates(l.k.clock.Now())).Draw(l.rt, "date"))
}

// playLate writes a score to a day that may have closed, as an operator or a queue does, and
// looks at the player on two boards, of which some process may just have looked at one.
func (l *ownLife) playLate() {
	now := l.k.clock.Now()
	d := l.k.game.Today(now).AddDays(-rapid.IntRange(1, 9).Draw(l.rt, "late by"))
	if !now.Add(time.Minute).Before(l.k.game.Seals(d)) || !l.processes[0].DB.Alive(game.Week.Of(d).First()) {
		return // a week stays as it is when its first day has expired
	}
	mode, player := rapid.SampledFrom(l.k.game.Modes).Draw(l.rt, "mode looked at"), l.player()
	b := l.boardOf(mode, d)
	l.own(b, player)
	sub := l.playOn(d)
	l.lateAt = l.k.clock.Now()
	for _, look := range []struct {
		board  game.Board
		player string
	}{{b, player}, {l.boardOf(sub.Mode, sub.Date), sub.Player}} {
		l.own(look.board, look.player)
	}
}

func (l *ownLife) playOn(d game.Date) game.Submission {
	p := l.process()
	m := rapid.SampledFrom(l.k.game.Modes).Draw(l.rt, "mode")
	now := p.DB.Now()
	l.plays++
	high := m.Max
	if m.Policy == game.Sum {
		high = 50
	}
	sub := game.Submission{
		Mode: m, Player: l.player(), At: now, Date: d,
		Score:       game.Score(rapid.Int64Range(int64(m.Min), int64(high)).Draw(l.rt, "score")),
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprintf("k%d", l.plays), Fingerprint: "f"},
	}
	sub.Profile = game.Profile{Name: sub.Player, Country: ownCountries[sub.Player]}
	if name, ok := ownGroups[sub.Player]; ok && m.HasScope(game.Group) {
		sub.Scopes = []game.Scope{group(l.k.tb, name)}
	}
	l.retried(func(*process) error { _, err := p.Boards.Submit(context.Background(), sub); return err })
	played := now
	if end := l.k.game.Ends(game.Day.Of(d)).Add(l.k.game.Grace); played.After(end) {
		played = end // of plays after the window, none is the later one
	}
	l.history.day(m, sub.Date).submit(sub.Player, sub.Score, played)
	return sub
}

func (l *ownLife) remove() {
	if l.long {
		return
	}
	p := l.process()
	m, player := rapid.SampledFrom(l.k.game.Modes).Draw(l.rt, "mode"), l.player()
	d := rapid.SampledFrom(l.k.game.OpenDates(p.DB.Now())).Draw(l.rt, "date")
	gone := true
	l.retried(func(*process) error {
		_, err := p.Repair.RemoveScore(context.Background(), m, d, player, nil)
		if gone = !errors.Is(err, lifecycle.ErrRolledUp) && !errors.Is(err, lifecycle.ErrRollingUp); !gone {
			return nil // some days of the week have expired
		}
		return err
	})
	if !gone {
		return
	}
	delete(l.history.day(m, d).entries, player)
	l.removed = true
}

func (l *ownLife) board() game.Board {
	if rapid.IntRange(0, 5).Draw(l.rt, "XP") == 0 {
		return game.BoardOf(&game.ModeOfXP, game.AllTime.Of(game.Date{}), game.Scope{})
	}
	d := l.k.game.Today(l.k.clock.Now()).AddDays(-rapid.SampledFrom([]int{0, 0, 0, 1, 7}).Draw(l.rt, "back"))
	return l.boardOf(rapid.SampledFrom(l.k.game.Modes).Draw(l.rt, "mode"), d)
}

func (l *ownLife) boardOf(m *game.Mode, d game.Date) game.Board {
	kind := rapid.SampledFrom([]game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime, game.Season}).Draw(l.rt, "period")
	period, ok := l.k.game.PeriodOf(kind, d)
	if !ok {
		period = game.Week.Of(d)
	}
	scopes := []game.Scope{{}}
	if m.HasScope(game.Country) {
		scopes = append(scopes, country(l.k.tb, "BR"), country(l.k.tb, "DE"))
	}
	if m.HasScope(game.Region) {
		scopes = append(scopes, region(l.k.tb, "SA"))
	}
	if m.HasScope(game.Group) {
		scopes = append(scopes, group(l.k.tb, "red"))
	}
	return game.BoardOf(m, period, rapid.SampledFrom(scopes).Draw(l.rt, "scope"))
}

func (l *ownLife) others() {
	b := l.board()
	l.retried(func(p *process) error {
		_, err := p.Boards.Page(context.Background(), b, game.PageRequest{Limit: 10})
		return err
	})
}

// want returns what a player has on a board by the model.
func (l *ownLife) want(b game.Board, player string) (game.Score, bool) {
	scores := l.history.period(b.Mode, b.Period)
	if b.Mode.Name == game.XPMode {
		scores = l.history.xp(l.k.game)
	}
	score, ok := scores[player]
	switch b.Scope.Kind() {
	case game.Country, game.Region:
		ok = ok && b.Scope.HasCountry(ownCountries[player])
	case game.Group:
		ok = ok && ownGroups[player] == b.Scope.ID()
	}
	return score, ok
}

// own looks at a player through some process, in one of the possible ways.
func (l *ownLife) own(b game.Board, player string) {
	ctx := context.Background()
	if age := l.processes[0].DB.Age(b.Period); age == game.Upcoming || age == game.Expired {
		return
	}
	open := l.processes[0].DB.Age(b.Period) < game.Closed
	if week := b.Period.Kind() == game.Week && b.Scope == (game.Scope{}); week && open && l.k.clock.Now().Before(l.lateAt.Add(2*l.k.game.Refresh)) {
		l.k.clock.Pass(2 * l.k.game.Refresh) // this board alone has a late score with its next refresh, by each clock
	}
	score, on := l.want(b, player)
	way := rapid.SampledFrom([]string{"card", "friends"}).Draw(l.rt, "way")
	l.retried(func(p *process) error {
		got, found, err := ownScore(ctx, p, b, player, way)
		switch what := fmt.Sprintf("%s of %s on %s at %s", way, player, b.Key, l.k.clock.Now()); {
		case err != nil:
		case b.Scope.ByCountry() && l.removed:
			require.True(l.rt, found || !on, what)
		default:
			require.Equal(l.rt, on, found, what)
			if on {
				require.Equal(l.rt, score, got, what)
			}
		}
		return err
	})
}

// ownScore returns the score that a player is shown.
func ownScore(ctx context.Context, p *process, b game.Board, player, way string) (game.Score, bool, error) {
	var entries []game.Entry
	var err error
	switch way {
	case "card":
		var card game.Standing
		card, err = p.Boards.Card(ctx, b, player)
		entries = []game.Entry{card.Entry}
	case "around":
		var page game.Page
		page, err = p.Boards.Around(ctx, b, player, 2)
		entries = page.Entries
	default:
		entries, err = p.Boards.LookupFriends(ctx, b, player)
	}
	if errors.Is(err, leaderboard.ErrNotOnBoard) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	at := slices.IndexFunc(entries, func(e game.Entry) bool { return e.Player == player })
	if at < 0 {
		return 0, false, nil
	}
	return entries[at].Score, true, nil
}
