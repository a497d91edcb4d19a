package upstashtest_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
)

// TestEveryEngineAnswersTheSame is the reason why tests may trust the embedded engine:
// random command sequences get the same answers from it, from a real server, and from a
// real server without REST in between.
func TestEveryEngineAnswersTheSame(t *testing.T) {
	redis := realRedis(t)
	embedded, real := startStrict(t, ""), startStrict(t, redis.URL())
	direct := start(t, redis.URL()+"/1").Redis()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		var history [][]string
		for range 250 {
			args := randomCommand(r)
			history = append(history, args)
			want := comparableReply(args, raw(t, direct, args...))
			require.Equal(t, want, comparableReply(args, real.command(args...)), "REST over a real server, seed %d, after %q", seed, history)
			require.Equal(t, want, comparableReply(args, embedded.command(args...)), "REST over the embedded engine, seed %d, after %q", seed, history)
		}
		for _, c := range []client{embedded, real} {
			c.command("FLUSHALL")
		}
	}
}

// TestRESPAnswersEqualTheJSONOnes asks two engines of the same kind, one in each format.
func TestRESPAnswersEqualTheJSONOnes(t *testing.T) {
	test := func(t *testing.T, inJSON, inRESP client) {
		r := rand.New(rand.NewPCG(11, 11))
		for range 400 {
			args := randomCommand(r)
			body, err := json.Marshal(args)
			require.NoError(t, err)
			text := inRESP.send(http.MethodPost, "/", string(body), "Upstash-Response-Format", "resp2").body
			require.Equal(t, comparableReply(args, inJSON.command(args...)), comparableReply(args, likeJSON(parseRESP(t, text))), "%q", args)
		}
	}
	t.Run("embedded", func(t *testing.T) { test(t, start(t, ""), start(t, "")) })
	t.Run("real", func(t *testing.T) {
		redis := realRedis(t)
		test(t, start(t, redis.URL()), start(t, redis.URL()+"/1"))
	})
}

// parseRESP reads one reply in the simplest way.
func parseRESP(t *testing.T, text string) any {
	t.Helper()
	v, rest := cutRESP(t, text)
	require.Empty(t, rest)
	return v
}

func cutRESP(t *testing.T, text string) (v any, rest string) {
	t.Helper()
	line, rest, ok := strings.Cut(text, "\r\n")
	require.True(t, ok, "%q", text)
	n, _ := strconv.ParseInt(line[1:], 10, 64)
	switch {
	case line[0] == '+':
		return line[1:], rest
	case line[0] == '-':
		return upstashtest.EngineError(line[1:]), rest
	case line[0] == ':':
		return n, rest
	case n < 0:
		return nil, rest
	case line[0] == '$':
		return rest[:n], rest[n+2:]
	}
	items := make([]any, n)
	for i := range items {
		items[i], rest = cutRESP(t, rest)
	}
	return items, rest
}

func TestTransactionsAnswerTheSameOnEveryEngine(t *testing.T) {
	embedded, real := startStrict(t, ""), startStrict(t, realRedis(t).URL())
	r := rand.New(rand.NewPCG(7, 7))
	for range 150 {
		path := []string{"/pipeline", "/multi-exec"}[r.IntN(2)]
		var commands [][]string
		for range 1 + r.IntN(6) {
			commands = append(commands, randomCommand(r))
		}
		require.Equal(t, batchOf(real, path, commands), batchOf(embedded, path, commands), "%s %q", path, commands)
	}
}

func batchOf(c client, path string, commands [][]string) any {
	v := c.batch(path, commands)
	items, ok := v.([]any)
	if !ok {
		return comparableReply([]string{""}, v)
	}
	for i := range items {
		items[i] = comparableReply(commands[i], items[i])
	}
	return items
}

// raw runs a command on the engine without REST and gives the value the form of
// client.command's.
func raw(t *testing.T, e *upstashtest.Engine, args ...string) any {
	t.Helper()
	v, err := e.Do(t.Context(), args...)
	var refusal upstashtest.EngineError
	if errors.As(err, &refusal) {
		return refusal
	}
	require.NoError(t, err)
	return likeJSON(v)
}

func likeJSON(v any) any {
	switch v := v.(type) {
	case int64:
		return json.Number(strconv.FormatInt(v, 10))
	case []any:
		for i := range v {
			v[i] = likeJSON(v[i])
		}
	}
	return v
}

// comparableReply removes from a reply what Redis leaves open or what versions word
// differently: the order of sets, the text after some error codes, the sign of zero, the
// number of digits beyond 2^53, and where the embedded engine says that a command is to be had.
func comparableReply(args []string, v any) any {
	switch v := v.(type) {
	case upstashtest.EngineError:
		v = upstashtest.EngineError(strings.ReplaceAll(string(v), engine.Elsewhere, ""))
		for _, open := range []string{"NOSCRIPT ", "ERR Error compiling script"} {
			if strings.HasPrefix(string(v), open) {
				return upstashtest.EngineError(open)
			}
		}
		return v
	case string:
		if v == "-0" {
			return "0"
		}
		if f, err := strconv.ParseFloat(v, 64); err == nil && len(v) > 16 {
			return f
		}
	case []any:
		for i := range v {
			v[i] = comparableReply(args, v[i])
		}
		if strings.EqualFold(args[0], "SMEMBERS") {
			slices.SortFunc(v, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
	return v
}
