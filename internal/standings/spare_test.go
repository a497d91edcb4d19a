package standings_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// With spared bytes, a request reads a page and not a board, with few commands, whatever the
// size of the board and however old the process's knowledge of it.
func TestSparedBytesDoNotGrowWithTheBoard(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		pass := k.aging()
		for i, players := range []int{90, 900, 4000} {
			k.empty()
			k.inhabit(t, players)
			b := k.dayBoard(k.process(), "first")
			spent := map[bool]map[string]upstash.Usage{}
			for _, spares := range []bool{false, true} {
				k.sparesBytes = spares
				p := k.process()
				spent[spares] = map[string]upstash.Usage{}
				measure := func(name string, ask func()) {
					pass(20 * time.Second) // totals are due, and pages
					before := p.meter.Usage()
					ask()
					after := p.meter.Usage()
					spent[spares][name] = upstash.Usage{
						Commands: after.Commands - before.Commands, RoundTrips: after.RoundTrips - before.RoundTrips,
						BytesSent: after.BytesSent - before.BytesSent, BytesReceived: after.BytesReceived - before.BytesReceived,
					}
				}
				reads := board.NewReader(p.Boards, nil, nil)
				for round := range 3 { // the first two learn names and sizes
					player := fmt.Sprintf("new%d-%d-%v", i, round, spares)
					var outcome board.Outcome
					measure("submit", func() {
						sub := k.play("first", player, 700)
						sub.ShowsAround = true
						var err error
						outcome, err = p.Boards.Submit(t.Context(), sub)
						require.NoError(t, err)
					})
					measure("around", func() {
						page, err := reads.Around(t.Context(), b, player, 5, outcome.Seen())
						require.NoError(t, err)
						require.Len(t, page.Found.Entries, 11)
					})
					measure("page", func() {
						page, err := p.Boards.Page(t.Context(), b, game.PageRequest{Limit: 50})
						require.NoError(t, err)
						require.Len(t, page.Entries, 50)
					})
					measure("card of the week", func() {
						_, err := p.Boards.Card(t.Context(), weekBoard(k, p, "first"), player)
						require.NoError(t, err)
					})
				}
			}
			for name, u := range spent[true] {
				bytes := u.BytesSent + u.BytesReceived
				require.Less(t, bytes, int64(10_000), "%s of %d players: %d commands", name, players, u.Commands)
				require.LessOrEqual(t, u.Commands, spent[false][name].Commands+4, name)
			}
			if players == 900 { // there was something to spare
				submit := spent[false]["submit"]
				require.Greater(t, submit.BytesReceived, int64(20_000), "the whole board")
			}
			t.Logf("%d players, commands and bytes: %v", players, spent)
		}
	})
}
