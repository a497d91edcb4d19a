package gamefile

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDurationsAreWholeNumbersWithUnits(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0s": 0, "90s": 90 * time.Second, "15m": 15 * time.Minute, "24h": 24 * time.Hour, "8d": 192 * time.Hour,
		"1d12h": 36 * time.Hour, "1h30m": 90 * time.Minute, "1d2h3m4s": 26*time.Hour + 3*time.Minute + 4*time.Second,
		"9999d99999h9999999m999999999s": 9999*24*time.Hour + 99999*time.Hour + 9999999*time.Minute + 999999999*time.Second,
	} {
		got, ok := parseDuration(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "0", "5", "d", "s", "1.5h", "-1s", "+1s", "1m1h", "1s1s", "1 s", "1D", "5ms", "1h30", "10000d", "1w", "1y", "१s", "1s ",
	} {
		_, ok := parseDuration(text)
		require.False(t, ok, text)
	}
}

func FuzzParseDuration(f *testing.F) {
	for _, text := range []string{"8d", "1d12h", "90s", "1m1h", "1.5h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := parseDuration(text)
		if !ok {
			return
		}
		require.GreaterOrEqual(t, d, time.Duration(0))
		require.Zero(t, d%time.Second)
	})
}
