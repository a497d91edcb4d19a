package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestRunTellsHowToReachItAndEndsWithItsContext(t *testing.T) {
	options, err := parseFlags(io.Discard, []string{"-addr", "127.0.0.1:0", "-token", "T"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(ctx, nil, w, options) }()

	text := make([]byte, 1024)
	n, err := r.Read(text)
	require.NoError(t, err)
	url := regexp.MustCompile(`UPSTASH_REDIS_REST_URL=(\S+)`).FindSubmatch(text[:n])
	require.NotNil(t, url, "%s", text[:n])
	require.Contains(t, string(text[:n]), "UPSTASH_REDIS_REST_TOKEN=T\n")

	resp, err := http.Get(string(url[1]) + "/ping?_token=T")
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"result":"PONG"}`, string(body))

	cancel()
	require.NoError(t, <-done)
	_, err = http.Get(string(url[1]))
	require.Error(t, err)
}

func TestRunRefusesAnAddressOpenToTheNetwork(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, settings{Options: upstashtest.Options{Addr: ":8079"}}), "is not loopback")
}

// A program that starts the server reads one line from it, and the server ends with the
// program: by a signal, or by the end of its standard input, which closes even if the
// program dies.
func TestAProgramReadsOneLineAndTakesTheServerAlong(t *testing.T) {
	o, err := parseFlags(io.Discard, []string{"-addr", "127.0.0.1:0", "-read-only-token", "R", "-ready", "json", "-until-eof"})
	require.NoError(t, err)
	in, program := io.Pipe()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		defer func() { _ = w.Close() }()
		done <- run(t.Context(), in, w, o)
	}()
	out := bufio.NewReader(r)
	line, err := out.ReadBytes('\n')
	require.NoError(t, err)
	var said map[string]string
	require.NoError(t, json.Unmarshal(line, &said), "%s", line)
	require.Regexp(t, `^http://127\.0\.0\.1:[1-9]\d+$`, said["url"])
	require.NotEmpty(t, said["token"])
	require.Equal(t, "R", said["read_only_token"])
	require.Len(t, said, 3)

	for _, token := range []string{said["token"], "R"} {
		resp, err := http.Get(said["url"] + "/ping?_token=" + token)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
	}
	require.NoError(t, program.Close())
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Empty(t, rest, "one line is all")
	require.NoError(t, <-done)
	_, err = http.Get(said["url"])
	require.Error(t, err)
}

func TestFlagsBecomeOptions(t *testing.T) {
	free := upstashtest.FreePlan()
	small := upstashtest.FreePlan()
	small.MonthlyCommands = 10
	for _, try := range []struct {
		name string
		args []string
		want upstashtest.Options
	}{
		{"none", nil, upstashtest.Options{Addr: "127.0.0.1:8079"}},
		{"a given Redis", []string{"-redis", "redis://127.0.0.1:1"}, upstashtest.Options{Addr: "127.0.0.1:8079", Redis: "redis://127.0.0.1:1"}},
		{"a plan", []string{"-plan", "free"}, upstashtest.Options{Addr: "127.0.0.1:8079", Plan: &free}},
		{"a plan with another limit", []string{"-plan", "free", "-monthly-commands", "10"}, upstashtest.Options{Addr: "127.0.0.1:8079", Plan: &small}},
		{"a limit alone", []string{"-record-bytes", "100"}, upstashtest.Options{Addr: "127.0.0.1:8079", Plan: &upstashtest.Plan{RecordBytes: 100}}},
		{"the rest", []string{"-addr", "[::1]:1", "-token", "a", "-read-only-token", "b", "-cost-header", "-replica-lag", "1s", "-strict-redis"},
			upstashtest.Options{Addr: "[::1]:1", Token: "a", ReadOnlyToken: "b", TellCost: true, ReplicaLag: time.Second, StrictRedis: true}},
	} {
		got, err := parseFlags(io.Discard, try.args)
		require.NoError(t, err, try.name)
		require.Equal(t, try.want, got.Options, try.name)
	}
	for _, bad := range [][]string{{"-plan", "gold"}, {"-plan", "free", "-request-bytes", "-1"}, {"-unknown"}, {"word"}, {"-ready", "xml"}} {
		_, err := parseFlags(io.Discard, bad)
		require.Error(t, err, "%q", bad)
	}
}
