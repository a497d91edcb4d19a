package racestore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/game"
)

// raced is a race of two that is decided, and a third player who gave up.
func raced(id string, minute int, a, b, c string) race.Race {
	at := noon.Add(time.Duration(minute) * time.Minute)
	most := game.Score(1<<53 - 1)
	return race.Race{
		ID: id, State: race.Decided, Mode: "daily", Size: 5, Open: true,
		CreatedAt: at, StartsAt: at.Add(3 * time.Second), Until: at.Add(time.Minute), DecidedAt: at.Add(40 * time.Second),
		Seats: []race.Seat{
			{Player: a, K: 32, Score: &most, Place: 1, Rating: race.RatingChange{Before: 1000, After: 1010.1 + 1e-13}},
			{Player: b, K: 64, Score: new(game.Score), Place: 2, Rating: race.RatingChange{Before: 1000, After: 995}},
			{Player: c, K: 32, Left: true, Place: 3, Rating: race.RatingChange{Before: 1000, After: 994.9}},
		},
	}
}

func TestRacesAreKeptOnceAndRead(t *testing.T) {
	a := open(t)
	require.NoError(t, racestore.In(a).Put(ctx, nil))
	var all []race.Race
	for i := range 1200 {
		all = append(all, raced(fmt.Sprintf("r%04d", i), i/2, "p", "q", "r"))
	}
	all[7].State = race.Expired
	require.NoError(t, racestore.In(a).Put(ctx, all))
	changed := raced("r0000", 0, "p", "q", "r")
	changed.Seats[0].Rating.After = 5
	require.NoError(t, racestore.In(a).Put(ctx, []race.Race{changed}))
	var read []race.Race
	require.NoError(t, racestore.In(a).Since(ctx, noon, func(page []race.Race) error {
		read = append(read, page...)
		return nil
	}))
	require.Equal(t, all, read)
	of, err := racestore.In(a).Of(ctx, "q", noon.Add(24*time.Hour), "", 3)
	require.NoError(t, err)
	require.Equal(t, []race.Race{all[1199], all[1198], all[1197]}, of)
	of, err = racestore.In(a).Of(ctx, "q", of[2].CreatedAt, of[2].ID, 1)
	require.NoError(t, err)
	require.Equal(t, all[1196:1197], of)
}

func TestErasedPlayersAreNotNamedByRaces(t *testing.T) {
	a := open(t)
	require.NoError(t, racestore.In(a).Put(ctx, []race.Race{raced("r1", 0, "p", "q", "r")}))
	_, err := a.ErasePlayer(ctx, "q", game.Act{ID: "act", Actor: "op", At: noon.Add(time.Hour)})
	require.NoError(t, err)
	require.NoError(t, racestore.In(a).Put(ctx, []race.Race{raced("r2", 1, "p", "q", "r")}), "it was on its way")
	of, err := racestore.In(a).Of(ctx, "p", noon.Add(24*time.Hour), "", 3)
	require.NoError(t, err)
	require.Len(t, of, 2)
	for _, r := range of {
		require.Equal(t, archive.Erased, r.Seats[1].Player)
	}
}
