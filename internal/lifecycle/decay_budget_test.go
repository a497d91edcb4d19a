package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// What a look at a board that decays costs, when days have been rolled up and eight still have
// boards of their own: making it, looking at it within a minute, and the own entry after a
// play that another process took. A submission pays nothing for it.
func TestDecayedBoardsStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = testkit.Game(t, "name: t\nrefresh: 5s\nmodes:\n  fading: {max: 100, decay: {factor: 0.95}}\n  plain: {max: 100}\n")
		k.ageless()
		submitted := map[string]int64{}
		for day := range 15 {
			k.clock.Set(noon.AddDate(0, 0, day))
			p := k.process()
			_, err := runDaily(t.Context(), p, nil)
			require.NoError(t, err)
			for _, player := range []string{"p2", "p3"} {
				for _, mode := range []string{"plain", "fading"} {
					_, err := p.Boards.Submit(t.Context(), k.play(mode, player, 5))
					require.NoError(t, err)
				}
			}
			for _, mode := range []string{"plain", "fading"} {
				_, err := p.Boards.Page(t.Context(), game.BoardOf(k.mode(mode), game.AllTime.Of(k.today()), game.Scope{}), game.PageRequest{Limit: 1})
				require.NoError(t, err) // the closing of a day makes boards that were looked at
				submitted[mode], _ = p.spent(func() {
					_, err := p.Boards.Submit(t.Context(), k.play(mode, "p1", 5))
					require.NoError(t, err)
				})
			}
		}
		require.LessOrEqual(t, submitted["fading"], submitted["plain"], "a submission")
		for _, row := range []struct {
			mode                    string
			made, trips, fresh, own int64 // billed commands
		}{
			{"plain", 8, 6, 6, 13},
			{"fading", 23, 10, 6, 13},
		} {
			k.clock.Pass(10 * time.Minute)
			p, other := k.process(), k.process()
			b := game.BoardOf(k.mode(row.mode), game.AllTime.Of(k.today()), game.Scope{})
			look := func(p *process) func() {
				return func() {
					_, err := p.Boards.Page(t.Context(), b, game.PageRequest{Limit: 100})
					require.NoError(t, err)
				}
			}
			before := k.redis.Ran()
			made, trips := p.spent(look(p))
			require.Equal(t, made, k.redis.Ran()-before, "the meter and Redis itself disagree")
			again, _ := p.spent(look(p))
			fresh, _ := other.spent(look(other))
			_, err := other.Boards.Submit(t.Context(), k.play(row.mode, "p2", 5))
			require.NoError(t, err)
			own, _ := p.spent(func() {
				_, err := p.Boards.Card(t.Context(), b, "p2")
				require.NoError(t, err)
			})
			require.LessOrEqual(t, made, row.made, "making the board of %s", row.mode)
			require.LessOrEqual(t, trips, row.trips, "round trips of making the board of %s", row.mode)
			require.Zero(t, again, "looking again at %s", row.mode)
			require.LessOrEqual(t, fresh, row.fresh, "%s in another process", row.mode)
			require.LessOrEqual(t, own, row.own, "one's own entry of %s", row.mode)
		}
	})
}
