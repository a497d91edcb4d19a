package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test program be one of the servers, as the bench itself is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-serve" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestEveryOperationIsAnswered runs the whole bench on a small scale. It fails where a
// request does not succeed.
func TestEveryOperationIsAnswered(t *testing.T) {
	t.Chdir("../../..")
	h, err := deploy(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, h.stop()) }() // before the context ends, which would kill the servers
	w, err := h.fill(t.Context(), 2000)
	require.NoError(t, err)
	all, err := w.operations(settings{})
	require.NoError(t, err)
	for _, op := range all {
		requests, err := op.requests(4)
		require.NoError(t, err)
		_, err = load(t.Context(), h.parts[op.function].addr, 2, requests)
		require.NoError(t, err, op.name)
	}
	wrong, err := w.operations(settings{only: []string{"card"}})
	require.NoError(t, err)
	require.Len(t, wrong, 3, "hello, and both boards")
	_, err = w.operations(settings{only: []string{"nothing"}})
	require.ErrorContains(t, err, `"nothing"`)
}

func TestAServerRoleIsOneOfTwo(t *testing.T) {
	require.ErrorContains(t, serveRole(os.Stdin, &bytes.Buffer{}, "x", ""), "want hello or rest")
}

func TestTheTableTakesHelloOff(t *testing.T) {
	us := func(n ...int) (all []time.Duration) {
		for _, n := range n {
			all = append(all, time.Duration(n)*time.Microsecond)
		}
		return all
	}
	of := func(op operation, cpu map[string][]time.Duration) *series {
		return &series{op: op, connections: 1, perSecond: []float64{10, 30, 20}, p50: us(1000), p99: us(2000), cpu: cpu}
	}
	var out bytes.Buffer
	require.NoError(t, report(&out, []*series{
		of(operation{name: "hello", function: "hello"}, map[string][]time.Duration{"function": us(12)}),
		of(operation{name: "card", function: "leaderboard", target: 60, podium: 179}, map[string][]time.Duration{
			"function": us(90, 300, 100), "rest": us(40), "redis": us(20),
		}),
	}, settings{players: 1, rounds: 3, requests: 4}))
	rows := strings.Split(out.String(), "\n")
	require.Equal(t, strings.Fields("hello 1 20 1.00 2.00 12 0 0 12 0 - -"), strings.Fields(rows[3]))
	require.Equal(t, strings.Fields("card 1 20 1.00 2.00 100 40 20 160 88 60 179"), strings.Fields(rows[4]))
}

func TestConnectionsAreNumbers(t *testing.T) {
	all, err := numbers("1,16")
	require.NoError(t, err)
	require.Equal(t, []int{1, 16}, all)
	for _, bad := range []string{"", "0", "1,x", "1;2"} {
		_, err := numbers(bad)
		require.Error(t, err, bad)
	}
}
