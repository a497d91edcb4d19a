package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
)

// meGame has days that are each player's own, or the same for all.
func meGame(tb testing.TB, day game.DayRule) *game.Game {
	return loadGame(tb, fmt.Sprintf(`
name: testing
day: %s
grace: 15m
streak: {freezes: 1, every: 3}
modes:
  first: {max: 1000, xp: 1.5}
  farthest: {policy: best, decimals: 2, max: 3600, xp: 0.3}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600, xp: {scores: {"40": 9, "12.5": 20}}}
  coins: {policy: sum, max: 500, day_max: 5000, xp: 0.7}
  shared: {max: 20, ties: shared, xp: {play: 3}}
`, day))
}

// meModel has what players have, kept without Redis.
type meModel struct {
	game *game.Game
	days map[game.Date]map[string]*model
}

func (m *meModel) day(d game.Date, mode *game.Mode) *model {
	if m.days[d] == nil {
		m.days[d] = map[string]*model{}
	}
	if m.days[d][mode.Name] == nil {
		m.days[d][mode.Name] = newModel(mode)
	}
	return m.days[d][mode.Name]
}

func (m *meModel) played(d game.Date, player string) bool {
	for _, of := range m.days[d] {
		if _, ok := of.entries[player]; ok {
			return true
		}
	}
	return false
}

// xp counts hundredths of points and thousandths of weights by hand.
func (m *meModel) xp(player string) (xp int64) {
	gives := map[string]func(int64) int64{
		"first":    func(score int64) int64 { return score * 15 / 10 },
		"farthest": func(score int64) int64 { return score * 3 / 1000 },
		"coins":    func(score int64) int64 { return score * 7 / 10 },
		"shared":   func(int64) int64 { return 3 },
		"fastest": func(score int64) int64 {
			switch {
			case score <= 1250:
				return 20
			case score <= 4000:
				return 9
			}
			return 0
		},
	}
	for _, modes := range m.days {
		for name, of := range modes {
			if e, ok := of.entries[player]; ok {
				xp += gives[name](int64(e.score))
			}
		}
	}
	return xp
}

// streak goes from day to day: a missed day costs a freeze, or ends the streak.
func (m *meModel) streak(player string, first, oldestOpen, last game.Date) (s game.Streak) {
	newest := game.Date{}
	for d := first; !d.After(last); d = d.AddDays(1) {
		if m.played(d, player) {
			newest = d
		}
	}
	for d := first; !d.After(last); d = d.AddDays(1) {
		switch {
		case m.played(d, player):
			s.Last, s.Current = d, s.Current+1
			s.Best = max(s.Best, s.Current)
			if s.Current%3 == 0 {
				s.Freezes = 1
			}
		case s.Last.IsZero(), !d.Before(oldestOpen) && !d.Before(newest): // it may still be played
		case s.Freezes > 0:
			s.Freezes--
		default:
			s.Current = 0
		}
	}
	return s
}

// A day counts for its player the same before its closing, during it, and after it.
func TestOwnXPStreakAndRanksAreThoseOfAPlainModel(t *testing.T) {
	for _, day := range []game.DayRule{game.UTC, game.Local} {
		t.Run(string(day), func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) {
				k.game = meGame(t, day)
				rapid.Check(t, func(rt *rapid.T) {
					k.empty()
					k.clock.Set(noon)
					h := &meHistory{kit: k, model: &meModel{k.game, map[game.Date]map[string]*model{}}}
					rt.Repeat(map[string]func(*rapid.T){
						"play":   h.play,
						"again":  h.play,
						"wait":   h.wait,
						"closed": h.close,
						"":       h.agree,
					})
				})
			})
		})
	}
}

// meHistory makes players play and days close, at random.
type meHistory struct {
	*kit
	model    *meModel
	plays    int
	unclosed time.Duration // since days were closed
}

var mePlayers = rapid.SampledFrom([]string{"ana", "ben", "eve"})

func (h *meHistory) play(rt *rapid.T) {
	now := h.clock.Now().Add(2 * time.Second)
	h.clock.Set(now)
	m := rapid.SampledFrom(h.game.Modes).Draw(rt, "mode")
	d := rapid.SampledFrom(h.game.OpenDates(now)).Draw(rt, "date")
	player := mePlayers.Draw(rt, "player")
	score := game.Score(rapid.Int64Range(0, int64(min(m.Max, 5000))).Draw(rt, "score"))
	h.plays++
	_, err := h.process().Boards.Submit(context.Background(), game.Submission{
		Mode: m, Player: player, Date: d, Score: score, At: now,
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprint("k", h.plays), Fingerprint: "f"},
	})
	if errors.Is(err, leaderboard.ErrDayTotal) {
		return
	}
	require.NoError(rt, err)
	h.model.day(d, m).submit(player, score, now)
}

func (h *meHistory) wait(rt *rapid.T) {
	hours := time.Duration(rapid.IntRange(1, 40).Draw(rt, "hours")) * time.Hour
	h.clock.Set(h.clock.Now().Add(hours))
	if h.unclosed += hours; h.unclosed > 4*24*time.Hour { // otherwise boards expire before their days are closed
		h.close(rt)
	}
}

func (h *meHistory) close(rt *rapid.T) {
	_, err := runDaily(context.Background(), h.process(), nil)
	require.NoError(rt, err)
	h.unclosed = 0
}

func (h *meHistory) agree(rt *rapid.T) {
	now := h.clock.Now()
	open := h.game.OpenDates(now)
	for _, player := range []string{"ana", "ben", "nobody"} {
		got, err := h.process().Boards.Me(context.Background(), player, nil)
		require.NoError(rt, err)
		require.Equal(rt, h.model.xp(player), got.XP, player)
		first := game.DateOf(noon).AddDays(-3)
		require.Equal(rt, h.model.streak(player, first, open[0], open[len(open)-1]), got.Streak, player)
		var want []leaderboard.Today
		for _, d := range open {
			for _, m := range h.game.Modes {
				if row, ok := h.model.day(d, m).row(player); ok && now.Before(h.game.Ends(game.Day.Of(d))) {
					want = append(want, leaderboard.Today{Mode: m, Date: d, Rank: row.rank, Score: row.score})
				}
			}
		}
		require.Equal(rt, want, got.Today, player)
	}
}

// What the answer to /me costs.
func TestReadingMeStaysWithinItsBudget(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		modes := int64(len(k.game.Modes))
		spent := func(commands, trips int64, why string) {
			t.Helper()
			p := k.process()
			counts := k.hasWithScore(t)
			stats := k.stats(t)
			asked, sent := p.spent(func() {
				_, err := p.Boards.Me(ctx, "ana", nil)
				require.NoError(t, err)
			})
			if counts {
				require.Equal(t, k.stats(t)-stats, asked, "the meter and Redis itself disagree")
			}
			require.Equal(t, [2]int64{commands, trips}, [2]int64{asked, sent}, why)
		}
		submit := func(mode, player string, date game.Date) {
			t.Helper()
			sub := k.play(mode, player, 5)
			sub.Date = date
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, player, date), Fingerprint: "f"}
			_, err := k.process().Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		today := k.game.Today(noon)
		const past = 8 // days that may be in Redis
		spent(modes+6+1, 2, "before the first closing of all, nothing was ever played")
		submit("first", "ana", today)
		k.clock.Set(noon.Add(12*time.Hour + 5*time.Minute))
		spent(modes+6+1+past+modes+1, 4, "in the grace of the first day")
		k.clock.Set(noon.Add(12*time.Hour + 20*time.Minute))
		spent(modes+6+1+past+modes+1, 4, "after it, and before it is closed")
		_, err := runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		today = today.AddDays(1)
		k.clock.Set(noon.Add(24 * time.Hour))
		spent(modes+6, 1, "a player who has not played today")
		for _, mode := range []string{"first", "coins", "golf"} {
			submit(mode, "ana", today)
		}
		spent(modes+6, 1, "a player who has played")
		submit("shared", "ana", today)
		spent(modes+6+1, 2, "a rank that is shared")
		k.clock.Set(noon.Add(36*time.Hour + 5*time.Minute))
		spent(modes+6+1+modes+1, 3, "in the grace two days are open")
		submit("best", "ana", today) // which has ended
		spent(modes+6+1+modes+1, 3, "and one was played in it")
		k.clock.Set(noon.Add(36*time.Hour + 18*time.Minute))
		spent(modes+6+1+modes+1, 3, "after the grace, and before yesterday is closed")
		_, err = runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		k.clock.Set(noon.Add(60*time.Hour + 18*time.Minute))
		spent(modes+6+1, 2, "yesterday was not played by anybody")
		k.clock.Set(noon.Add(3*24*time.Hour + 12*time.Hour + 18*time.Minute))
		spent(modes+6+1, 2, "nor was the day before it")
	})
}

// Own XP of a day that is over follows whatever is written to the day before it is closed.
func TestOwnXPOfADayThatIsOverFollowsWhatIsWrittenToIt(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		day := k.game.Today(noon)
		reads, writes := k.process(), k.process()
		has := func(player string, xp int64, streak int, why string) {
			t.Helper()
			for range 2 {
				me, err := reads.Boards.Me(ctx, player, nil)
				require.NoError(t, err)
				require.Equal(t, xp, me.XP, why)
				require.Equal(t, streak, me.Streak.Current, why)
			}
		}
		put := func(mode, player string, score game.Score) {
			t.Helper()
			sub := k.play(mode, player, score)
			sub.Date = day
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, player, score), Fingerprint: "f"}
			outcomes := writes.Boards.SubmitBatch(ctx, []game.Submission{sub})
			require.NoError(t, outcomes[0].Err)
		}
		k.clock.Set(noon.Add(12*time.Hour + 5*time.Minute))
		has("ana", 0, 0, "nobody has played")
		put("first", "ben", 100)
		has("ana", 0, 0, "somebody else has")
		sub := k.play("first", "ana", 200)
		sub.Date = day
		_, err := writes.Boards.Submit(ctx, sub)
		require.NoError(t, err)
		has("ana", 300, 1, "in the grace, by another process")
		put("coins", "ana", 10)
		has("ana", 307, 1, "a sum")
		put("coins", "ana", 20)
		has("ana", 321, 1, "a sum that grew")
		k.clock.Set(noon.Add(12*time.Hour + 20*time.Minute))
		_, err = writes.Repair.Claim(ctx, "ben", "ana", nil)
		require.NoError(t, err)
		has("ana", 171, 1, "a claim: the earlier play of the two counts")
		_, err = writes.Repair.RemoveScore(ctx, k.mode("first"), day, "ana", nil)
		require.NoError(t, err)
		has("ana", 21, 1, "a score that was taken out")
		sub = k.play("first", "ana", 400)
		sub.Date, sub.At = day, noon
		_, errs := writes.Boards.SubmitQueued(ctx, []game.Submission{sub})
		require.NoError(t, errs[0])
		has("ana", 621, 1, "a score that waited in a queue")
		_, err = runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		has("ana", 621, 1, "the day has closed")
	})
}

func TestWhoWasErasedHasNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		for day := range 3 {
			k.clock.Set(noon.Add(time.Duration(day) * 24 * time.Hour))
			sub := k.play("first", "ana", 100)
			sub.Profile = game.Profile{Name: "Ana"}
			_, err := k.process().Boards.Submit(ctx, sub)
			require.NoError(t, err)
			_, err = runDaily(ctx, k.process(), nil)
			require.NoError(t, err)
		}
		p := k.process()
		hidden := true
		_, err := p.Players.ChangeProfile(ctx, "ana", player.ProfileChange{Hidden: &hidden})
		require.NoError(t, err)
		me, err := p.Boards.Me(ctx, "ana", nil)
		require.NoError(t, err)
		require.EqualValues(t, 450, me.XP)
		require.EqualValues(t, 1, me.XPRank)
		require.Equal(t, 3, me.Streak.Current)
		_, err = p.Repair.Erase(ctx, "ana", lifecycle.Erasure{})
		require.NoError(t, err)
		for _, p := range []*process{p, k.process()} {
			me, err := p.Boards.Me(ctx, "ana", nil)
			require.NoError(t, err)
			require.Zero(t, me)
		}
	})
}

// The clock of the process that closed a day may be ahead of this process's clock.
func TestADayThatIsClosedByAnotherClockCountsOnce(t *testing.T) {
	k := newKit(t, "")
	ctx := context.Background()
	_, err := k.process().Boards.Submit(ctx, k.play("first", "ana", 100))
	require.NoError(t, err)
	midnight := noon.Add(12 * time.Hour)
	k.clock.Set(midnight.Add(15*time.Minute + time.Second))
	_, err = runDaily(ctx, k.process(), nil)
	require.NoError(t, err)
	for _, at := range []time.Duration{15 * time.Minute, 15*time.Minute - time.Second, 14 * time.Minute} {
		k.clock.Set(midnight.Add(at))
		me, err := k.process().Boards.Me(ctx, "ana", nil)
		require.NoError(t, err)
		require.EqualValues(t, 150, me.XP)
		require.Equal(t, 1, me.Streak.Current)
	}
}
