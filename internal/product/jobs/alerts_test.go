package jobs_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const (
	rulesFile     = "../../../deploy/prometheus/rules.yaml"
	dashboardFile = "../../../deploy/grafana/leaderboards.json"
)

// rules are those of deploy/prometheus.
type rules struct {
	Groups []struct {
		Rules []struct {
			Alert, Record, Expr string
			Annotations         struct{ Runbook string }
		}
	}
}

func readRules(t *testing.T) (r rules) {
	t.Helper()
	text, err := os.ReadFile(rulesFile)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &r))
	require.NotEmpty(t, r.Groups)
	return r
}

// panels are the queries of the dashboard, by panel.
func panels(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(dashboardFile)
	require.NoError(t, err)
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &board))
	all := map[string][]string{}
	for _, p := range board.Panels {
		require.NotContains(t, all, p.Title)
		require.NotEmpty(t, p.Targets, p.Title)
		for _, target := range p.Targets {
			all[p.Title] = append(all[p.Title], strings.ReplaceAll(target.Expr, "$__range", "1d"))
		}
	}
	return all
}

// promtool runs a command of Prometheus' tool, which scripts/prometheus.sh installs.
func promtool(t *testing.T, arguments ...string) {
	t.Helper()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		tool, err = filepath.Abs("../../../.build/tools/promtool")
		require.NoError(t, err)
	}
	out, err := exec.CommandContext(t.Context(), tool, arguments...).CombinedOutput()
	require.NoError(t, err, "scripts/prometheus.sh installs it: %s", out)
}

func TestAlertsFireForTheirFaultsAndNotWithoutThem(t *testing.T) {
	promtool(t, "check", "rules", rulesFile)
	promtool(t, "test", "rules", filepath.Join(filepath.Dir(rulesFile), "rules_test.yaml"))
	tests, err := os.ReadFile(filepath.Join(filepath.Dir(rulesFile), "rules_test.yaml"))
	require.NoError(t, err)
	for _, group := range readRules(t).Groups {
		for _, r := range group.Rules {
			if r.Alert != "" {
				require.Contains(t, string(tests), r.Alert, "its test")
				page, section, _ := strings.Cut(r.Annotations.Runbook, ", ")
				text, err := os.ReadFile("../../../" + page)
				require.NoError(t, err, r.Alert)
				require.Contains(t, string(text), "\n## "+section, r.Alert)
			}
		}
	}
}

func TestTheDashboardsQueriesAreUnderstood(t *testing.T) {
	var made strings.Builder
	made.WriteString("groups: [{name: dashboard, rules: [\n")
	n := 0
	for _, all := range panels(t) {
		for _, expr := range all {
			n++
			quoted, err := json.Marshal(expr)
			require.NoError(t, err)
			fmt.Fprintf(&made, "{record: 'q:%d', expr: %s},\n", n, quoted)
		}
	}
	made.WriteString("]}]\n")
	file := filepath.Join(t.TempDir(), "dashboard.yaml")
	require.NoError(t, os.WriteFile(file, []byte(made.String()), 0o600))
	promtool(t, "check", "rules", file)
	require.Greater(t, n, 20)
}

var metricName = regexp.MustCompile(`leaderboards[_:]\w+(?::\w+)?`)

var (
	code = regexp.MustCompile("`(\\w+)`")
	row  = regexp.MustCompile(`(?m)^\| (.*) \| (.*) \| .* \|$`)
)

// The page of the SLOs has each alert of Prometheus and each alarm of AWS, next to each other,
// and each panel next to its widget.
func TestAlertsAndAlarmsAgree(t *testing.T) {
	text, err := os.ReadFile("../../../docs/operate/slo.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), "\n## Alerts\n")
	require.True(t, found)
	table, boards, found := strings.Cut(after, "\n## Dashboards\n")
	require.True(t, found)
	var alerts, alarms []string
	for _, cells := range row.FindAllStringSubmatch(table, -1) {
		for _, name := range code.FindAllStringSubmatch(cells[1], -1) {
			alerts = append(alerts, name[1])
		}
		for _, name := range code.FindAllStringSubmatch(cells[2], -1) {
			if strings.HasSuffix(name[1], "Alarm") {
				alarms = append(alarms, name[1])
			}
		}
	}
	var ruled []string
	for _, group := range readRules(t).Groups {
		for _, r := range group.Rules {
			if r.Alert != "" {
				ruled = append(ruled, r.Alert)
			}
		}
	}
	require.ElementsMatch(t, ruled, alerts)
	template, err := os.ReadFile("../../../template.yaml")
	require.NoError(t, err)
	var declared []string
	for _, found := range regexp.MustCompile(`(?m)^  (\w+):\n    Type: AWS::CloudWatch::Alarm$`).FindAllStringSubmatch(string(template), -1) {
		declared = append(declared, found[1])
	}
	slices.Sort(alarms)
	require.ElementsMatch(t, declared, slices.Compact(alarms))

	all, n := panels(t), 0
	for _, cells := range regexp.MustCompile(`(?m)^\| ([A-Z].*) \| (.*) \|$`).FindAllStringSubmatch(boards, -1) {
		require.Contains(t, all, cells[1])
		require.Contains(t, string(template), `"title": "`+cells[2]+`"`)
		n++
	}
	require.Equal(t, strings.Count(string(template), `"title": "`), n, "each widget has its panel")
}

// An alert of each kind has the threshold of its alarm.
func TestAlertsHaveTheThresholdsOfAlarms(t *testing.T) {
	template, err := os.ReadFile("../../../template.yaml")
	require.NoError(t, err)
	exprs := map[string]string{}
	for _, group := range readRules(t).Groups {
		for _, r := range group.Rules {
			exprs[r.Alert] = r.Expr
		}
	}
	for alarm, want := range map[string]struct{ threshold, alert, says string }{
		"ErrorRateAlarm":   {"5", "ErrorRate", ">= 0.05"},
		"DailyBudgetAlarm": {"80", "DailyBudget", ">= 0.8 * max(leaderboards_plan_commands) / 31"},
		"HourlyPaceAlarm":  {"100", "HourlyPace", ">= max(leaderboards_plan_commands) / 31 / 8"},
		"UsageDriftAlarm":  {"5", "UsageDrift", "> 0.05"},
		"StatusAlarm":      {"1", "Problems", ">= 1"},
	} {
		_, after, found := strings.Cut(string(template), "\n  "+alarm+":\n")
		require.True(t, found)
		threshold := regexp.MustCompile(`      Threshold: (\S+)\n`).FindStringSubmatch(after)
		require.Equal(t, want.threshold, threshold[1], alarm)
		require.Contains(t, exprs[want.alert], want.says)
	}
	require.Contains(t, exprs["ErrorRate"], ">= 20")
}

// scrapedNames are the names of everything that /metrics of a product has.
func scrapedNames(t *testing.T, d *stores) map[string]bool {
	t.Helper()
	plan, err := status.NewPlan(func(string) string { return "" })
	require.NoError(t, err)
	m := metrics.New("all")
	m.Add(usage.Call{Route: "GET /v1/game", Status: 200})
	w := httptest.NewRecorder()
	m.Handler(jobs.NewProduct(d.app, d.history).Gauges(plan), func(string) error { return nil }, nil).
		ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	require.Equal(t, 200, w.Code, w.Body)
	names := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^(leaderboards_\w+)[{ ]`).FindAllStringSubmatch(w.Body.String(), -1) {
		names[found[1]] = true
	}
	return names
}
