package jobs_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

const duelGame = `
name: testing
modes: {daily: {max: 10, xp: 1}}
duels: {xp: 1.1, points: {round: 10, win: 50, sweep: 25}, provisional: {duels: 10, k: 64}}
`

// duelist is a game with duels over both stores, with a model of their XP: a plain sum.
type duelist struct {
	*stores
	duels *duel.Store
	xp    map[string]int64
	made  int
}

// onDuels runs a test over the embedded Redis and over a real one.
func onDuels(t *testing.T, test func(d *duelist)) {
	testkit.OnEngines(t, func(t *testing.T, address string) { test(newDuelist(t, address, duelGame)) })
}

func newDuelist(t *testing.T, address, file string) *duelist {
	s := newStores(t, address, file)
	return &duelist{stores: s, duels: jobs.Duels(s.app, s.history), xp: map[string]int64{}}
}

// play lets players meet at random, with a few disputes.
func (d *duelist) play(duels int) {
	chance := rand.New(rand.NewPCG(uint64(d.made), 7))
	for range duels {
		a := chance.IntN(12)
		b := (a + 1 + chance.IntN(11)) % 12
		players := [2]string{fmt.Sprintf("user_%d", a), fmt.Sprintf("user_%d", b)}
		id := fmt.Sprintf("m%d", d.made)
		d.made++
		_, err := d.duels.Arrange(d.Context(), id, players, "")
		require.NoError(d, err)
		if d.made%50 == 0 {
			for i, player := range players {
				_, err = d.duels.Report(d.Context(), id, duel.Result{Player: player, Winner: players[i]})
				require.NoError(d, err)
			}
			continue
		}
		rounds := [2]int64{chance.Int64N(4), chance.Int64N(4)}
		result := duel.Result{Score: &rounds}
		points := [2]int64{10 * rounds[0], 10 * rounds[1]}
		for i := range 2 {
			if rounds[i] > rounds[1-i] {
				result.Winner = players[i]
				points[i] += 50
				if rounds[1-i] == 0 {
					points[i] += 25
				}
			}
		}
		answer, err := d.duels.Report(d.Context(), id, result)
		require.NoError(d, err)
		require.Equal(d, points, answer.Points)
		for i, player := range players {
			d.xp[player] += points[i] * 11 / 10
		}
	}
}

// board reads a whole board with all digits, in its order.
func (d *duelist) board(key string) []string {
	reply, err := d.app.Redis().Do(d.Context(), upstash.Cmd("ZREVRANGE", key, "0", "-1", "WITHSCORES"))
	require.NoError(d, err)
	texts, err := reply.Strings()
	require.NoError(d, err)
	return texts
}

func (d *duelist) lose() {
	_, err := d.app.Redis().Do(d.Context(), upstash.Cmd("FLUSHALL"))
	require.NoError(d, err)
}

func (d *duelist) agree() {
	report, err := d.duels.Keeper().Verify(d.Context(), func(key, player, redis, history string) {
		d.Errorf("%s of %s: %s in Redis, %s in the history", key, player, redis, history)
	})
	require.NoError(d, err)
	require.Zero(d, report.Differences)
}

func TestALostRedisGetsItsDuelsBack(t *testing.T) {
	onDuels(t, func(d *duelist) {
		d.play(400)
		d.agree() // players with a duel that is not archived are skipped
		d.now = d.now.Add(25 * time.Hour)
		_, err := d.job().Save(d.Context(), d.now)
		require.NoError(d, err)
		d.agree()
		ratings, xp, played := d.board(game.DuelKey), d.board(game.DuelXPKey), d.played()
		require.Len(d, ratings, 24)
		known, err := d.duels.Duel(d.Context(), "m7")
		require.NoError(d, err)

		d.lose()
		dry, err := d.duels.Keeper().Restore(d.Context(), true)
		require.NoError(d, err)
		require.Equal(d, duel.RestoreReport{Ratings: 12, XP: 12, Duels: 400}, dry)
		require.Empty(d, d.board(game.DuelKey))
		report, err := d.duels.Keeper().Restore(d.Context(), false)
		require.NoError(d, err)
		require.Equal(d, dry, report)
		require.Equal(d, ratings, d.board(game.DuelKey), "to the last bit, in the same order")
		require.Equal(d, xp, d.board(game.DuelXPKey))
		require.Equal(d, played, d.played())
		d.agree()
		report, err = d.duels.Keeper().Restore(d.Context(), false)
		require.NoError(d, err)
		require.Zero(d, report)

		again, err := d.duels.Duel(d.Context(), "m7")
		require.NoError(d, err)
		known.Until = again.Until
		require.Equal(d, known, again)
		_, err = d.duels.Arrange(d.Context(), "m7", known.Players, "")
		require.NoError(d, err)
		answer, err := d.duels.Report(d.Context(), "m7", duel.Result{Winner: winnerOf(known), Score: known.Outcome.Score})
		require.NoError(d, err)
		require.Equal(d, again, answer, "what is sent again counts once")
		require.Equal(d, ratings, d.board(game.DuelKey))
	})
}

func winnerOf(d duel.Duel) string {
	if d.Outcome.Winner == duel.NoWinner {
		return ""
	}
	return d.Players[d.Outcome.Winner]
}

func (d *duelist) played() map[string]string {
	reply, err := d.app.Redis().Do(d.Context(), upstash.Cmd("HGETALL", game.DuelsPlayedKey))
	require.NoError(d, err)
	texts, err := reply.Strings()
	require.NoError(d, err)
	all := map[string]string{}
	for i := 0; i < len(texts); i += 2 {
		all[texts[i]] = texts[i+1]
	}
	return all
}

// After a loss of Redis the number of duels that players have begun, on which K depends, is
// the same, including duels without any result. A restore never lowers it.
func TestDuelsBegunOutliveRedis(t *testing.T) {
	onDuels(t, func(d *duelist) {
		d.play(20)
		for i := range 9 { // nobody reports a result
			_, err := d.duels.Arrange(d.Context(), fmt.Sprint("silent", i), [2]string{"user_shy", "user_1"}, "")
			require.NoError(d, err)
		}
		d.now = d.now.Add(25 * time.Hour)
		_, err := d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		before := d.played()
		require.Equal(d, "9", before["user_shy"])
		d.lose()
		_, err = d.duels.Keeper().Restore(d.Context(), false)
		require.NoError(d, err)
		require.Equal(d, before, d.played())

		for i := range 2 { // the tenth with the provisional K, and one without
			made, err := d.duels.Arrange(d.Context(), fmt.Sprint("more", i), [2]string{"user_shy", fmt.Sprint("user_new", i)}, "")
			require.NoError(d, err)
			require.Equal(d, []float64{64, (32 + 64) / 2}[i], made.K)
		}
		before = d.played()
		_, err = d.duels.Keeper().Restore(d.Context(), false)
		require.NoError(d, err)
		require.Equal(d, before, d.played(), "duels under way count")
	})
}

// Duels decided after the last run are lost with Redis. Duels played after the loss, before a
// restore, count on top of what the archive has.
func TestDuelsPlayedAfterALossCountOnTop(t *testing.T) {
	onDuels(t, func(d *duelist) {
		d.play(100)
		_, err := d.duels.Keeper().Keep(d.Context())
		require.NoError(d, err)
		before := d.ratings()
		d.play(20) // lost
		d.lose()
		d.play(30)
		after := d.ratings()
		_, err = d.duels.Keeper().Restore(d.Context(), false)
		require.NoError(d, err)
		sum := 0.0
		for player, rating := range d.ratings() {
			gained := 0.0
			if rating, played := after[player]; played {
				gained = rating - 1000
			}
			require.InDelta(d, before[player]+gained, rating, 1e-9, player)
			sum += rating
		}
		require.InDelta(d, 12_000, sum, 1e-9)
		d.agree()
	})
}

func (d *duelist) ratings() map[string]float64 {
	all := map[string]float64{}
	texts := d.board(game.DuelKey)
	for i := 0; i < len(texts); i += 2 {
		rating, err := strconv.ParseFloat(texts[i+1], 64)
		require.NoError(d, err)
		all[texts[i]] = rating
	}
	return all
}
