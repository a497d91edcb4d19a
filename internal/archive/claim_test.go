package archive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

// Claimed devices are listed page by page, each once, in the order of digests.
func TestClaimedDevicesAreListedInPages(t *testing.T) {
	a, _ := openAt(t, archivetest.Database(t), 1)
	var claims []game.Claim
	for _, device := range []string{"b", "d", "A", "e", "c"} {
		claims = append(claims, game.Claim{Device: device, Player: "p", At: time.UnixMilli(1)})
	}
	require.NoError(t, a.Claims.Put(ctx, claims))
	var pages [][]string
	for after := ""; ; {
		page, err := a.Claims.Devices(ctx, after, 2)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		pages = append(pages, page)
		after = page[len(page)-1]
	}
	require.Equal(t, [][]string{{"A", "b"}, {"c", "d"}, {"e"}}, pages)
}
