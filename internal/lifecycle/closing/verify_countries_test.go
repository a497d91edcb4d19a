package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// look reads a board of a scope, which makes it, and a card on it.
func (k *kit) look(b game.Board, scope, player string) {
	k.t.Helper()
	of, err := game.ParseScope(scope)
	require.NoError(k.t, err)
	b = game.BoardOf(b.Mode, b.Period, of)
	_, err = k.process().Store.Boards.Page(context.Background(), b, game.PageRequest{Limit: 10})
	require.NoError(k.t, err)
	if player != "" {
		_, err = k.process().Store.Boards.Card(context.Background(), b, player)
		require.NoError(k.t, err)
	}
}

// Verify finds what the boards of countries and regions must not have, of open and of closed
// periods: players who are on no board of all players, and scores that were taken out. What
// only nobody has looked at since is no difference.
func TestVerifyComparesCountriesAndRegions(t *testing.T) {
	onEngines(t, func(k *kit) {
		ctx := context.Background()
		k.t = t
		k.playDays(monday, 3, 8)
		today := monday.AddDays(3)
		k.at(today, 12, 0)
		for i := range 5 { // looked at before everybody has played
			for _, m := range k.game.Modes[:3] {
				k.play(m.Name, []string{"pp", "ppp", "pppp", "q", "qq"}[i], today, game.Score(1+i))
				if !game.RanksByCountry(m) {
					continue
				}
				for _, p := range append(k.game.PeriodsOf(today), game.Day.Of(today), game.Day.Of(monday)) {
					for _, scope := range []string{"country:BR", "country:DE", "country:JP", "region:EU", "region:SA"} {
						k.look(game.BoardOf(m, p, game.Scope{}), scope, "")
					}
				}
			}
		}
		k.play("best", "pp", today, 50)
		k.look(game.BoardOf(k.mode("best"), game.Week.Of(today), game.Scope{}), "country:JP", "pp") // its entry is put in at once
		k.agree()

		spoil := func(command ...string) {
			_, err := k.server.Redis().Do(ctx, command...)
			require.NoError(t, err)
		}
		m := k.mode("best")
		key := func(p game.Period, scope string) string {
			of, err := game.ParseScope(scope)
			require.NoError(t, err)
			return game.BoardKey(m.Name, p, of)
		}
		spoil("ZADD", key(game.Day.Of(monday), "country:DE"), "77", "cheat")
		spoil("ZADD", key(game.Day.Of(today), "region:EU"), "77", "cheat")
		spoil("ZADD", key(game.Week.Of(today), "country:JP"), "XX", "99000", "pp")
		spoil("ZADD", key(game.AllTime.Of(today), "region:AF"), "5", "cheat")
		spoil("ZADD", key(game.Week.Of(today), "country:JP"), "XX", "0", "qq") // as if nobody had looked since
		var differences []lifecycle.Difference
		_, err := k.process().Verify(ctx, func(d lifecycle.Difference) { differences = append(differences, d) })
		require.NoError(t, err)
		var keys []string
		for _, d := range differences {
			keys = append(keys, d.Key+" "+d.Player)
			if d.Player == "cheat" {
				require.Equal(t, "-", d.Postgres)
			}
		}
		require.ElementsMatch(t, []string{
			key(game.Day.Of(monday), "country:DE") + " cheat", key(game.Day.Of(today), "region:EU") + " cheat",
			key(game.Week.Of(today), "country:JP") + " pp", key(game.AllTime.Of(today), "region:AF") + " cheat",
		}, keys)
	})
}
