package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const claimedErasedGame = `
name: claimederased
outbox: true
anonymous: true
audit: {since: 2026-11-09, months: 24}
currencies: {coins: {daily: 2}}
modes:
  daily: {max: 1000, xp: 1, scopes: [country, region, group], details: true, levels: 3}
`

// A device plays, some of it long before it is claimed, and some of it is saved only after the
// claim. The owner's export has what it sent, and nothing of the device or the owner is left when
// the owner is erased and the next night has passed.
func TestWhatAClaimedDeviceHasSentIsItsOwners(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = claimedErasedGame
	w.restart()
	w.play("dev_1", "daily", 100)
	w.play("dev_2", "daily", 100)
	w.play("dev_other", "daily", 100)
	require.NoError(w, w.save())
	w.nights(9)
	w.play("dev_1", "daily", 300)
	w.play("owner", "daily", 200)
	require.NoError(w, w.save())
	for _, device := range []string{"dev_1", "dev_2"} {
		_, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), device, "owner")
		require.NoError(w, err)
	}
	w.play("dev_1", "daily", 400) // in a process that does not know of the claim yet
	w.nights(2)                   // a night looks after the claim
	require.NoError(w, w.save())

	d := w.read("owner")
	require.True(w, d.Known)
	require.Len(w, d.Submissions, 5)
	for _, sent := range d.Submissions {
		require.NotEmpty(w, sent.Details)
	}
	var devices []string
	for _, device := range d.Devices {
		devices = append(devices, device.Device)
	}
	require.ElementsMatch(w, []string{"dev_1", "dev_2"}, devices)
	require.Len(w, w.read("dev_other").Submissions, 1)

	w.erases("owner")
	names := map[string]bool{"owner": true, "dev_1": true, "dev_2": true}
	for place, words := range w.words() {
		switch place {
		case "table submissions", "table score_audit", "table profiles", "table claims":
			for name := range names {
				require.False(w, words[name], "%s has %s", place, name)
			}
		}
	}
	for range 2 { // the first run erases the devices, the second forgets their groups
		w.now = w.now.Add(10 * time.Hour)
		w.restart()
		w.daily()
		require.NoError(w, w.save())
	}
	for place, words := range w.words() {
		for name := range names {
			require.False(w, words[name], "%s has %s", place, name)
		}
	}
	members := w.do("ZRANGE", game.GroupsPlayedKey, "0", "-1").([]any)
	for _, member := range members {
		require.NotContains(w, member, "dev_1")
		require.NotContains(w, member, "dev_2")
	}
	require.Len(w, w.read("dev_other").Submissions, 1)
	require.Empty(w, w.read("owner").Submissions)
}
