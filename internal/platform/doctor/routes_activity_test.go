package doctor_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/doctor"
)

// A route of an optional feature may be missing, unless the game says that it has the feature.
func TestAFeatureThatIsNotDeployedIsNamed(t *testing.T) {
	f := newFront(t)
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/game" {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"features":["xp","activity"]}`)
		return true
	}
	report := doctor.Examine(t.Context(), f.options(t))
	require.True(t, report.Sick())
	for _, c := range report.Checks {
		if c.State == doctor.Wrong && c.Name == "routes" {
			require.Contains(t, c.Says, "POST /v1/events: not served")
			return
		}
	}
	require.Fail(t, "not told", report.String())
}
