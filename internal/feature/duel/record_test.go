package duel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

// A record is refused, or says after writing and reading it again what it said
// the first time.
func FuzzRecord(f *testing.F) {
	for _, seed := range []string{
		"waiting,a,,,1763467200000,1763553600000",
		"ready,a,b,daily,1763467200000,1763553600000,48,a 3 1",
		"disputed,a,b,,1763467200000,1763553600000,32,a,b 0 2",
		"decided,a,b,,1763467200000,1763553600000,32,,,- 1 1,server,1000.1,999.70000000000005,2,1000,1000.4,1,1763467201000,10,11,10,11",
		"ready,a,b,,1,2,3, ,  \x00",
		"decided,a,b,,x,,1e999,c,ab 1,a 1 2 3,?,NaN",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values := strings.SplitN(text, ",", len(duel.Names))
		for len(values) < len(duel.Names) {
			values = append(values, "")
		}
		d, err := duel.Parse("id", values)
		if err != nil {
			require.Empty(t, d)
			return
		}
		written := duel.Record(d)
		again := make([]string, len(duel.Names))
		at := 0
		for i, name := range duel.Names {
			if at < len(written) && written[at] == name {
				again[i] = written[at+1]
				at += 2
			}
		}
		require.Equal(t, len(written), at, "fields in their order")
		same, err := duel.Parse("id", again)
		require.NoError(t, err)
		require.Equal(t, written, duel.Record(same))
	})
}
