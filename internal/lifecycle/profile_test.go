package lifecycle_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// shown returns how another process, which knows nobody, shows the board's players.
func (k *kit) shown(t *testing.T) map[string]game.Profile {
	t.Helper()
	p := k.process()
	page, err := p.Boards.Page(context.Background(), k.dayBoard(p, "first"), game.PageRequest{Limit: 10})
	require.NoError(t, err)
	profiles := map[string]game.Profile{}
	for _, e := range page.Entries {
		profiles[e.Player] = e.Profile
	}
	return profiles
}

func TestNamesTravelWithTheSubmission(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		submit := func(player string, profile game.Profile) {
			s := k.play("first", player, 5)
			s.Profile = profile
			_, err := k.process().Boards.Submit(ctx, s)
			require.NoError(t, err)
		}
		submit("ana", game.Profile{Name: "Ana", Country: "BR"})
		submit("ben", game.Profile{Country: "DE"})
		submit("eve", game.Profile{})
		require.Equal(t, map[string]game.Profile{"ana": {Name: "Ana", Country: "BR"}, "ben": {Country: "DE"}, "eve": {}}, k.shown(t))
		submit("ana", game.Profile{Country: "FR"})
		submit("ben", game.Profile{Name: "Ben"})
		require.Equal(t, game.Profile{Name: "Ana", Country: "FR"}, k.shown(t)["ana"], "who has a name does not lose it to a nameless credential")
		require.Equal(t, "Ben", k.shown(t)["ben"].Name)
	})
}

func profileOf(page game.Page, player string) game.Profile {
	for _, e := range page.Entries {
		if e.Player == player {
			return e.Profile
		}
	}
	return game.Profile{}
}

func TestDetailsBelongToTheScoreThatStands(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		rows := []struct {
			mode, details string
			score         game.Score
			shows         string
		}{
			{"first", `{"n":1}`, 500, `{"n":1}`},
			{"first", `{"n":2}`, 900, `{"n":1}`}, // kept
			{"best", `{"n":1}`, 500, `{"n":1}`},
			{"best", `{"n":2}`, 400, `{"n":1}`}, // kept
			{"best", `{"n":3}`, 900, `{"n":3}`},
			{"best", ``, 950, ``}, // improved without details
			{"latest", `{"n":1}`, 5, `{"n":1}`},
			{"latest", `{"n":2}`, 3, `{"n":2}`},
		}
		for _, row := range rows {
			s := k.play(row.mode, "p1", row.score)
			s.Details = []byte(row.details)
			p := k.process()
			_, err := p.Boards.Submit(ctx, s)
			require.NoError(t, err)
			card, err := k.process().Boards.Card(ctx, k.dayBoard(p, row.mode), "p1")
			require.NoError(t, err)
			require.Equal(t, row.shows, string(card.Details), "%+v", row)
		}
	})
}
