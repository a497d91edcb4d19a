package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// What a look at boards of the last 7 and 30 days costs, with a score on every day: making
// one, reading it within the refresh interval, and a player's card.
func TestRollingDaysStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = testkit.Game(t, "name: t\nrefresh: 5s\nmodes:\n  daily: {policy: latest, max: 100, aggregate: sum, rolling: true}\n")
		k.ageless()
		k.clock.Set(noon)
		p := k.process()
		for range 31 {
			_, err := p.Boards.Submit(t.Context(), k.play("daily", "p1", 5))
			require.NoError(t, err)
			k.clock.Set(k.clock.Now().Add(24 * time.Hour))
		}
		today := k.game.Today(k.clock.Now())
		for _, row := range []struct {
			name              string
			kind              game.PeriodKind
			made, fresh, card int64 // billed commands at most; the first card has the 7 days before made
		}{
			{"the last 7 days", game.Last7, 9, 4, 9},
			{"the last 30 days", game.Last30, 8, 4, 4},
		} {
			p, other := k.process(), k.process()
			board := game.BoardOf(k.mode("daily"), row.kind.Of(today), game.Scope{})
			look := func(p *process) {
				page, err := p.Boards.Page(t.Context(), board, game.PageRequest{Limit: 100})
				require.NoError(t, err)
				require.Len(t, page.Entries, 1)
			}
			before := k.redis.Ran()
			made, _ := p.spent(func() { look(p) })
			require.LessOrEqual(t, made, row.made, "making the board of %s", row.name)
			require.Equal(t, made, k.redis.Ran()-before, "the meter and Redis itself disagree")
			again, _ := p.spent(func() { look(p) })
			require.Zero(t, again, "looking again at %s", row.name)
			fresh, _ := other.spent(func() { look(other) })
			require.LessOrEqual(t, fresh, row.fresh, "%s in another process", row.name)
			card, _ := p.spent(func() {
				_, err := p.Boards.Card(t.Context(), board, "p1")
				require.NoError(t, err)
			})
			require.LessOrEqual(t, card, row.card, "a card of %s", row.name)
		}
	})
}
