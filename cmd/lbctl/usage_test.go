package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	metering "github.com/framedle/leaderboards/internal/platform/usage"
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

projected month     450,000 commands
free plan           90.0% of 500,000 commands
pay as you go       $0.90
`
	const bill = `
the month's bill, at list prices of 2026-11-22, on the cheapest plans: Upstash free
  dollars  no free tiers  quantity  of
     0.00           0.90   450,000  Upstash redis commands
     0.00           0.90            all
not counted: redis stored gb, AWS, Neon
`
	status, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}, "usage", "--days", "3")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, want+bill, out.stdout.String())

	status, out = lbctl(t, nil, "usage", "--days", "3", "--url", product.URL, "--players", "1500")
	require.Equal(t, statusGood, status, out.stderr.String())
	printed := out.stdout.String()
	answer := want + "1,000 daily players $0.60 a month\nthe plan supports   1,666 daily players\n" + bill + "\n  daily players  commands a month  dollars  no free tiers\n"
	require.True(t, strings.HasPrefix(printed, answer), printed)
	require.Contains(t, printed, "\n          1,000           300,000     0.00           0.60\n")
	require.Contains(t, printed, "\n      1,000,000       300,000,000   400.00         400.00\n")
}

// What a product with a history, another plan and Upstash's own figures answers.
func TestUsageIsPrintedBesideUpstashsFigures(t *testing.T) {
	product := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/v1/ops/usage?days=3&players=1000", r.URL.String())
		_, _ = w.Write([]byte(`{"days": [
			{"date": "2026-11-10", "commands": 10300, "upstash": 10000, "drift": 0.0291, "by_function": {"submit": {"commands": 10300, "accepted": 5000}}},
			{"date": "2026-11-11", "commands": 9000, "upstash": 10000, "drift": -0.1, "drifts": true, "by_function": {"submit": {"commands": 9000, "accepted": 4500}}},
			{"date": "2026-11-12", "commands": 700, "by_function": {"submit": {"commands": 700, "accepted": 500}}}],
			"projected_month": 289500, "plan": {"commands": 2000000, "share": 0.1448},
			"bill": {"prices": "2026-11-22", "dollars": 1.2, "dollars_without_free_tiers": 1.91, "plans": {"Upstash": "pay as you go", "AWS": "on demand", "Neon": "free"}, "not_counted": ["redis_stored_gb"], "lines": [
				{"vendor": "AWS", "item": "gateway_requests", "quantity": 620000, "unit": "requests", "dollars": 0.62, "dollars_without_free_tiers": 0.62},
				{"vendor": "AWS", "item": "log_gb", "quantity": 0.1425, "unit": "GB", "dollars": 0, "dollars_without_free_tiers": 0.0713},
				{"vendor": "AWS", "item": "sqs_requests", "quantity": 0, "unit": "requests", "dollars": 0, "dollars_without_free_tiers": 0},
				{"vendor": "Neon", "item": "postgres_cu_hours", "quantity": 6, "unit": "CU-hours", "dollars": 0, "dollars_without_free_tiers": 0.636},
				{"vendor": "Upstash", "item": "redis_commands", "quantity": 289500, "unit": "commands", "dollars": 0.58, "dollars_without_free_tiers": 0.58}]},
			"what_if": {"players": 1000, "guessed": false, "month": {"fixed": 4500, "a_player": 285}, "months": [
				{"players": 1000, "commands": 289500, "dollars": 1.2, "dollars_without_free_tiers": 6.95},
				{"players": 10000, "commands": 2854500, "dollars": 12.1, "dollars_without_free_tiers": 18.2}]},
			"budget": {"month": 30000, "month_before": 20300, "today": 700, "allowance": 510, "by_now": 319, "pace": 2.1944, "level": 2, "degraded": ["caches", "refresh"]}}`))
	}))
	t.Cleanup(product.Close)
	status, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": "token"}, "usage", "--days", "3", "--players", "1000")
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, `        date  submit  commands   upstash
  2026-11-10  10,300    10,300    10,000  [########################]
  2026-11-11   9,000     9,000  ! 10,000  [####################....]
  2026-11-12     700       700         ?  [#.......................]

! 2026-11-11: our count and Upstash's differ by 10.0%; see docs/operate/usage.md

projected month     289,500 commands
plan                14.5% of 2,000,000 commands
pay as you go       $0.58
accepted score      2.00 commands, of all functions
1,000 daily players $0.58 a month
the plan supports   6,908 daily players

the month's bill, at list prices of 2026-11-22, on the cheapest plans: AWS on demand, Neon free, Upstash pay as you go
  dollars  no free tiers  quantity  of
     0.62           0.62   620,000  AWS gateway requests
     0.00           0.07      0.14  AWS log gb
     0.00           0.64         6  Neon postgres cu hours
     0.58           0.58   289,500  Upstash redis commands
     1.20           1.91            all
not counted: redis stored gb

  daily players  commands a month  dollars  no free tiers
          1,000           289,500     1.20           6.95
         10,000         2,854,500    12.10          18.20

budget              30,000 commands a month, 20,300 before today
today               700 of 510; 319 expected by now (219.4%)
degraded            caches, refresh
`, out.stdout.String())
}

// A Redis of one's own has no plan and no price.
func TestUsageWithoutAPlanIsPrintedWithoutOne(t *testing.T) {
	product := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"days": [{"date": "2026-11-12", "commands": 700, "by_function": {"submit": {"commands": 700}}}],
			"projected_month": 21000, "plan": {"commands": 0, "share": 0},
			"bill": {"prices": "2026-11-22", "dollars": 0, "dollars_without_free_tiers": 0, "plans": {}, "lines": [], "not_counted": ["AWS", "Neon", "Upstash"]}}`))
	}))
	t.Cleanup(product.Close)
	status, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": "token"}, "usage", "--players", "1000")
	require.Equal(t, statusGood, status, out.stderr.String())
	_, month, _ := strings.Cut(out.stdout.String(), "\n\n")
	require.Equal(t, "projected month     21,000 commands\n", month)
}

func TestUsageThatCannotBeHadSaysWhy(t *testing.T) {
	product := localProduct(t)
	for name, test := range map[string]struct {
		token string
		args  []string
		says  string
	}{
		"no product":          {"", []string{"--url", "http://127.0.0.1:1"}, "OPS_TOKEN must be set"},
		"an address in clear": {"", []string{"--url", "http://example.com"}, "use https"},
		"another token":       {"another token", nil, "status 401: "},
		"too many days":       {product.Secrets.OpsToken, []string{"--days", "91"}, "status 400: ?days: this must be a whole number from 1 to 90"},
		"players below 0":     {"", []string{"--players", "-1"}, "--players -1"},
		"an argument":         {"", []string{"now"}, "unexpected argument"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": test.token}, append([]string{"usage"}, test.args...)...)
			require.Equal(t, statusFailed, status)
			require.Contains(t, out.stderr.String(), test.says)
			require.Empty(t, out.stdout.String())
		})
	}
}
