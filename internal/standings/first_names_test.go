package standings_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
)

// In a small game a process reads its first names as one page of all profiles: one command
// instead of one for the player and two for the players shown next.
func TestTheFirstNamesOfASmallGameAreOnePage(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		submit := func(p *process, player, name string) (commands int64) {
			s := k.play("first", player, 5)
			s.Profile = game.Profile{Name: name}
			commands, _ = p.spent(func() {
				_, err := p.Boards.Submit(t.Context(), s)
				require.NoError(t, err)
			})
			return commands
		}
		one := k.process()
		for _, player := range []string{"ana", "ben", "eve"} {
			submit(one, player, "old "+player)
		}
		p := k.process()
		require.NoError(t, p.Notices.MayWrite(t.Context())) // which reads the notes of other processes
		submit(p, "ana", "old ana")
		commands, _ := p.spent(func() {
			_, err := p.Boards.Names(t.Context(), []string{"ana", "ben", "eve", "nobody"})
			require.NoError(t, err)
		})
		require.Zero(t, commands, "all are known, and who has no name")
		submit(k.process(), "eve", "new eve")
		require.Equal(t, "new eve", k.shown(t)["eve"].Name)
	})
}

// A game with small days may have had more players than a page has room for: the process asks
// for those whom the page lacks, and what their credentials say reaches Redis.
func TestWhoIsNotOnTheFirstPageOfNamesIsAskedFor(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		record := []string{"HSET", game.ProfilesKey}
		for i := range 6000 {
			record = append(record, fmt.Sprint("player", i), profiles.Record(game.Profile{Name: fmt.Sprint("name ", i)}, noon))
		}
		k.redis.Do(record...)
		for i := 0; i < 6000; i += 1500 {
			for _, name := range []string{fmt.Sprint("name ", i), "another"} {
				player, p := fmt.Sprint("player", i), k.process()
				require.NoError(t, p.Notices.MayWrite(t.Context()))
				s := k.play("first", player, 5)
				s.Profile = game.Profile{Name: name}
				_, err := p.Boards.Submit(t.Context(), s)
				require.NoError(t, err)
				read, err := k.process().Boards.Names(t.Context(), []string{player})
				require.NoError(t, err)
				require.Equal(t, name, read[player].Name)
			}
		}
		p := k.process()
		require.NoError(t, p.Notices.MayWrite(t.Context()))
		page, err := p.Boards.Page(t.Context(), k.dayBoard(p, "first"), game.PageRequest{Limit: 10})
		require.NoError(t, err)
		for _, e := range page.Entries {
			require.NotEmpty(t, e.Profile.Name)
		}
	})
}
