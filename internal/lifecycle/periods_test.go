package lifecycle_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// history has every day's scores, from which any period can be added up by hand.
type history struct {
	days  map[string]map[game.Date]*model // by mode
	today func() game.Date                // the date by which all time decays
}

func (h *history) day(m *game.Mode, d game.Date) *model {
	if h.days[m.Name] == nil {
		h.days[m.Name] = map[game.Date]*model{}
	}
	if h.days[m.Name][d] == nil {
		h.days[m.Name][d] = newModel(m)
	}
	return h.days[m.Name][d]
}

// period combines a mode's days as the mode says.
func (h *history) period(m *game.Mode, p game.Period) map[string]game.Score {
	if m.Decay != nil && p.Kind() == game.AllTime {
		return h.decayed(m)
	}
	all := map[string]game.Score{}
	newest := map[string]game.Date{}
	for d, day := range h.days[m.Name] {
		if !p.Contains(d) {
			continue
		}
		for player, e := range day.entries {
			old, had := all[player]
			switch {
			case !had:
				all[player] = e.score
			case m.Aggregate == game.Max:
				all[player] = max(old, e.score)
			case m.Aggregate == game.Min:
				all[player] = min(old, e.score)
			case m.Aggregate == game.Last:
				if d.After(newest[player]) {
					all[player] = e.score
				}
			default:
				all[player] = old + e.score
			}
			if d.After(newest[player]) {
				newest[player] = d
			}
		}
	}
	return all
}

// xpByHand returns what a score gives, by looking at every score of the table.
func xpByHand(m *game.Mode, score game.Score) game.Score {
	unit := 1000 * math.Pow10(m.Decimals)
	most := int64(0)
	for _, step := range m.XP.Scores {
		if m.Order == game.Desc && score >= step.Score || m.Order == game.Asc && score <= step.Score {
			most = max(most, step.XP)
		}
	}
	return game.Score(math.Floor(float64(int64(score)*m.XP.Weight)/unit)) + game.Score(m.XP.Play+most)
}

// xp adds up what every day and mode gives.
func (h *history) xp(g *game.Game) map[string]game.Score {
	all := map[string]game.Score{}
	for _, m := range g.Modes {
		if m.XP.None() {
			continue
		}
		for _, day := range h.days[m.Name] {
			for player, e := range day.entries {
				all[player] += xpByHand(m, e.score)
			}
		}
	}
	return all
}

// life plays some weeks, and looks at derived boards on the way.
type life struct {
	k         *kit
	g         *game.Game
	history   history
	processes []*process
	keys      int
	scheduled bool // the daily schedule runs, and keys expire when they are due
	misses    bool // except on a day now and then
	missed    bool // today is such a day
}

// leastRuns returns how often the schedule must run today: days are sealed long enough for two
// runs.
func (l *life) leastRuns(now time.Time) int {
	if l.misses && !l.missed && now.Hour() > 0 && now.Hour() < 23 {
		return 0
	}
	return 1
}

// twoSeasons has seasons over days that the test of derived boards plays, with two days
// between.
const twoSeasons = `
seasons:
  - {name: autumn, first: 2026-11-20, last: 2027-01-01}
  - {name: winter, first: 2027-01-04, last: 2027-03-31}
`

// Weeks, months, seasons, all time and XP equal what the days add up to, over New Year of a
// 53-week year, whoever looks at whatever time, with late scores inside the days' lives. The
// daily schedule never runs, or runs daily while day boards expire behind it.
func TestDerivedBoardsEqualTheSumOfTheirDays(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, testGame+twoSeasons)
		for name, scheduled := range map[string]bool{"schedule never runs": false, "schedule runs, days expire": true} {
			t.Run(name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) { k.derivedEqualTheirDays(rt, scheduled) })
			})
		}
	})
}

func (k *kit) derivedEqualTheirDays(t *rapid.T, scheduled bool) {
	k.follows(t, &life{scheduled: scheduled})
}

// follows plays a life from the beginning.
func (k *kit) follows(t *rapid.T, l *life) {
	k.empty()
	l.k, l.g = k, k.game
	l.history = history{days: map[string]map[game.Date]*model{}, today: k.today}
	l.processes = []*process{k.process(), k.process()}
	l.run(t)
}

func (l *life) run(t *rapid.T) {
	now := time.Date(2026, 12, 14, 9, 0, 0, 0, time.UTC)
	for range rapid.IntRange(3, 45).Draw(t, "days") {
		l.k.clock.Set(now)
		for range rapid.IntRange(0, 3).Draw(t, "plays") {
			l.play(t, now)
		}
		if l.scheduled {
			runs := rapid.IntRange(l.leastRuns(now), 2).Draw(t, "runs of the schedule")
			l.missed = runs == 0
			for range runs {
				_, err := runDaily(context.Background(), l.process(t), nil)
				require.NoError(t, err)
			}
			l.expire(now)
		}
		if rapid.IntRange(0, 4).Draw(t, "look") == 0 {
			l.look(t, now)
		}
		now = now.AddDate(0, 0, 1).Add(time.Duration(rapid.IntRange(-60, 60).Draw(t, "minutes")) * time.Minute)
	}
	l.look(t, now)
}

func (l *life) process(t *rapid.T) *process {
	return l.processes[rapid.IntRange(0, len(l.processes)-1).Draw(t, "process")]
}

// play submits for today, or fills one of the days before as an import does.
func (l *life) play(t *rapid.T, now time.Time) {
	m := l.g.Modes[rapid.IntRange(0, len(l.g.Modes)-1).Draw(t, "mode")]
	d := game.DateOf(now).AddDays(-rapid.SampledFrom([]int{0, 0, 0, 1, 4}).Draw(t, "late"))
	at := d.Midnight().Add(time.Duration(rapid.IntRange(0, 86399).Draw(t, "second")) * time.Second)
	low, high := m.Min, m.Max
	if m.Policy == game.Sum {
		high = 50 // stays inside the day's total
	}
	l.keys++
	sub := game.Submission{
		Mode: m, Player: fmt.Sprintf("p%d", rapid.IntRange(1, 4).Draw(t, "player")), Date: d, At: at,
		Score:       game.Score(rapid.Int64Range(int64(low), int64(high)).Draw(t, "score")),
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprintf("k%d", l.keys), Fingerprint: "f"},
	}
	_, err := l.process(t).Boards.Submit(context.Background(), sub)
	require.NoError(t, err)
	l.history.day(m, d).submit(sub.Player, sub.Score, at)
}

// expire deletes the day boards whose life is over, as Redis would.
func (l *life) expire(now time.Time) {
	for _, m := range l.g.Modes {
		for d := range l.history.days[m.Name] {
			if end, _ := l.g.Expires(game.Day.Of(d)); !now.Before(end) {
				_, err := l.k.server.Redis().Do(context.Background(), "DEL", game.DayBoardKey(m.Name, d))
				require.NoError(l.k.tb, err)
			}
		}
	}
}

// look reads every derived board that may still be made, through a process that remembers
// nothing, at a time when no lock of a refresh exists.
func (l *life) look(t *rapid.T, now time.Time) {
	l.k.clock.Set(now.Add(time.Duration(rapid.IntRange(10, 3000).Draw(t, "seconds later")) * time.Second))
	p := l.k.process()
	today := game.DateOf(now)
	for _, m := range l.g.Modes {
		for _, period := range []game.Period{game.Week.Of(today), game.Month.Of(today), game.AllTime.Of(today)} {
			l.same(t, p, game.BoardOf(m, period, game.Scope{}), l.history.period(m, period))
		}
		for _, season := range l.g.AllSeasons() {
			if !season.First().After(today) {
				l.same(t, p, game.BoardOf(m, season, game.Scope{}), l.history.period(m, season))
			}
		}
		if earlier, _ := game.Month.Of(today).Previous(); !l.scheduled || today.AddDays(-7).Before(game.Month.Of(today).First()) {
			l.same(t, p, game.BoardOf(m, earlier, game.Scope{}), l.history.period(m, earlier))
		}
	}
	if l.missed {
		return // XP counts a late score when its day has closed again
	}
	xp, _ := p.DB.Game.ModeNamed(game.XPMode)
	l.same(t, p, game.BoardOf(xp, game.AllTime.Of(today), game.Scope{}), l.history.xp(l.g))
}

func (l *life) same(t *rapid.T, p *process, b game.Board, want map[string]game.Score) {
	got := map[string]game.Score{}
	entries := wholeBoard(t, p, b, 3)
	for i, e := range entries {
		got[e.Player] = e.Score
		if i > 0 {
			worse := entries[i-1].Score > e.Score
			if b.Mode.Order == game.Asc {
				worse = entries[i-1].Score < e.Score
			}
			require.True(t, worse || entries[i-1].Score == e.Score, "%s is in order", b.Key)
		}
	}
	require.Equal(t, want, got, b.Key)
}
