package jobs

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/lifecycle"
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
	require.NotNil(t, list)
	require.Equal(t, []string{"*walletstore.Store"}, having[lifecycle.DayCloser](list))
	require.Equal(t, []string{"*badgestore.Store"}, having[lifecycle.PeriodCloser](list))
	require.Equal(t, []string{"*badgestore.Store"}, having[lifecycle.TopCloser](list))
	require.Equal(t, []string{"*badgestore.Store"}, having[lifecycle.GroupDayCloser](list))
	require.Equal(t, []string{"*walletstore.Store"}, having[lifecycle.Saver](list))
	require.Equal(t, []string{"*walletstore.Store"}, having[lifecycle.Restorer](list))
	require.Equal(t, []string{"*walletstore.Store"}, having[lifecycle.Verifier](list))
	var tables []string
	for _, of := range Tables() {
		tables = append(tables, of.Name)
	}
	require.Equal(t, []string{
		"duels",
		"races",
		"acts",
		"leagues",
		"held plays",
		"memberships",
		"wallets",
		"badges",
		"friends",
		"score audit",
	}, tables, "an erasure takes locks in this order")
	kept, err := archive.Open(archive.Options{URL: "postgres://nowhere.invalid/none"}) // it dials nothing
	require.NoError(t, err)
	require.Equal(t, []string{"auditstore.Store"}, having[lifecycle.Recorder](Features(a, kept, nil, nil)))
	require.Equal(t, []string{"auditstore.Store"}, having[lifecycle.Maintainer](Features(a, kept, nil, nil)))
	var mirrors []string
	for _, m := range Sides(a, kept).Mirrors {
		mirrors = append(mirrors, m.Name)
	}
	// Profiles show which player a ban's digest is of; claims are found by their index.
	require.Equal(t, []string{
		"claim index", "profiles", "bans", "claims",
		"memberships",
		"friends",
		"duels",
		"held plays",
		"usage",
	}, mirrors)
	require.Equal(t, []string{
		"*duel.Store",
		"*race.Store",
		"*review.Store",
		"*wallet.Wallets",
		"*activity.Activity",
		"league.Records",
		"*presence.Presence",
		"*friend.Service",
	}, having[lifecycle.Eraser](erasers(a, kept)))
}
