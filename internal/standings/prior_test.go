package standings_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// A player who is shown the week with a play is shown the right score, whoever makes the week
// meanwhile, on any day and however shortly after midnight. If others look at the week too,
// the process adds the play to what the week had before it.
func TestAPlayIsAddedToTheWeekThatItIsShownWith(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for seed := range uint64(4) {
			k.empty()
			k.addsToTheWeek(t, seed)
		}
	})
}

func (k *kit) addsToTheWeek(t *testing.T, seed uint64) {
	lots := rand.New(rand.NewPCG(7, seed))
	pass := k.aging()
	now := noon.AddDate(0, 0, -int(noon.Weekday())+1).Truncate(24 * time.Hour) // Monday
	later := func(d time.Duration) {
		now = now.Add(d)
		pass(d)
		k.clock.Set(now)
	}
	later(0)
	want := map[string]game.Score{} // of the week
	p, others := k.process(), k.process()
	p.Boards.Rollup.UniteUpTo = 0 // as if it were a large game
	added := 0
	for day := range 7 {
		for play := range 12 {
			later([]time.Duration{time.Second, 20 * time.Second, 20 * time.Minute, time.Hour}[lots.IntN(4)] + time.Duration(lots.IntN(1000))*time.Millisecond)
			week := game.BoardOf(k.mode("first"), game.Week.Of(k.today()), game.Scope{})
			if lots.IntN(4) > 0 { // the week is stored, and the process knows that
				for _, q := range []*process{others, p} {
					_, err := q.Boards.Page(t.Context(), week, game.PageRequest{Limit: 10})
					require.NoError(t, err)
				}
				later(time.Duration(lots.IntN(300)) * time.Millisecond)
			}
			sub := k.play("first", fmt.Sprint("player", lots.IntN(30)), game.Score(1+lots.IntN(9)))
			if lots.IntN(8) == 0 && day > 0 { // for a day that is over: refused, or in its grace
				sub.Date = sub.Date.AddDays(-1)
			}
			sub.ShowsWeek = lots.IntN(5) > 0
			if play == 0 { // a play that the week does not have yet, and that no view has shown
				sub.ShowsWeek = false
			}
			if k.game.Closed(game.Day.Of(sub.Date), now) {
				continue
			}
			outcome, err := p.Boards.Submit(t.Context(), sub)
			require.NoError(t, err)
			if outcome.Status == game.Accepted {
				want[sub.Player] += sub.Score
			}
			if lots.IntN(3) == 0 {
				_, err := others.Boards.Page(t.Context(), week, game.PageRequest{Limit: 10})
				require.NoError(t, err)
			}
			var used upstash.Meter
			shown, err := board.NewReader(p.Boards, nil, nil).Card(upstash.WithMeter(t.Context(), &used), week, sub.Player, outcome.Seen())
			require.NoError(t, err)
			require.Equal(t, want[sub.Player], shown.Found.Score, "day %d, play %d", day, play)
			if by := used.Usage().ByName; outcome.Week.Found && by["ZADD"] == 1 && by["ZUNIONSTORE"] == 0 {
				require.Zero(t, by["ZSCORE"])
				added++
			}
		}
		later(time.Duration(24*(day+1))*time.Hour - now.Sub(noon.AddDate(0, 0, -int(noon.Weekday())+1).Truncate(24*time.Hour)))
		_, err := runDaily(t.Context(), others, newShelf())
		require.NoError(t, err)
	}
	t.Log(added, "plays were added to their week")
	require.Greater(t, added, 3)
}

// The more the making of a week has to read, the less often the week is made, even by
// processes that know slightly different sizes of it in the same intervals.
func TestALargeWeekIsMadeTheLessOften(t *testing.T) {
	k := newKit(t, "")
	for days, every := range map[int]map[int64]time.Duration{
		1: {1000: k.game.Refresh, 50_000: 56 * time.Second, 100_000: 112 * time.Second},
		2: {50_000: 56 * time.Second, 50_001: 112 * time.Second, 100_000: 224 * time.Second},
		7: {14_000: 14 * time.Second, 15_000: 112 * time.Second, 100_000: 768 * time.Second},
	} {
		k.clock.Set(time.Date(2026, 11, 15+days, 12, 0, 0, 0, time.UTC))
		for players, want := range every {
			p := k.process()
			week := weekBoard(k, p, "first")
			p.Boards.Totals.Set(week.Key, players)
			require.Equal(t, want, p.Boards.Rollup.Every(week), "%d players on day %d", players, days)
		}
	}
}
