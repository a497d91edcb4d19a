package past_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// holders lists who has a rule's badge, with its period.
func (k *kit) holders(rule string) (holders []string) {
	k.t.Helper()
	for _, player := range []string{"p0", "p1", "p2", "p3"} {
		badges, err := k.archive().Badges.Of(context.Background(), player, []string{rule}, game.Badge{}, 100)
		require.NoError(k.t, err)
		for _, b := range badges {
			holders = append(holders, player+" "+b.Key)
		}
	}
	return holders
}

// Days whose boards are in Redis close before the older days are on the boards of the month and
// of the season.
func TestAnImportGivesNoBadgesForPlacesInAPartOfAMonth(t *testing.T) {
	k := newKit(t, "", time.Date(2027, time.January, 13, 12, 0, 0, 0, time.UTC))
	summary := k.bringIn(k.options(header + "p0,best,2026-12-29,5000\np0,best,2027-01-02,5000\np1,best,2027-01-06,10\np2,best,2027-01-07,20\n"))
	require.NotZero(t, summary.Fresh.Days)
	require.NotZero(t, summary.Living.Days)
	require.Equal(t, []string{"p0 winter"}, k.holders("season_first"))
	k.agree()

	k = newKit(t, "", time.Date(2027, time.January, 2, 12, 0, 0, 0, time.UTC))
	k.bringIn(k.options(header + "p0,best,2026-12-05,5000\np1,best,2026-12-06,4000\np2,best,2026-12-30,10\n"))
	require.Equal(t, []string{"p0 2026-12", "p1 2026-12"}, k.holders("month_top2"))
	k.agree()
}

// A week that was over here with its last days alone has given its badges. They stay when its
// first days come, which give others; but no day that comes gives one before all have come.
func TestAnImportGivesNoBadgesForPlacesInAPartOfAWeek(t *testing.T) {
	k := newKit(t, "", time.Date(2026, time.December, 26, 12, 0, 0, 0, time.UTC))
	last := played{mode: "best", player: "p2", at: k.now, score: 10}
	k.live(game.DateOf(k.now), 2, []played{last})
	require.Equal(t, []string{"p2 2026-W52"}, k.holders("week_top2"))
	k.now = time.Date(2026, time.December, 30, 12, 0, 0, 0, time.UTC)
	k.expire()
	summary := k.bringIn(k.options(header + "p0,best,2026-12-21,5000\np1,best,2026-12-21,4000\np3,best,2026-12-24,20\n"))
	require.Equal(t, 1, summary.Fresh.Days)
	require.Equal(t, 1, summary.Living.Days)
	require.Equal(t, []string{"p0 2026-W52", "p1 2026-W52", "p2 2026-W52"}, k.holders("week_top2"))
	k.agree()
}
