package activityreplay_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/lab/model"
)

// losing is a campus whose Redis is emptied now and then. After a loss its senders repeat
// the events since the last compute, and no others.
type losing struct {
	*testing.T
	game   *game.Game
	redis  *testkit.Redis
	kept   *archive.Archive
	app    *app.App
	now    time.Time
	random *rand.Rand
	told   []model.Event    // all events so far
	since  []activity.Event // sent since the last compute
}

// restart starts a process with an empty memory.
func (l *losing) restart() {
	l.app = app.New(app.Parts{
		Game: l.game, Redis: l.redis.Client, Now: func() time.Time { return l.now }, Log: slog.New(slog.DiscardHandler), Secrets: []string{"one secret for all processes"},
	})
}

func (l *losing) tell(events ...activity.Event) {
	for some := range slices.Chunk(events, activity.MostEvents) {
		taken, err := l.app.Activity().Take(l.Context(), some)
		require.NoError(l, err)
		require.Empty(l, taken.Refused)
	}
}

// live makes n things happen, in three groups.
func (l *losing) live(n int) {
	groups := []string{"irvine", "lisbon", "nairobi"}
	for range n {
		group := l.random.IntN(len(groups))
		player := func() string { return fmt.Sprintf("%s-%d", groups[group], l.random.IntN(6)) }
		m := model.Event{ID: fmt.Sprint("e", len(l.told)), Type: "chat.message", Group: groups[group], At: l.now.Add(-time.Duration(l.random.IntN(7200)) * time.Second)}
		e := activity.Event{ID: m.ID, At: m.At, Group: m.Group}
		switch l.random.IntN(4) {
		case 0:
			m.Type, m.Who = "presence.heartbeat", []string{player()}
			e.User = m.Who[0]
		case 1:
			m.Type, m.Who = "activities.ended", []string{groups[group] + "-0", groups[group] + "-9"}
			m.Winner = m.Who[l.random.IntN(2)]
			e.Users, e.Winner = m.Who, m.Winner
		default:
			m.Who = []string{player(), groups[group] + "-7"}
			e.From, e.To = m.Who[0], m.Who[1]
		}
		e.Type = m.Type
		l.told, l.since = append(l.told, m), append(l.since, e)
		l.tell(e)
	}
}

func (l *losing) job() *jobs.Jobs { return jobs.New(l.app, l.kept) }

func (l *losing) compute() {
	_, err := l.job().Compute(l.Context(), l.now)
	require.NoError(l, err)
	l.since = nil
}

// lose empties Redis. A restore, the next cron-save or only the compute brings back the
// contents, before or after the senders repeat their events.
func (l *losing) lose() {
	l.redis.Do("FLUSHALL")
	if l.random.IntN(2) == 0 {
		l.restart()
	}
	again := l.since
	if l.random.IntN(2) == 0 {
		l.tell(again...)
		again = nil
	}
	var err error
	switch l.random.IntN(3) {
	case 0:
		_, err = l.job().Restore(l.Context(), closing.RestoreOptions{Force: true})
	case 1:
		_, err = l.job().Save(l.Context(), l.now)
	}
	require.NoError(l, err)
	l.tell(again...)
}

// compare compares the boards and streaks of every date that is not sealed with the
// model.
func (l *losing) compare() {
	want := model.Activity(l.game, l.told)
	for _, d := range model.ActiveDates(want) {
		if l.game.Lifecycle(game.Day.Of(d), l.now) >= game.Sealed {
			continue
		}
		streaks, err := l.app.Store().DB.ReadBoard(l.Context(), activity.ActiveKey(d))
		require.NoError(l, err)
		should := map[string]float64{}
		for player, day := range want[d] {
			should[player] = float64(day.Streak)
		}
		require.Equal(l, should, streaks, "streaks of %s", d)
		for _, mode := range activity.RulesOf(l.game).Modes() {
			m, _ := l.game.ModeCalled(mode)
			points := map[string]game.Score{}
			for player, day := range want[d] {
				points[player] = day.Scores[mode]
			}
			current, err := l.app.Store().DB.ReadBoard(l.Context(), game.BoardOf(m, game.Day.Of(d), game.Scope{}).Key)
			require.NoError(l, err)
			got := map[string]game.Score{}
			for player, stored := range current {
				got[player] = m.Decode(stored)
			}
			require.Equal(l, points, got, "%s of %s", mode, d)
		}
	}
}

// Days go by, and Redis is emptied at any moment: boards and streaks are those of a
// campus that lost nothing.
func TestActsOutliveTheLossOfRedis(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		l := &losing{T: t, game: campus(t), redis: testkit.NewRedis(t, address), random: rand.New(rand.NewPCG(7, 22)), now: time.Date(2026, 11, 10, 6, 0, 0, 0, time.UTC)}
		l.redis.Do("FLUSHALL")
		l.kept = testkit.Archive(t, archivetest.Database(t), jobs.Tables()...)
		l.restart()
		losses := 0
		for range 25 {
			l.live(1 + l.random.IntN(12))
			if l.random.IntN(3) > 0 {
				l.compute()
				l.live(l.random.IntN(4))
			}
			if l.random.IntN(5) == 0 {
				_, err := l.job().Save(t.Context(), l.now)
				require.NoError(t, err)
			}
			if l.random.IntN(4) == 0 {
				l.lose()
				losses++
			}
			l.now = l.now.Add(time.Duration(1+l.random.IntN(9)) * time.Hour)
			if l.now.Hour() < 4 {
				_, err := l.job().Daily(t.Context(), l.now)
				require.NoError(t, err)
			}
			// Where Redis is empty and no event comes, a compute alone finds nothing to
			// compute from.
			l.live(1)
			l.compute()
			l.compare()
		}
		require.Greater(t, losses, 3)
	})
}
