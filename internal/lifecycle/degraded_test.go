package lifecycle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/upstash"
)

// levels are the measures in the order in which they come into force.
var levels = []budget.Measures{{}, {Caches: true}, {Caches: true, Refresh: true}, {Caches: true, Refresh: true, Features: true}}

// degradedBy makes a process over the kit's Redis with measures in force. Its memory ages with
// the product's clock.
func (k *kit) degradedBy(m budget.Measures) (*lifecycle.Parts, *upstash.Client) {
	client, err := upstash.New(upstash.Config{URL: k.server.URL(), Token: k.server.Token(), Timeout: time.Minute})
	require.NoError(k.tb, err)
	return lifecycle.New(lifecycle.Options{
		Redis: client, Game: k.game, Now: k.clock.Now,
		Elapsed:  func() time.Duration { return k.clock.Now().Sub(noon.AddDate(0, 0, -30)) },
		Measures: func() budget.Measures { return m },
	}), client
}

// What docs/operate/budget.md says of ten minutes of reads: a page of a day and one of its week every
// 5 seconds, and a card every 30.
func TestTheSameReadsCostLessWithEachMeasure(t *testing.T) {
	const day, week, card = 0, 1, 2
	answer := [][3]int64{{11, 240, 77}, {3, 240, 79}, {3, 40, 79}, {3, 40, 39}}
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		var all [][3]int64
		for _, m := range levels {
			k.empty()
			k.clock.Set(noon)
			s, client := k.degradedBy(m)
			for i := range 20 {
				_, err := s.Boards.Submit(ctx, k.play("first", fmt.Sprintf("p%d", i), game.Score(i)))
				require.NoError(t, err)
			}
			today := game.BoardOf(k.mode("first"), game.Day.Of(game.DateOf(noon)), game.Scope{})
			thisWeek := game.BoardOf(k.mode("first"), game.Week.Of(game.DateOf(noon)), game.Scope{})
			var spent [3]int64
			read := func(kind int, f func() (int64, error)) {
				before := client.Meter().Usage().Commands
				got, err := f()
				require.NoError(t, err)
				require.EqualValues(t, 20, got)
				spent[kind] += client.Meter().Usage().Commands - before
			}
			page := func(b game.Board) func() (int64, error) {
				return func() (int64, error) {
					p, err := s.Boards.Page(ctx, b, game.PageRequest{Limit: 100})
					return int64(len(p.Entries)), err
				}
			}
			for second := 0; second < 600; second += 5 {
				k.clock.Set(noon.Add(time.Duration(second) * time.Second))
				read(day, page(today))
				read(week, page(thisWeek))
				if second%30 == 0 {
					read(card, func() (int64, error) { c, err := s.Boards.Card(ctx, today, "p0"); return c.Rank, err })
				}
			}
			all = append(all, spent)
		}
		require.Equal(t, answer, all)
	})
}

// Whatever the budget says, a score is taken, and its rank is as exact as ever.
func TestMeasuresKeepNoScoreOutAndNoRankFromBeingExact(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		plainly, _ := k.degradedBy(levels[3])
		b := game.BoardOf(k.mode("first"), game.Day.Of(game.DateOf(noon)), game.Scope{})
		for i := range 50 {
			score := game.Score((i * 37) % 101)
			o, err := plainly.Boards.Submit(ctx, k.play("first", fmt.Sprintf("p%d", i), score))
			require.NoError(t, err)
			require.Equal(t, game.Accepted, o.Status)
			ahead := int64(0)
			for j := range i {
				if game.Score((j*37)%101) >= score {
					ahead++
				}
			}
			require.Equal(t, ahead+1, o.Rank)
			card, err := plainly.Boards.Card(ctx, b, fmt.Sprintf("p%d", i))
			require.NoError(t, err)
			require.Equal(t, ahead+1, card.Rank)
		}
	})
}

func TestMeasuresBearOnWhatTheyTouch(t *testing.T) {
	k := newKit(t, "")
	s, _ := k.degradedBy(levels[3])
	day := game.DateOf(noon)
	bearing := func(p game.Period, scope game.Scope) string {
		return s.Boards.Degraded(game.BoardOf(k.mode("first"), p, scope)).String()
	}
	brazil, err := game.CountryScope("BR")
	require.NoError(t, err)
	require.Equal(t, "caches, features", bearing(game.Day.Of(day), game.Scope{}))
	require.Equal(t, "caches, features", bearing(game.Day.Of(day), group(t, "red")))
	require.Equal(t, "caches, refresh, features", bearing(game.Day.Of(day), brazil))
	require.Equal(t, "caches, refresh, features", bearing(game.Week.Of(day), game.Scope{}))
	require.Equal(t, "caches, refresh", bearing(game.AllTime.Of(day), game.Scope{}), "there is no all time before it")
	require.Equal(t, "caches", bearing(game.Day.Of(day.AddDays(-100)), game.Scope{}), "its board has left Redis")
}

// A card without its features is otherwise the same.
func TestACardWithoutItsFeatures(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		k.clock.Set(noon.AddDate(0, 0, -1))
		whole, _ := k.degradedBy(budget.Measures{})
		for _, at := range []time.Time{noon.AddDate(0, 0, -1), noon} {
			k.clock.Set(at)
			play := k.play("first", "p1", 5)
			play.Date, play.Details = game.DateOf(at), []byte(`{"guesses":2}`)
			_, err := whole.Boards.Submit(ctx, play)
			require.NoError(t, err)
		}
		plainly, client := k.degradedBy(levels[3])
		b := game.BoardOf(k.mode("first"), game.Day.Of(game.DateOf(noon)), game.Scope{})
		card, err := whole.Boards.Card(ctx, b, "p1")
		require.NoError(t, err)
		require.EqualValues(t, 1, card.PreviousRank)
		require.JSONEq(t, `{"guesses":2}`, string(card.Details))
		_, err = plainly.Boards.Card(ctx, b, "p1")
		require.NoError(t, err)
		before := client.Meter().Usage().Commands
		less, err := plainly.Boards.Card(ctx, b, "p1")
		require.NoError(t, err)
		require.EqualValues(t, 1, client.Meter().Usage().Commands-before)
		card.PreviousRank, card.Details, card.UpdatedAt = 0, nil, less.UpdatedAt
		require.Equal(t, card, less)
	})
}
