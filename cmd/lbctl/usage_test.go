package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	metering "github.com/framedle/leaderboards/internal/usage"
)

func TestUsageIsPrintedByDayAndFunction(t *testing.T) {
	product := localProduct(t)
	day := game.DateOf(product.Clock.Now())
	for _, put := range []struct {
		ago      int
		function string
		commands int64
	}{{2, "submit", 8000}, {2, "leaderboard", 2000}, {1, "submit", 20000}, {0, "submit", 5}} {
		_, err := product.Upstash.Redis().Do(t.Context(), "HSET", metering.Key(day.AddDays(-put.ago)), put.function+":p", metering.Count{Calls: 1, Commands: put.commands}.String())
		require.NoError(t, err)
	}
	want := `        date  leaderboard  submit  commands
  2026-11-10        2,000   8,000    10,000  [############............]
  2026-11-11            0  20,000    20,000  [########################]
  2026-11-12            0       5         5  [........................]

month at this pace  450,000 commands
free plan           90.0% of 500,000 commands
pay as you go       $0.90
`
	status, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}, "usage", "-days", "3")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, want, out.stdout.String())

	status, out = lbctl(t, nil, "usage", "-days", "3", "-url", product.URL, "-players", "1500")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, want+"1,000 daily players $0.60 a month\n", out.stdout.String())
}

func TestUsageThatCannotBeHadSaysWhy(t *testing.T) {
	product := localProduct(t)
	for name, test := range map[string]struct {
		token string
		args  []string
		says  string
	}{
		"no product":          {"", []string{"-url", "http://127.0.0.1:1"}, "OPS_TOKEN must be set"},
		"an address in clear": {"", []string{"-url", "http://example.com"}, "use https"},
		"another token":       {"another token", nil, "status 401: "},
		"too many days":       {product.Secrets.OpsToken, []string{"-days", "91"}, "status 400: ?days: this must be a whole number from 1 to 90"},
		"players below 0":     {"", []string{"-players", "-1"}, "-players -1"},
		"an argument":         {"", []string{"now"}, "one argument too many"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": test.token}, append([]string{"usage"}, test.args...)...)
			require.Equal(t, statusFailed, status)
			require.Contains(t, out.stderr.String(), test.says)
			require.Empty(t, out.stdout.String())
		})
	}
}
