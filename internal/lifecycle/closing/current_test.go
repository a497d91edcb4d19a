package closing_test

import (
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// The history has one record for each player and written board, with the score that counts
// now: another play changes the record and adds none. The boards can be made again in an empty
// Redis from the history alone.
func TestPostgresHasOneCurrentScoreForEachPlayerAndBoard(t *testing.T) {
	onEngines(t, func(k *kit) {
		ctx := t.Context()
		modes := []string{"first", "best", "fastest", "latest", "coins"}
		k.at(monday, 12, 0)
		boards := func() map[string][]game.Entry {
			all := map[string][]game.Entry{}
			for _, name := range modes {
				for _, kind := range []game.PeriodKind{game.Day, game.Week} {
					b := game.BoardOf(k.mode(name), kind.Of(monday), game.Scope{})
					page, err := k.process().Store.Boards.Page(ctx, b, game.PageRequest{Limit: 100})
					require.NoError(t, err)
					all[b.Key] = page.Entries
				}
			}
			return all
		}
		for round := range 3 {
			for i, player := range []string{"ana", "ben", "cid"} {
				for _, mode := range modes {
					k.play(mode, player, monday, game.Score(10+(7*round+5*i)%17))
				}
			}
			k.at(monday, 13+round, 0)
			for range 2 { // saving twice records nothing twice
				_, err := k.process().Save(ctx)
				require.NoError(t, err)
			}
			require.Equal(t, k.standingScores(modes), k.recordedScores(), "after round %d", round)
		}
		before := boards()
		_, err := k.server.Redis().Do(ctx, "FLUSHALL")
		require.NoError(t, err)
		_, err = k.process().Restore(ctx, closing.RestoreOptions{})
		require.NoError(t, err)
		k.at(monday, 16, 0)
		require.Equal(t, before, boards())
	})
}

// standingScores are the scores as monday's boards have them, by mode and player.
func (k *kit) standingScores(modes []string) map[string]float64 {
	k.t.Helper()
	all := map[string]float64{}
	for _, mode := range modes {
		b := game.BoardOf(k.mode(mode), game.Day.Of(monday), game.Scope{})
		reply, err := k.server.Redis().Do(k.t.Context(), "ZRANGE", b.Key, "0", "-1", "WITHSCORES")
		require.NoError(k.t, err)
		rows := reply.([]any)
		for i := 0; i < len(rows); i += 2 {
			score, err := strconv.ParseFloat(rows[i+1].(string), 64)
			require.NoError(k.t, err)
			all[mode+" "+rows[i].(string)] = score
		}
	}
	return all
}

// recordedScores returns the records of monday.
func (k *kit) recordedScores() map[string]float64 {
	k.t.Helper()
	db, err := pgx.Connect(k.t.Context(), k.url)
	require.NoError(k.t, err)
	defer func() { require.NoError(k.t, db.Close(k.t.Context())) }()
	rows, err := db.Query(k.t.Context(), `SELECT mode, player, stored FROM results WHERE date = $1`, monday.Midnight())
	require.NoError(k.t, err)
	all := map[string]float64{}
	for rows.Next() {
		var mode, player string
		var stored float64
		require.NoError(k.t, rows.Scan(&mode, &player, &stored))
		require.NotContains(k.t, all, mode+" "+player, "one record each")
		all[mode+" "+player] = stored
	}
	require.NoError(k.t, rows.Err())
	return all
}
