package usage_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// What a process does for viewers is reported as it happens, each command once.
func TestWhatIsDoneForViewersIsCounted(t *testing.T) {
	_, client := connect(t)
	var out bytes.Buffer
	now := testkit.Still(noon)
	watch := usage.New(usage.Options{Function: "live", Now: now.Now, Lines: &out, Counters: usage.NewCounters(client, "live", "a")})
	ctx, tell := watch.Ongoing(t.Context())
	tell()
	require.Empty(t, out.String(), "nothing was done")
	require.NoError(t, spend(ctx, client, 30))
	tell()
	require.NoError(t, spend(ctx, client, 12))
	require.NoError(t, spend(t.Context(), client, 5), "for somebody else")
	tell()
	tell()
	require.Equal(t, 2, strings.Count(out.String(), `"Route":"live"`), out.String())
	require.Contains(t, out.String(), `"Commands":30`)
	require.Contains(t, out.String(), `"Commands":12`)
	require.NoError(t, watch.Close(t.Context()))
	days, err := usage.NewLedger(client, nil).Days(t.Context(), today, today)
	require.NoError(t, err)
	require.EqualValues(t, 42, days[0].Parts[usage.Part{Function: "live", Route: usage.Ongoing, Caller: string(usage.Viewers)}].Commands)
}
