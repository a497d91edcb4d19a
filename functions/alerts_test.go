package functions_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const metricsToken = "a-token-of-the-scraper-of-32-characters"

// prometheus is a real one that scrapes a service each second, with the rules and settings of
// deploy/prometheus.
type prometheus struct {
	*testing.T
	url string
}

func startPrometheus(t *testing.T, target string) prometheus {
	t.Helper()
	binary, err := exec.LookPath("prometheus")
	if err != nil {
		binary, err = filepath.Abs("../.build/tools/prometheus")
		require.NoError(t, err)
	}
	folder := t.TempDir()
	for name, change := range map[string]func(string) string{
		"rules.yaml": func(text string) string { // at once
			return regexp.MustCompile(`(?m)^        for: .*\n`).ReplaceAllString(text, "")
		},
		"prometheus.yaml": func(text string) string {
			return strings.NewReplacer("127.0.0.1:8080", target, "30s", "1s").Replace(text)
		},
	} {
		text, err := os.ReadFile("../deploy/prometheus/" + name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(change(string(text))), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "token"), []byte(metricsToken), 0o600))
	port, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := port.Addr().String()
	require.NoError(t, port.Close())
	p := exec.CommandContext(t.Context(), binary, "--config.file=prometheus.yaml", "--web.listen-address="+address, "--storage.tsdb.path=data", "--log.level=warn")
	p.Dir = folder
	var log strings.Builder
	p.Stderr = &log
	require.NoError(t, p.Start(), "scripts/prometheus.sh installs it")
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return prometheus{t, "http://" + address}
}

// alerts are the names of those that fire, each with its schedule.
func (p prometheus) alerts() (all []string) {
	p.Helper()
	r, err := http.NewRequestWithContext(p.Context(), http.MethodGet, p.url+"/api/v1/alerts", nil)
	require.NoError(p, err)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil // it starts
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Data struct {
			Alerts []struct{ Labels map[string]string }
		}
	}
	if json.NewDecoder(res.Body).Decode(&answer) != nil {
		return nil
	}
	for _, a := range answer.Data.Alerts {
		all = append(all, strings.TrimSpace(a.Labels["alertname"]+" "+a.Labels["schedule"]))
	}
	return all
}

func (p prometheus) fires(alert string) {
	p.Helper()
	require.Eventually(p, func() bool { return slices.Contains(p.alerts(), alert) }, time.Minute, 100*time.Millisecond, "%s does not fire: %v", alert, p.alerts())
}

// The faults are made in the real service, and a real Prometheus reads them.
func TestAlertsFireWhenTheirFaultIsMade(t *testing.T) {
	database := archivetest.Server(t)
	redis := upstashtest.Start(t, upstashtest.Options{})
	client, err := upstash.New(upstash.Config{URL: redis.URL(), Token: redis.Token()})
	require.NoError(t, err)
	note := func(function string, ago time.Duration) {
		at := time.Now().Add(-ago)
		require.NoError(t, status.Log{Redis: client}.Note(t.Context(), function, status.Run{Due: at, Ended: at}))
	}
	// cron-daily has stopped two days ago, the others have not.
	note("cron-daily", 49*time.Hour)
	note("cron-weekly", time.Minute)
	note("cron-save", time.Minute)
	s := startBinary(t, forAnyHost(t, "all"), "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token(),
		"DATABASE_URL="+database.URL(), "OPS_TOKEN="+operatorToken, "METRICS_TOKEN="+metricsToken)
	p := startPrometheus(t, strings.TrimPrefix(s.url, "http://"))
	p.fires("ScheduleLate cron-daily")
	p.fires("Problems")
	for _, quiet := range []string{"ScheduleLate cron-save", "ScheduleLate cron-weekly", "DatabaseDown", "CircuitOpen", "ErrorRate", "StateUnknown", "WritesRejected"} {
		require.NotContains(t, p.alerts(), quiet)
	}

	operator := map[string]string{"Authorization": "Bearer " + operatorToken}
	require.Equal(t, 200, s.status(t, "GET", "/v1/ops/health", "", operator))
	database.Stop()
	s.status(t, "GET", "/v1/ops/health", "", operator)
	p.fires("DatabaseDown")
	database.Start()
	require.Eventually(t, func() bool {
		s.status(t, "GET", "/v1/ops/health", "", operator)
		return !slices.Contains(p.alerts(), "DatabaseDown")
	}, time.Minute, 100*time.Millisecond, "it is over as soon as the database answers")

	require.NoError(t, redis.Refuse(true))
	for n := range 30 {
		s.status(t, "GET", fmt.Sprint("/v1/leaderboards/daily_frame/players/user_", n), "", nil)
	}
	p.fires("CircuitOpen")
	p.fires("ErrorRate")
	require.NoError(t, redis.Refuse(false))
	s.stop()
}
