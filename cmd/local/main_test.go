package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// greeting runs the command until it has said everything, and uses it.
func greeting(t *testing.T, use func(text string), args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"-addr", "127.0.0.1:0", "-redis", "embedded"}, args...), writer, io.Discard)
		_ = writer.CloseWithError(err)
		done <- err
	}()
	var text strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		text.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "Press Ctrl-C") {
			use(text.String())
			cancel()
		}
	}
	require.NoError(t, lines.Err())
	require.NoError(t, <-done)
}

func TestTheGreetingTellsWhereEverythingIs(t *testing.T) {
	greeting(t, func(text string) {
		require.Regexp(t, `^Framedle Leaderboards, game framedle, up in \d+ ms\n`, text)
		require.Regexp(t, `Archive +Postgres at 127\.0\.0\.1:\d+, deleted at the end\n`, text)
		require.Regexp(t, `\n    export DATABASE_URL='postgres://postgres:\w{48}@127\.0\.0\.1:\d+/postgres\?sslmode=disable'\n`, text)
		url := regexp.MustCompile(`API +(\S+)/v1`).FindStringSubmatch(text)[1]
		res, err := http.Get(url + "/v1/leaderboards/daily_frame")
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, 200, res.StatusCode)
		require.Contains(t, text, "`make demo` adds live sample data")
	})
}

func TestThePagesComeFirst(t *testing.T) {
	greeting(t, func(text string) {
		said := regexp.MustCompile(`\A.*\n\n  Page +(\S+)\n  Operator +(\S+)   token: (\S+)\n`).FindStringSubmatch(text)
		require.Len(t, said, 4, text)
		require.Contains(t, text, "OPS_TOKEN="+said[3]+"\n")
		for _, page := range said[1:3] {
			res, err := http.Get(page)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, 200, res.StatusCode, page)
			require.Contains(t, res.Header.Get("Content-Type"), "text/html", page)
		}
	}, "-database-url", "none")
}

// The demo needs no Postgres, says what it does, and ends with the process.
func TestADemoIsPlayedBeforeTheGreeting(t *testing.T) {
	var url string
	greeting(t, func(text string) {
		require.Regexp(t, `\n  Players +160 simulated players, 8 days of history; one score a second`, text)
		require.NotContains(t, text, "make demo")
		url = regexp.MustCompile(`Page +(\S+)/\n`).FindStringSubmatch(text)[1]
		for _, query := range []string{"", "?period=week", "?period=alltime"} {
			res, err := http.Get(url + "/v1/leaderboards/daily_frame" + query)
			require.NoError(t, err)
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Contains(t, string(body), `"rank":10,`, query)
		}
	}, "-demo", "-database-url", "none")
	_, err := http.Get(url)
	require.Error(t, err, "nothing is left")
}

func TestADemoKeepsNothing(t *testing.T) {
	for _, kept := range [][]string{{"-data", t.TempDir()}, {"-redis", "redis://127.0.0.1:1"}, {"-database-url", "postgres://127.0.0.1:1/name"}} {
		err := run(t.Context(), append(kept, "-demo", "-addr", "127.0.0.1:0"), io.Discard, io.Discard)
		require.ErrorContains(t, err, "use it without "+kept[0])
	}
}

func TestWithoutHistoryNoDatabaseIsOffered(t *testing.T) {
	greeting(t, func(text string) {
		require.Regexp(t, `Archive +none`, text)
		require.NotContains(t, text, "DATABASE_URL")
	}, "-database-url", "none", "-schedules=false")
}

func TestFlagsThatAreNotUnderstoodFail(t *testing.T) {
	for _, args := range [][]string{{"now"}, {"-database-url", "sqlite"}, {"-game", "none.yaml"}, {"-fast"}} {
		require.Error(t, run(t.Context(), append([]string{"-addr", "127.0.0.1:0", "-redis", "embedded"}, args...), io.Discard, io.Discard))
	}
}
