package duelstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/game"
)

func decided(id string, minute int, a, b string, winner int) duel.Duel {
	at := noon.Add(time.Duration(minute) * time.Minute)
	return duel.Duel{
		ID: id, State: duel.Decided, Players: [2]string{a, b}, Mode: "daily", CreatedAt: at, K: 32,
		Outcome: &duel.Outcome{Winner: winner, Score: &[2]int64{3, 1}}, By: duel.ByServer, DecidedAt: at.Add(time.Second),
		Ratings: [2]duel.RatingChange{{Before: 1000, After: 1000.1 + 1e-13, Rank: 1}, {Before: 1000, After: 999.9, Rank: 2}},
		Points:  [2]int64{80, 10}, XP: [2]int64{88, 11},
	}
}

func TestDuelsAreKeptOnceAndListedNewestFirst(t *testing.T) {
	a := open(t)
	require.NoError(t, duelstore.In(a).Put(ctx, nil))
	var all []duel.Duel
	for i := range 6 {
		all = append(all, decided(fmt.Sprintf("d%d", i), i/2, []string{"p", "q"}[i%2], []string{"q", "p"}[i%2], i%3-1))
	}
	all[5].Outcome.Score = nil
	require.NoError(t, duelstore.In(a).Put(ctx, append(all, decided("other", 9, "q", "r", 0))))
	changed := all[0]
	changed.Ratings[0].After = 5
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{changed}))

	var listed []duel.Duel
	at, id := noon.Add(time.Hour), ""
	for {
		some, err := duelstore.In(a).Of(ctx, "p", at, id, 4)
		require.NoError(t, err)
		listed = append(listed, some...)
		if len(some) < 4 {
			break
		}
		at, id = some[3].CreatedAt, some[3].ID
	}
	require.Len(t, listed, 6)
	for i := range all {
		require.Equal(t, all[5-i], listed[i])
	}
}

func TestADisputedDuelIsReplacedByItsDecision(t *testing.T) {
	a := open(t)
	disputed := duel.Duel{ID: "d", State: duel.Disputed, Players: [2]string{"p", "q"}, CreatedAt: noon, K: 32}
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{disputed}))
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{decided("d", 0, "p", "q", duel.NoWinner)}))
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{disputed}))
	listed, err := duelstore.In(a).Of(ctx, "q", noon.Add(time.Hour), "", 5)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Equal(t, duel.Decided, listed[0].State)
	require.Equal(t, duel.NoWinner, listed[0].Outcome.Winner)
}

func TestAnErasedPlayersDuelsStayForTheOther(t *testing.T) {
	a := open(t)
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{decided("before", 0, "p", "q", 0)}))
	_, err := a.ErasePlayer(ctx, "p", game.Act{ID: "1", Actor: "operator", At: noon.Add(time.Hour)})
	require.NoError(t, err)
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{decided("late", 5, "q", "p", 0), decided("anew", 90, "q", "p", 0)}))
	listed, err := duelstore.In(a).Of(ctx, "q", noon.Add(3*time.Hour), "", 5)
	require.NoError(t, err)
	require.Len(t, listed, 3)
	require.Equal(t, [2]string{"q", "p"}, listed[0].Players, "who comes again begins anew")
	require.Equal(t, [2]string{"q", archive.Erased}, listed[1].Players)
	require.Equal(t, [2]string{archive.Erased, "q"}, listed[2].Players)
}
