package host_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

// bootstraps are built once for all tests, as for a deployment.
var bootstraps string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if bootstraps, err = os.MkdirTemp("", "bootstraps"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(bootstraps) }()
		for _, name := range []string{"web", "cron"} {
			if err := lambdatest.Build(context.Background(), "", "./testdata/"+name, filepath.Join(bootstraps, name)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		return m.Run()
	}())
}

func start(t *testing.T, name string) *lambdatest.Function {
	t.Helper()
	f, err := lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: filepath.Join(bootstraps, name)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func path(p string) []byte {
	return newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.RawPath = p })
}

func TestBootstrapAnswersTheSamplesOfTheGateways(t *testing.T) {
	f := start(t, "web")
	answered := 0
	for name, data := range samples(t) {
		var sent events.APIGatewayV2HTTPRequest
		isRequest := json.Unmarshal(data, &sent) == nil && sent.Version == "2.0" && sent.RequestContext.HTTP.Method != ""
		res, err := f.Invoke(t.Context(), data)
		require.NoError(t, err, name)
		if !isRequest {
			require.Equal(t, "EventError", res.ErrorType, name)
			require.NotEmpty(t, res.ErrorMessage)
			continue
		}
		require.False(t, res.Failed(), "%s: %s", name, res.ErrorMessage)
		answer := decodeAnswer(t, res.Payload)
		require.Equal(t, 202, answer.StatusCode)
		require.Equal(t, []string{"a=1"}, answer.Cookies)
		var echo map[string]any
		require.NoError(t, json.Unmarshal([]byte(answer.Body), &echo))
		require.Equal(t, sent.RawPath, echo["path"])
		require.Equal(t, sent.RequestContext.RequestID, echo["id"])
		require.Equal(t, true, echo["deadline"])
		answered++
	}
	require.GreaterOrEqual(t, answered, 4)
}

func TestBootstrapOutlivesEveryFailureOfAHandler(t *testing.T) {
	f := start(t, "web")
	for _, step := range []struct {
		event  []byte
		status int
	}{
		{path("/panic"), 500},
		{path("/large"), 500},
		{[]byte(`{`), 0},
		{[]byte(``), 0},
		{path("/binary"), 200},
		{path("/"), 202},
	} {
		res, err := f.Invoke(t.Context(), step.event)
		require.NoError(t, err)
		if step.status == 0 {
			require.Equal(t, "EventError", res.ErrorType)
			continue
		}
		answer := decodeAnswer(t, res.Payload)
		require.Equal(t, step.status, answer.StatusCode)
		if step.status == 500 {
			requireProblem(t, answer, 500)
		}
	}
	require.Contains(t, f.Stderr(), `"error":"secret of the handler"`)
	require.Empty(t, f.Stdout())
}

func TestBootstrapAnswersScheduledEvents(t *testing.T) {
	f := start(t, "cron")
	res, err := f.Invoke(t.Context(), scheduledEvent(t, fired))
	require.NoError(t, err)
	require.JSONEq(t, `{"closed":"2026-11-21T00:15:00Z"}`, string(res.Payload))

	res, err = f.Invoke(t.Context(), scheduledEvent(t, time.Date(2026, 1, 2, 0, 15, 0, 0, time.UTC)))
	require.NoError(t, err)
	require.Equal(t, "no work in January", res.ErrorMessage)

	res, err = f.Invoke(t.Context(), scheduledEvent(t, time.Date(2026, 2, 2, 0, 15, 0, 0, time.UTC)))
	require.NoError(t, err)
	require.True(t, res.Failed())
	require.NotContains(t, string(res.Payload), "secret")

	res, err = f.Invoke(t.Context(), path("/"))
	require.NoError(t, err)
	require.Equal(t, "EventError", res.ErrorType)
}

func TestBootstrapIsToldOfItsEndOnLambda(t *testing.T) {
	f := start(t, "web")
	_, err := f.Invoke(t.Context(), path("/"))
	require.NoError(t, err)
	require.NotContains(t, f.Stderr(), "told")
	require.NoError(t, f.End())
	require.Contains(t, f.Stderr(), "told that it ends")

	f = start(t, "cron")
	require.NoError(t, f.End(), "nothing to do before the end: no extension, and no warning")
}

func TestBootstrapRefusesToStartWithoutAHost(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(bootstraps, "web"))
	cmd.Env = []string{"PATH=/usr/bin"}
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "set PORT, as in PORT=8080")
}

func TestBootstrapStopsCleanlyOnSIGTERM(t *testing.T) {
	ln, url := listen(t)
	require.NoError(t, ln.Close())
	cmd := exec.CommandContext(t.Context(), filepath.Join(bootstraps, "web"))
	cmd.Env = []string{"HOST=127.0.0.1", "DRAIN_SECONDS=3", "PORT=" + url[len("http://127.0.0.1:"):]}
	var log bytes.Buffer
	cmd.Stderr = &log
	require.NoError(t, cmd.Start())
	ready := func() int {
		res, _, err := ask(t, url+host.ReadyPath, nil)
		if err != nil {
			return 0
		}
		return res.StatusCode
	}
	require.Eventually(t, func() bool { return ready() == http.StatusOK }, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool { return ready() == http.StatusServiceUnavailable }, time.Minute, time.Millisecond, "requests are still taken, and it says that it stops")
	require.NoError(t, cmd.Wait())
	var lines []string
	for line := range strings.Lines(log.String()) {
		var fields struct {
			Time       time.Time
			Level, Msg string
		}
		require.NoError(t, json.Unmarshal([]byte(line), &fields), line)
		require.Equal(t, "INFO", fields.Level)
		require.False(t, fields.Time.IsZero())
		lines = append(lines, fields.Msg)
	}
	require.Equal(t, []string{"listening", "stopping", "stopped"}, lines)
}
