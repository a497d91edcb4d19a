package closing_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// Saving covers whichever modes were played; modes that nobody plays cost next to nothing.
func TestASavingReadsTheModesThatArePlayed(t *testing.T) {
	k := newKit(t)
	day := monday
	for played := range 1 << len(k.game.Modes) {
		day = day.AddDays(1)
		k.at(day, 12, 0)
		modes, last, details := int64(0), -1, false
		for i, m := range k.game.Modes {
			if played>>i&1 == 1 {
				k.play(m.Name, "ana", day, 3)
				k.play(m.Name, "ben", day, 2)
				modes, last, details = modes+1, i, details || m.Details
			}
		}
		var meter upstash.Meter
		saved, err := k.process().Save(upstash.WithMeter(t.Context(), &meter))
		require.NoError(t, err)
		require.Equal(t, 2*modes, saved.Results, "modes %05b", played)
		about := fmt.Sprintf("modes %05b: %v", played, meter.Usage().ByName)
		reads := meter.Usage().ByName["ZRANGE"]
		require.LessOrEqual(t, reads, int64(len(k.game.Modes)), about)
		if int64(last) == modes-1 { // the first ones are played
			require.LessOrEqual(t, reads, modes+2, about)
		}
		if !details {
			require.LessOrEqual(t, meter.Usage().ByName["HMGET"], min(modes, 1)+1, "names, and days that ended: "+about)
		}
		k.at(day.AddDays(1), 0, 20)
		_, err = k.process().Daily(t.Context())
		require.NoError(t, err)
	}
}
