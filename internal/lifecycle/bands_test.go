package lifecycle_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

const bandsGame = `
name: large
modes:
  best: {policy: best, max: 100000, bands: {from: 150, most: 100}}
  fastest: {order: asc, aggregate: min, max: 100000, bands: {from: 150, most: 100}}
`

// large is a game whose boards of all time are kept in bands, over three databases.
type large struct {
	*kit
	further []bands.Database
	*process
	model map[string]map[string]map[game.Date]float64 // by mode, player and day
}

func newLarge(t *testing.T, k *kit) *large {
	k.game, k.clock = loadGame(t, bandsGame), testkit.Still(noon)
	k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
	l := &large{kit: k, model: map[string]map[string]map[game.Date]float64{"best": {}, "fastest": {}}}
	for _, name := range []string{"second", "third"} {
		l.further = append(l.further, bands.Database{Name: name, Redis: testkit.NewRedis(t, "").Client})
	}
	l.process = l.fresh()
	return l
}

// fresh is a process with a memory of its own.
func (l *large) fresh() *process {
	dbs, err := bands.NewDatabases(append([]bands.Database{{Name: derive.MainDatabase, Redis: l.client}}, l.further...)...)
	require.NoError(l.tb, err)
	return &process{lifecycle.New(lifecycle.Options{Redis: l.client, Game: l.game, Now: l.clock.Now, Elapsed: l.elapsed, Bands: dbs, CursorKeys: [][]byte{cursorKey}}), l.client.Meter()}
}

func (l *large) board(mode string) game.Board {
	return game.BoardOf(l.mode(mode), game.AllTime.Of(game.Date{}), game.Scope{})
}

// plays submits a score, and keeps in the model what then stands on the day.
func (l *large) plays(mode, player string, score int) {
	sub := l.play(mode, player, game.Score(score))
	_, err := l.Boards.Submit(context.Background(), sub)
	require.NoError(l.tb, err)
	at, err := l.Boards.Card(context.Background(), l.dayBoard(l.process, mode), player)
	require.NoError(l.tb, err)
	if l.model[mode][player] == nil {
		l.model[mode][player] = map[game.Date]float64{}
	}
	l.model[mode][player][sub.Date] = at.Stored
}

// tend runs the schedule until nothing is due.
func (l *large) tend() {
	for range 200 {
		all, err := l.Rollup.Banded.TendBands(context.Background(), time.Second)
		require.NoError(l.tb, err)
		idle := true
		for _, did := range all {
			idle = idle && !did.More && len(did.Did) == 0
		}
		if idle {
			return
		}
		l.clock.Pass(30 * time.Second)
	}
	require.Fail(l.tb, "it is never done")
}

// should returns the board as the model has it.
func (l *large) should(mode string) []game.Entry {
	b, all := l.board(mode), []game.Entry{}
	for player, days := range l.model[mode] {
		var best float64
		first := true
		for _, stored := range days {
			if first || b.Mode.Order == game.Asc && stored < best || b.Mode.Order == game.Desc && stored > best {
				best, first = stored, false
			}
		}
		if !first {
			all = append(all, game.Entry{Player: player, Stored: best, Score: b.Mode.Decode(best)})
		}
	}
	slices.SortFunc(all, func(a, c game.Entry) int {
		up := cmp.Or(cmp.Compare(a.Stored, c.Stored), strings.Compare(a.Player, c.Player))
		if b.Mode.Order == game.Asc {
			return up
		}
		return -up
	})
	for i := range all {
		all[i].Rank = int64(i) + 1
	}
	return all
}

// holds requires that every answer is the model's.
func (l *large) holds() {
	l.tb.Helper()
	ctx := context.Background()
	for mode := range l.model {
		b, should := l.board(mode), l.should(mode)
		in, err := l.Rollup.Banded.InBands(ctx, b)
		require.NoError(l.tb, err)
		require.Equal(l.tb, should, wholeBoard(l.tb, l.process, b, 37), mode)
		for _, offset := range []int{0, 95, 100, len(should) / 2, len(should) - 3} {
			page, err := l.Boards.Page(ctx, b, game.PageRequest{Offset: int64(offset), Limit: 30})
			require.NoError(l.tb, err)
			require.Equal(l.tb, should[offset:min(offset+30, len(should))], page.Entries)
			require.EqualValues(l.tb, len(should), page.Total)
			require.Equal(l.tb, in == nil, page.CountsAt.IsZero())
		}
		var players []string
		for i := 0; i < len(should); i += 17 {
			e := should[i]
			players = append(players, e.Player)
			card, err := l.Boards.Card(ctx, b, e.Player)
			require.NoError(l.tb, err)
			require.Equal(l.tb, e, card.Entry)
			require.EqualValues(l.tb, len(should), card.Total)
			around, err := l.Boards.Around(ctx, b, e.Player, 5)
			require.NoError(l.tb, err)
			from := max(0, min(i-5, len(should)-11))
			require.Equal(l.tb, should[from:from+11], around.Entries)
		}
		found, err := l.Boards.Lookup(ctx, b, append(players, "nobody"))
		require.NoError(l.tb, err)
		require.Len(l.tb, found, len(players))
		_, err = l.Boards.Card(ctx, b, "nobody")
		require.ErrorIs(l.tb, err, leaderboard.ErrNotOnBoard)
	}
}

func (l *large) past(mode, player string) *lifecycle.ArchivedPlayer {
	past := &lifecycle.ArchivedPlayer{}
	for mode := range l.model {
		for d, stored := range l.model[mode][player] {
			past.Results = append(past.Results, game.DayResult{Mode: mode, Date: d, Result: game.Result{Player: player, Stored: stored}})
		}
	}
	return past
}

func TestAllTimeInBandsIsTheBestOfAllDays(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		l, ctx := newLarge(t, k), context.Background()
		random := rand.New(rand.NewPCG(1, 2))
		play := func(times int) {
			for range times {
				l.plays([]string{"best", "fastest"}[random.IntN(2)], fmt.Sprint("player", random.IntN(400)), random.IntN(100000))
			}
		}
		play(120)
		l.tend()
		in, err := l.Rollup.Banded.AllTimeInBands(ctx, l.mode("best"))
		require.NoError(t, err)
		require.Nil(t, in, "it is small yet")
		for day := range 9 { // days: the first of them are rolled up on the way
			play(170)
			l.tend()
			l.clock.Pass(24 * time.Hour)
			_, err := runDaily(ctx, l.process, nil)
			require.NoError(t, err)
			l.tend()
			l.clock.Pass(10 * time.Second)
			if day%4 == 0 {
				l.holds()
			}
		}
		in, err = l.Rollup.Banded.AllTimeInBands(ctx, l.mode("best"))
		require.NoError(t, err)
		layout, err := in.Layout(ctx, in.Board)
		require.NoError(t, err)
		require.Greater(t, len(layout.Bands), 2)
		require.Zero(t, k.redis.Do("EXISTS", game.RolledUpKey(in.Board.Key)))

		// A player who has just played is shown with that score, whichever process carries it
		// to the bands.
		l.plays("best", "player7", 99_999)
		l.process = l.fresh()
		card, err := l.Boards.Card(ctx, l.board("best"), "player7")
		require.NoError(t, err)
		require.EqualValues(t, 99_999, card.Score)

		// The best scores of some players are removed, also of days that are rolled up.
		for i, e := range l.should("best") {
			if i%40 != 3 {
				continue
			}
			var best game.Date
			for d, stored := range l.model["best"][e.Player] {
				if stored == e.Stored {
					best = d
				}
			}
			_, err := l.Repair.RemoveScore(ctx, l.mode("best"), best, e.Player, l.past("best", e.Player))
			require.NoError(t, err)
			delete(l.model["best"][e.Player], best)
			_, err = l.Repair.RemoveScore(ctx, l.mode("best"), best, e.Player, nil)
			require.ErrorIs(t, err, lifecycle.ErrRolledUp, "without a history nobody knows what is left")
		}
		for i, e := range l.should("fastest") {
			if i%50 == 5 {
				_, err := l.Repair.Erase(ctx, e.Player, lifecycle.Erasure{})
				require.NoError(t, err)
				delete(l.model["fastest"], e.Player)
				delete(l.model["best"], e.Player)
			}
		}
		l.clock.Pass(30 * time.Second)
		l.tend()
		l.process = l.fresh()
		l.clock.Pass(10 * time.Second)
		l.holds()

		// Everything is lost, and made again from what a history has of rolled-up days.
		for mode := range l.model {
			all := map[string]float64{}
			for _, e := range l.should(mode) {
				all[e.Player] = e.Stored
			}
			require.NoError(t, l.Restore.RestoreRolledUp(ctx, l.board(mode), all))
		}
		l.process = l.fresh()
		l.holds()
	})
}
