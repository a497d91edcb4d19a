package backfill_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/game"
)

func drawPlay(t *rapid.T, name string) backfill.Play {
	var at time.Time
	if rapid.Bool().Draw(t, name+" timed") {
		at = time.Unix(rapid.Int64Range(-1e10, 1e10).Draw(t, name+" second"), rapid.Int64Range(0, 1).Draw(t, name+" nanosecond")).UTC()
	}
	return backfill.NewPlay(
		game.NewDate(2025, 1, rapid.IntRange(1, 2).Draw(t, name+" day")), rapid.IntRange(0, 1).Draw(t, name+" mode"),
		rapid.SampledFrom([]string{"a", "a:", "ab", "b", "A@"}).Draw(t, name+" player"), at,
		rapid.IntRange(0, 300).Draw(t, name+" file"), rapid.Int64Range(1, 1<<40).Draw(t, name+" line"),
		rapid.SampledFrom([]string{"", "{}", "\x00\xff"}).Draw(t, name+" details"))
}

func TestPlaysAreSortedByDayModePlayerTimeAndLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			a, b := drawPlay(t, "a"), drawPlay(t, "b")
			if order := a.Order(b); order != 0 {
				require.Equal(t, order, bytes.Compare(a.Bytes(), b.Bytes()))
			}
			read, err := backfill.ReadPlay(a.Bytes())
			require.NoError(t, err)
			require.Equal(t, a, read)
			_, err = backfill.ReadPlay(a.Bytes()[:len(a.Bytes())-1])
			require.Error(t, err)
		}
	})
}
