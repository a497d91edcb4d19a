package standings_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// In a game with large days, a process reads the ranks of the week before once for all players
// who ask within an hour, up to 10,000 players. They equal ranks that are read one by one.
// Only for a player who was not on that board does it ask for the single rank, once in a
// minute.
func TestTheRanksOfALargeWeekBeforeAreReadOnceForAll(t *testing.T) {
	for _, players := range []int{3000, 10_500} {
		t.Run(fmt.Sprint(players), func(t *testing.T) {
			onEngines(t, func(t *testing.T, k *kit) { k.readsTheWeekBefore(t, players) })
		})
	}
}

func (k *kit) readsTheWeekBefore(t *testing.T, players int) {
	monday := game.Week.Of(game.DateOf(noon)).First().Midnight().Add(12 * time.Hour)
	k.elapsed = func() time.Duration { return k.clock.Now().Sub(monday.AddDate(0, 0, -7)) }
	play := func(at time.Time, name string, players int) {
		k.clock.Set(at)
		var subs []game.Submission
		for i := range players {
			subs = append(subs, k.play("first", fmt.Sprint(name, i), game.Score(1+i*7%997)))
			if len(subs) == 1000 || i == players-1 {
				for _, o := range k.process().Boards.SubmitBatch(t.Context(), subs) {
					require.NoError(t, o.Err)
				}
				subs = nil
			}
		}
	}
	play(monday.AddDate(0, 0, -6), "p", players)
	play(monday, "p", 40) // returns to play again,
	play(monday.Add(time.Second), "new", 40)
	k.clock.Set(monday.Add(time.Hour))
	single := k.process() // does not know of large days, and reads single ranks only
	p := k.process()
	p.Notices.Begun.Met(int64(players))
	week := weekBoard(k, p, "first")
	card := func(p *process, player string) (stands game.Standing, asked int64) {
		before := p.meter.Usage().ByName
		stands, err := p.Boards.Card(t.Context(), week, player)
		require.NoError(t, err)
		after := p.meter.Usage().ByName
		return stands, after["ZREVRANK"] - before["ZREVRANK"]
	}
	ranges := p.meter.Usage().ByName["ZRANGE"]
	_, _ = card(p, "p0") // learns the size of the week before
	earlier, _ := week.Period.Previous()
	for i := range 40 {
		player := fmt.Sprint("p", i)
		stands, asked := card(p, player)
		there, err := single.Boards.Around(t.Context(), game.BoardOf(week.Mode, earlier, game.Scope{}), player, 1)
		require.NoError(t, err)
		for _, e := range there.Entries {
			if e.Player == player {
				require.Equal(t, e.Rank, stands.PreviousRank, player)
			}
		}
		if players <= 10_000 {
			require.LessOrEqual(t, asked, int64(1), "the own rank of this week")
		}
	}
	if players <= 10_000 {
		require.EqualValues(t, 1, p.meter.Usage().ByName["ZRANGE"]-ranges-40, "but for those of the other process")
	}
	for i := range 40 {
		stands, asked := card(p, fmt.Sprint("new", i))
		require.Zero(t, stands.PreviousRank)
		require.LessOrEqual(t, asked, int64(2), "the own rank of this week, and that of the one before")
	}
	_, err := p.Boards.Card(t.Context(), week, "nobody")
	require.ErrorIs(t, err, board.ErrNotOnBoard)
}
