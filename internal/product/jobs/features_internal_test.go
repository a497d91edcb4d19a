package jobs

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/lifecycle/port"
	"github.com/framedle/leaderboards/internal/product/app"
)

// having lists the types of the features that have a port, in their order.
func having[T any](features []any) (names []string) {
	for _, f := range features {
		if _, ok := f.(T); ok {
			names = append(names, fmt.Sprintf("%T", f))
		}
	}
	return names
}

// The order of features is part of what makes closings, restores and erasures right.
func TestFeaturesTakePartInThisOrder(t *testing.T) {
	g, err := app.LoadGame("typing") // it has presence
	require.NoError(t, err)
	a := app.New(app.Parts{Game: g, Redis: testkit.NewRedis(t, "").Client, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	list := Features(a, nil, nil, nil)
	wallets, badges := "*walletstore.Store", "*badgestore.Store"
	require.Equal(t, []string{wallets}, having[port.DayCloser](list))
	require.Equal(t, []string{badges}, having[port.PeriodCloser](list))
	require.Equal(t, []string{badges}, having[port.TopCloser](list))
	require.Equal(t, []string{badges}, having[port.GroupDayCloser](list))
	require.Equal(t, []string{wallets}, having[port.Saver](list))
	require.Equal(t, []string{wallets}, having[port.Restorer](list))
	require.Equal(t, []string{wallets}, having[port.Verifier](list))
	require.Equal(t, []string{
		"*duel.Store", "*race.Store", "*review.Store", "*wallet.Wallets", "*activity.Activity", "league.Records", "*presence.Presence", "*friend.Service",
	}, having[port.Eraser](erasers(a, &friend.Service{})))
}
