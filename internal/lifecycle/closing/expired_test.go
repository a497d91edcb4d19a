package closing_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/gamefile"
)

// A day on which nothing gave XP is not reported as lost XP when its board does not exist,
// however late the run comes.
func TestAGameWithoutXPLosesNone(t *testing.T) {
	for name, c := range map[string]struct {
		weight string
		lost   int
	}{"without": {"", 0}, "with": {", xp: 1", 1}} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			var err error
			k.game, err = gamefile.Parse("plain.yaml", []byte("name: plain\nmodes:\n  plain: {max: 100"+c.weight+"}\n"))
			require.NoError(t, err)
			ctx := context.Background()
			k.at(monday, 12, 0)
			k.play("plain", "ana", monday, 5)
			k.at(monday.AddDays(1), 0, 20)
			_, err = k.process().Daily(ctx)
			require.NoError(t, err)
			k.at(monday.AddDays(12), 0, 20) // no run for longer than a day lives
			_, err = k.server.Redis().Do(ctx, "DEL", "lb:plain:"+monday.String(), "xp:"+monday.String())
			require.NoError(t, err)
			for range 2 {
				report, err := k.process().Daily(ctx)
				require.NoError(t, err)
				lost := 0
				for _, key := range report.Expired {
					if strings.HasPrefix(key, "xp:") {
						lost++
					}
				}
				require.Equal(t, c.lost, lost, report.Expired)
				require.Contains(t, report.Expired, "lb:plain:"+monday.String(), "the day itself is")
			}
		})
	}
}
