package usage_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// A request whose answer outlives its handler is recorded once, when its answer ends,
// with what was spent by then.
func TestARequestIsRecordedWhenItsAnswerEnds(t *testing.T) {
	_, client := connect(t)
	for name, before := range map[string]bool{"after its handler": false, "before": true} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			now := testkit.Still(noon)
			var end func()
			h := usage.New(usage.Options{Function: "leaderboard", Now: now.Now, Lines: &out}).Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				ended := usage.Outlasts(r.Context())
				end = func() {
					now.Pass(5 * time.Minute)
					require.NoError(t, spend(r.Context(), client, 7))
					ended()
				}
				if before {
					end()
				}
			}))
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
			if !before {
				require.Empty(t, out.String())
				end()
			}
			require.Equal(t, 1, strings.Count(out.String(), "\n"), out.String())
			require.Contains(t, out.String(), `"Commands":7`)
			require.Contains(t, out.String(), `"Duration":300000`)
			require.Contains(t, out.String(), `"Status":200`)
		})
	}
}
