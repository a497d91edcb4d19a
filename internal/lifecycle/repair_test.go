package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// shelf is an archive in memory.
type shelf struct {
	mu   sync.Mutex
	days map[string]map[game.Date]map[string]game.Result // by mode
}

func newShelf() *shelf { return &shelf{days: map[string]map[game.Date]map[string]game.Result{}} }

type shelfDay struct {
	shelf *shelf
	mode  string
	date  game.Date
	rows  map[string]game.Result
}

func (s *shelf) BeginDay(_ context.Context, mode string, d game.Date) (lifecycle.DayWriter, error) {
	return &shelfDay{s, mode, d, map[string]game.Result{}}, nil
}

func (d *shelfDay) Put(_ context.Context, results []game.Result) error {
	for _, r := range results {
		d.rows[r.Player] = r
	}
	return nil
}

func (d *shelfDay) Finish(context.Context) error {
	d.shelf.mu.Lock()
	defer d.shelf.mu.Unlock()
	if d.shelf.days[d.mode] == nil {
		d.shelf.days[d.mode] = map[game.Date]map[string]game.Result{}
	}
	d.shelf.days[d.mode][d.date] = d.rows
	return nil
}

func (s *shelf) of(player string) *lifecycle.ArchivedPlayer {
	s.mu.Lock()
	defer s.mu.Unlock()
	past := &lifecycle.ArchivedPlayer{}
	for mode, days := range s.days {
		for d, rows := range days {
			if r, ok := rows[player]; ok {
				past.Results = append(past.Results, game.DayResult{Mode: mode, Date: d, Result: r})
			}
		}
	}
	return past
}

// remove removes from the archive what Redis has removed.
func (s *shelf) remove(player string, days ...game.DayName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, day := range days {
		delete(s.days[day.Mode][day.Date], player)
	}
}

func (s *shelf) erase(player string) {
	for _, row := range s.of(player).Results {
		s.remove(player, game.DayName{Mode: row.Mode, Date: row.Date})
	}
}

// world plays some weeks in which entries are removed, and keeps by hand what must remain.
type world struct {
	*life
	shelf *shelf
	late  map[lateWeek]bool
}

// lateWeek is a week of a mode in which a player played after a day of the week had expired.
// The week's board is not made again from the remaining days, so it lacks what came late, or
// the player. (With an archive, what runs after the closings of this test would make it.)
type lateWeek struct {
	mode   string
	week   game.Period
	player string
}

// outlived reports whether a day of the week that was played on has expired.
func (w *world) outlived(m *game.Mode, week game.Period, now time.Time) bool {
	for d := range w.history.days[m.Name] {
		if end, _ := w.g.Expires(game.Day.Of(d)); week.Contains(d) && !now.Before(end) {
			return true
		}
	}
	return false
}

func (w *world) play(t *rapid.T, now time.Time) {
	m := w.g.Modes[rapid.IntRange(0, len(w.g.Modes)-1).Draw(t, "mode")]
	d := game.DateOf(now).AddDays(-rapid.SampledFrom([]int{0, 0, 0, 1, 4}).Draw(t, "late"))
	high := m.Max
	if m.Policy == game.Sum {
		high = 50
	}
	w.keys++
	sub := game.Submission{
		Mode: m, Player: fmt.Sprintf("p%d", rapid.IntRange(1, 3).Draw(t, "player")), Date: d,
		At:          d.Midnight().Add(time.Duration(rapid.IntRange(0, 86399).Draw(t, "second")) * time.Second),
		Score:       game.Score(rapid.Int64Range(int64(m.Min), int64(high)).Draw(t, "score")),
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprintf("k%d", w.keys), Fingerprint: "f"},
	}
	if m.HasScope(game.Country) {
		sub.Scopes = []game.Scope{group(w.k.tb, "red")}
	}
	_, err := w.process(t).Boards.Submit(context.Background(), sub)
	require.NoError(t, err)
	w.history.day(m, d).submit(sub.Player, sub.Score, sub.At)
	if week := game.Week.Of(d); w.outlived(m, week, now) {
		if w.late == nil {
			w.late = map[lateWeek]bool{}
		}
		w.late[lateWeek{m.Name, week, sub.Player}] = true
	}
}

func (w *world) forget(player string, days ...game.DayName) {
	for _, day := range days {
		m := w.k.mode(day.Mode)
		delete(w.history.day(m, day.Date).entries, player)
	}
}

// derived returns the boards of modes and scopes that a date belongs to.
func (w *world) derived(p *process, m *game.Mode, d game.Date) []game.Board {
	scopes := []game.Scope{{}}
	if m.HasScope(game.Country) {
		scopes = append(scopes, group(w.k.tb, "red"))
	}
	var all []game.Board
	for _, scope := range scopes {
		for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
			all = append(all, game.BoardOf(m, kind.Of(d), scope))
		}
	}
	return all
}

// holds compares what Redis has of a player, without any refresh, with what the days add up
// to.
func (w *world) holds(t *rapid.T, p *process, player string, b game.Board, want map[string]game.Score) {
	reply, err := w.k.server.Redis().Do(context.Background(), "ZSCORE", b.Key, player)
	require.NoError(t, err)
	score, current := want[player]
	// Once a day has expired, the week of a scope is only made again by what runs after the
	// closings of this test. So the board may lack what was played after the last look, or the
	// player.
	scoped := b.Period.Kind() == game.Week && b.Scope != (game.Scope{})
	if scoped && w.outlived(b.Mode, b.Period, w.k.clock.Now()) {
		return
	}
	late := w.late[lateWeek{b.Mode.Name, b.Period, player}]
	if reply == nil {
		if !scoped && !late {
			require.False(t, current, "%s has lost %s", b.Key, player)
		}
		return
	}
	stored, err := strconv.ParseFloat(fmt.Sprint(reply), 64)
	require.NoError(t, err)
	require.True(t, current, "%s still has %s with %v", b.Key, player, stored)
	if late { // a removal elsewhere leaves the week without what came late
		return
	}
	require.Equal(t, score, b.Mode.Decode(stored), "%s of %s", b.Key, player)
}

// expire deletes the keys of days whose life is over.
func (w *world) expire(now time.Time) {
	w.life.expire(now)
	for _, m := range w.g.Modes {
		for d := range w.history.days[m.Name] {
			if end, _ := w.g.Expires(game.Day.Of(d)); !now.Before(end) {
				_, err := w.k.server.Redis().Do(context.Background(), "DEL",
					game.BoardKey(m.Name, game.Day.Of(d), group(w.k.tb, "red")), game.XPDayKey(d))
				require.NoError(w.k.tb, err)
			}
		}
	}
}

// nowhere checks that a player who has nothing left is on no board at all.
func (w *world) nowhere(t *rapid.T, player string) {
	for _, days := range w.history.days {
		for _, day := range days {
			if _, current := day.entries[player]; current {
				return
			}
		}
	}
	ctx := context.Background()
	keys, err := w.k.server.Redis().Do(ctx, "KEYS", "*")
	require.NoError(t, err)
	for _, key := range keys.([]any) {
		if isNoBoard(key.(string)) {
			continue
		}
		current, err := w.k.server.Redis().Do(ctx, "ZSCORE", key.(string), player)
		if err == nil { // other keys are no boards
			require.Nil(t, current, "%s still has %s", key, player)
		}
	}
}

// remove removes something, and looks at once, before any refresh.
func (w *world) remove(t *rapid.T, now time.Time) {
	ctx := context.Background()
	player := fmt.Sprintf("p%d", rapid.IntRange(1, 3).Draw(t, "who"))
	d := game.DateOf(now).AddDays(-rapid.IntRange(0, 20).Draw(t, "days ago"))
	m := w.g.Modes[rapid.IntRange(0, len(w.g.Modes)-1).Draw(t, "mode of the removal")]
	// XP counts a late score when its day has closed again.
	closed := rapid.Bool().Draw(t, "closed before")
	if closed {
		_, err := runDaily(ctx, w.process(t), w.shelf)
		require.NoError(t, err)
	}
	// A look makes every derived board of the date in its present state.
	w.k.clock.Set(now.Add(time.Duration(rapid.IntRange(10, 3000).Draw(t, "seconds before")) * time.Second))
	fresh := w.k.process()
	for _, m := range w.g.Modes {
		for _, b := range w.derived(fresh, m, d) {
			wholeBoard(t, fresh, b, 100)
		}
	}
	xp, _ := fresh.DB.Game.ModeNamed(game.XPMode)
	xpBoard := game.BoardOf(xp, game.AllTime.Of(d), game.Scope{})
	wholeBoard(t, fresh, xpBoard, 100)
	var removed lifecycle.RemovalReport
	var err error
	modes := []*game.Mode{m}
	defer w.nowhere(t, player)
	switch rapid.IntRange(0, 5).Draw(t, "what") {
	case 0:
		removed, err = w.process(t).Repair.RemoveRecent(ctx, player, w.shelf.of(player))
		require.NoError(t, err)
		w.forget(player, removed.Days...)
		w.shelf.remove(player, removed.Days...)
		modes = w.g.Modes
	case 1:
		_, err = w.process(t).Repair.Erase(ctx, player, lifecycle.Erasure{})
		require.NoError(t, err)
		for name, days := range w.history.days {
			for date := range days {
				w.forget(player, game.DayName{Mode: name, Date: date})
			}
		}
		w.shelf.erase(player)
		modes = w.g.Modes
	default:
		for range rapid.IntRange(1, 2).Draw(t, "times") {
			_, err = w.process(t).Repair.RemoveScore(ctx, m, d, player, w.shelf.of(player))
			require.NoError(t, err)
		}
		w.forget(player, game.DayName{Mode: m.Name, Date: d})
		w.shelf.remove(player, game.DayName{Mode: m.Name, Date: d})
	}
	for _, m := range modes {
		for _, b := range w.derived(fresh, m, d) {
			w.holds(t, fresh, player, b, w.history.period(m, b.Period))
		}
	}
	if closed {
		w.holds(t, fresh, player, xpBoard, w.history.xp(w.g))
	}
}

// Whatever is removed at whatever time, every board at once equals what the remaining days add
// up to, and stays so through closings, roll-ups and refreshes.
func TestRemovalsRepairEveryBoardAtOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, k.removalsRepair)
	})
}

func (k *kit) removalsRepair(t *rapid.T) {
	k.empty()
	l := &life{k: k, g: k.game, scheduled: true, history: history{days: map[string]map[game.Date]*model{}, today: k.today}}
	w := &world{life: l, shelf: newShelf()}
	for range 2 {
		l.processes = append(l.processes, k.process())
	}
	now := time.Date(2026, 12, 20+rapid.IntRange(0, 8).Draw(t, "begin"), 1, 0, 0, 0, time.UTC)
	for range rapid.IntRange(5, 16).Draw(t, "days") {
		k.clock.Set(now)
		for range rapid.IntRange(0, 4).Draw(t, "plays") {
			w.play(t, now)
		}
		if rapid.IntRange(0, 2).Draw(t, "removal") == 0 {
			w.remove(t, now)
		}
		_, err := runDaily(context.Background(), w.process(t), w.shelf)
		require.NoError(t, err)
		now = now.AddDate(0, 0, 1)
		w.expire(now)
	}
	w.look(t, now)
	for name, days := range w.history.days {
		for d, day := range days {
			if w.g.Closed(game.Day.Of(d), now.AddDate(0, 0, -1)) {
				require.ElementsMatch(t, slices.Collect(keysOf(day.entries)), slices.Collect(keysOf(w.shelf.days[name][d])), "%s %s in the archive", name, d)
			}
		}
	}
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}
