package backfill

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

// Whoever is erased while an import writes a day does not come back by it, and the
// import goes on where it was.
func TestAnErasureSupersedesAnImportedDay(t *testing.T) {
	ctx := t.Context()
	a, err := archive.Open(archive.Options{URL: archivetest.Database(t)})
	require.NoError(t, err)
	t.Cleanup(func() { a.Close(context.WithoutCancel(ctx)) })
	d := game.NewDate(2025, time.March, 1)
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	i := NewTable(a, "files")
	require.NoError(t, i.Begin(ctx, "past.csv", at))
	day, err := i.BeginDay(ctx, "daily", d)
	require.NoError(t, err)
	require.True(t, day.New)
	require.False(t, day.Erased)
	require.NoError(t, day.Put(ctx, []game.Result{{Player: "a", Stored: 1}, {Player: "b", Stored: 2}}))
	_, err = a.ErasePlayer(ctx, "b", game.Act{ID: "1", Actor: "me", At: at})
	require.NoError(t, err)
	require.ErrorIs(t, day.Put(ctx, []game.Result{{Player: "c", Stored: 3}}), archive.ErrSuperseded)
	require.ErrorIs(t, day.Finish(ctx, at), archive.ErrSuperseded)

	day, err = i.BeginDay(ctx, "daily", d)
	require.NoError(t, err)
	require.Equal(t, "b", day.Through)
	require.True(t, day.Erased)
	require.False(t, day.New || day.Done)
	erased, err := i.FindErased(ctx, []string{"b", "c", "b"}, []time.Time{d.Midnight(), d.Midnight(), at.Add(time.Second)})
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, erased)
	require.NoError(t, day.Put(ctx, []game.Result{{Player: "c", Stored: 3}}))
	require.NoError(t, day.Finish(ctx, at))
	kept, err := a.Days.Between(ctx, "daily", d, d)
	require.NoError(t, err)
	require.EqualValues(t, 2, kept[0].Players)
	require.True(t, kept[0].Complete)

	again, err := i.BeginDay(ctx, "daily", d)
	require.NoError(t, err)
	require.True(t, again.Done)
	require.Empty(t, again.Through, "no id is kept longer than it is needed")
}
