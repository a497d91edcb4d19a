package jobs_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// A night closes a day and gives a badge: each endpoint of the game file gets a message of
// each. The status reports messages that cannot be delivered.
func TestANightIsTold(t *testing.T) {
	var mu sync.Mutex
	var said []string
	code := http.StatusServiceUnavailable
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		said = append(said, regexp.MustCompile(`\.\d+Z`).ReplaceAllString(string(body), "Z")) // the clock goes on
		w.WriteHeader(code)
	}))
	t.Cleanup(shop.Close)
	testkit.OnEngines(t, func(t *testing.T, address string) {
		said, code = nil, http.StatusServiceUnavailable
		d, ctx := newStores(t, address, fmt.Sprintf(`name: g
badges: {first: {title: First, rank: 1, period: day}}
webhooks: {shop: {url: %s, events: [period.closed, badge.given]}}
modes: {a: {max: 100}}
`, shop.URL)), t.Context()
		secrets, err := jobs.WebhookSecrets(func(string) string {
			return " one one one one one one one one one ,two two two two two two two two two"
		})
		require.NoError(t, err)
		require.Len(t, secrets, 2)
		day := game.DateOf(d.now)
		_, err = d.app.Store().Boards.Submit(ctx, game.Submission{Mode: d.app.Game().Modes[0], Player: "user_a", Date: day, Score: 7, At: d.now})
		require.NoError(t, err)
		d.now = day.AddDays(1).Midnight().Add(20 * time.Minute)
		job := d.job()
		job.Secrets(secrets)
		_, err = job.Daily(ctx, d.now)
		require.NoError(t, err, "that nobody can be told is not the run's failure")
		require.Len(t, said, 2)

		plan, err := status.NewPlan(func(string) string { return "" })
		require.NoError(t, err)
		report, err := jobs.Status(d.app, d.history, plan).Report(ctx)
		require.NoError(t, err)
		require.Len(t, report.Webhooks, 2)
		require.Contains(t, fmt.Sprint(report.Problems), "deliveries of badge.given to shop are failing, 1 pending: status 503")

		said, code = nil, http.StatusNoContent
		d.now = d.now.Add(4 * time.Hour)
		_, err = job.Save(ctx, d.now)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{
			`{"type":"period.closed","timestamp":"` + day.AddDays(1).String() + `T00:20:00Z","data":{"first":"` + day.String() + `","key":"` + day.String() + `","last":"` + day.String() + `","mode":"a","period":"day","players":1}}`,
			`{"type":"badge.given","timestamp":"` + day.AddDays(1).String() + `T00:20:00Z","data":{"badge":"first","earned":"` + day.String() + `","first":"` + day.String() + `","last":"` + day.String() + `","mode":"a","period":"day","player":"user_a","scope":"global","title":"First"}}`,
		}, said)
		report, err = jobs.Status(d.app, d.history, plan).Report(ctx)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprint(report.Problems), "shop")
	})
	_, err := jobs.WebhookSecrets(func(string) string { return "short" })
	require.EqualError(t, err, "WEBHOOK_SECRETS: there is a secret of 5 characters: use at least 32, separated by commas")
}
