package board_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash/upstashtest"
)

func (k *kit) gathering() *process {
	return &process{board.New(board.Options{Redis: k.client, Game: k.game, Now: k.clock.Now, Elapsed: k.elapsed, GatherNames: true}), k.client.Meter()}
}

// shown is how another process, which knows nobody, shows the board's players.
func (k *kit) shown(t *testing.T) map[string]board.Profile {
	t.Helper()
	p := k.process()
	page, err := p.Page(context.Background(), k.dayBoard(p, "first"), board.PageRequest{Limit: 10})
	require.NoError(t, err)
	profiles := map[string]board.Profile{}
	for _, e := range page.Entries {
		profiles[e.Player] = e.Profile
	}
	return profiles
}

func TestNamesTravelWithTheSubmission(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		submit := func(player string, profile board.Profile) {
			s := k.play("first", player, 5)
			s.Profile = profile
			_, err := k.process().Submit(ctx, s)
			require.NoError(t, err)
		}
		submit("ana", board.Profile{Name: "Ana", Country: "BR"})
		submit("ben", board.Profile{Country: "DE"})
		submit("eve", board.Profile{})
		require.Equal(t, map[string]board.Profile{"ana": {Name: "Ana", Country: "BR"}, "ben": {Country: "DE"}, "eve": {}}, k.shown(t))
		submit("ana", board.Profile{Country: "FR"})
		submit("ben", board.Profile{Name: "Ben"})
		require.Equal(t, board.Profile{Name: "Ana", Country: "BR"}, k.shown(t)["ana"], "who has a name does not lose it to a nameless credential")
		require.Equal(t, "Ben", k.shown(t)["ben"].Name)
	})
}

func TestGatheredNamesAreWrittenTogether(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		s := k.play("first", "old", 5)
		s.Profile = board.Profile{Name: "Old", Picture: "https://example.com/o.png"}
		_, err := k.process().Submit(ctx, s)
		require.NoError(t, err)
		p := k.gathering()
		for player, profile := range map[string]board.Profile{"old": {Country: "FR"}, "ana": {Name: "Ana"}, "ben": {Name: "Ben", Country: "DE"}} {
			s := k.play("first", player, 5)
			s.Profile = profile
			_, err := p.Submit(ctx, s)
			require.NoError(t, err)
		}
		page, err := p.Page(ctx, k.dayBoard(p, "first"), board.PageRequest{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, "Ana", profileOf(page, "ana").Name, "shown here at once")
		require.Empty(t, k.shown(t)["ana"].Name, "and elsewhere after a flush")

		k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
			return upstashtest.Fault{Status: 400, Body: `{"error":"ERR no"}`}
		})
		require.Error(t, p.FlushProfiles(ctx))
		k.server.Inject(nil)
		commands, _ := p.spent(func() { require.NoError(t, p.FlushProfiles(ctx)) })
		require.EqualValues(t, 2, commands, "HMGET for the nameless, HSET for all")
		require.Equal(t, map[string]board.Profile{
			"old": {Name: "Old", Picture: "https://example.com/o.png", Country: "FR"}, "ana": {Name: "Ana"}, "ben": {Name: "Ben", Country: "DE"},
		}, k.shown(t))
		commands, _ = p.spent(func() { require.NoError(t, p.FlushProfiles(ctx)) })
		require.Zero(t, commands, "nothing is left to write")
	})
}

func profileOf(page board.Page, player string) board.Profile {
	for _, e := range page.Entries {
		if e.Player == player {
			return e.Profile
		}
	}
	return board.Profile{}
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
			_, err := p.Submit(ctx, s)
			require.NoError(t, err)
			card, err := k.process().Card(ctx, k.dayBoard(p, row.mode), "p1")
			require.NoError(t, err)
			require.Equal(t, row.shows, string(card.Details), "%+v", row)
		}
	})
}

// A score that is kept out of the day's board must not come in through a
// country that was named with it.
func TestAKeptScoreEntersNoOtherScope(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		for _, play := range []struct {
			country string
			score   game.Score
		}{{"BR", 500}, {"FR", 900}, {"BR", 700}} {
			s := k.play("first", "p1", play.score)
			s.Scopes = []game.Scope{country(t, play.country)}
			outcome, err := k.process().Submit(ctx, s)
			require.NoError(t, err)
			require.Equal(t, game.Score(500), outcome.Score)
		}
		p := k.process()
		day := game.Day.Of(game.DateOf(noon))
		require.Len(t, wholeBoard(t, p, p.Board(k.mode("first"), day, country(t, "BR")), 5), 1)
		require.Empty(t, wholeBoard(t, p, p.Board(k.mode("first"), day, country(t, "FR")), 5))
	})
}
