package client_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func TestEventsBecomeABoard(t *testing.T) {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	g, err := gamefile.Parse("campus.yaml", text)
	require.NoError(t, err)
	p := start(t, local.Options{Game: g})
	now := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	p.Clock.Set(now)
	lb, ctx := of(t, p, nil), t.Context()
	events := []client.Event{
		{ID: "e-1", Type: "chat.message", At: now.Add(-time.Minute), Group: "irvine", From: "user_a", To: "user_b"},
		{ID: "e-2", Type: "chat.shout", At: now.Add(-time.Minute), Group: "irvine", From: "user_a", To: "user_b"},
	}
	for _, want := range []client.EventResults{{New: 1}, {Known: 1}} {
		got, err := lb.SendEvents(ctx, events)
		require.NoError(t, err)
		require.Len(t, got.Refused, 1)
		require.Equal(t, 1, got.Refused[0].Index)
		require.Equal(t, "unknown_type", got.Refused[0].Reason)
		got.Refused = nil
		require.Equal(t, want, got)
	}
	_, err = p.Jobs.Compute(ctx, now)
	require.NoError(t, err)
	page, err := lb.Page(ctx, client.Board{Mode: "overall", Scope: "group:irvine"}, client.From{})
	require.NoError(t, err)
	require.Len(t, page.Entries, 2)
	require.Equal(t, client.Entry{Rank: 1, Player: "user_b", Score: 1}, page.Entries[0])
	_, err = lb.SendEvents(ctx, nil)
	require.ErrorContains(t, err, "use 1 to 500")
}
