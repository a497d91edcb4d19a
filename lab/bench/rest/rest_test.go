package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheTableComparesAndJudges(t *testing.T) {
	us := func(n ...int) (all []time.Duration) {
		for _, n := range n {
			all = append(all, time.Duration(n)*time.Microsecond)
		}
		return all
	}
	subjects := []*subject{
		{name: "net/http hello", perRequest: [][]time.Duration{us(12, 10, 11)}, wall: us(20)},
		{name: "Redis, direct", perRequest: [][]time.Duration{us(5)}, wall: us(8)},
		{name: "REST over Redis", perRequest: [][]time.Duration{us(22), us(3)}, wall: us(30)},
	}
	var out bytes.Buffer
	require.NoError(t, report(&out, subjects, 20))
	rows := strings.Split(out.String(), "\n")
	for i, want := range [][]string{
		1: {"net/http", "hello", "11.0", "11.0", "1.00", "2.20", "20.0"},
		2: {"Redis,", "direct", "5.0", "5.0", "0.45", "1.00", "8.0"},
		3: {"REST", "over", "Redis", "22.0", "3.0", "25.0", "2.27", "5.00", "30.0"},
		4: strings.Fields("CPU per command that REST adds to Redis: 20.0 µs"),
	} {
		if want != nil {
			require.Equal(t, want, strings.Fields(rows[i]))
		}
	}
	require.EqualError(t, report(&out, subjects, 19), "REST adds 20.0 µs to Redis, want at most 19.0")
}

func TestLoadChecksEveryAnswer(t *testing.T) {
	good := httptest.NewServer(http.HandlerFunc(hello))
	defer good.Close()
	require.NoError(t, load(t.Context(), good.Listener.Addr().String(), httpRequest, true, 3, 10))
	bad := httptest.NewServer(http.NotFoundHandler())
	defer bad.Close()
	require.ErrorContains(t, load(t.Context(), bad.Listener.Addr().String(), httpRequest, true, 1, 1), "404")
	require.ErrorContains(t, readRESP(bufio.NewReader(strings.NewReader("-ERR no\r\n"))), "-ERR no")
}

func TestAServerTellsItsCPUTime(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serveRole(in, out, "hello", "") }()
	lines := bufio.NewReader(answers)
	addr, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, addr, "127.0.0.1:")
	_, err = io.WriteString(ask, "\n")
	require.NoError(t, err)
	nanoseconds, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Regexp(t, `^\d+\n$`, nanoseconds)
	require.NoError(t, ask.Close())
	require.NoError(t, <-done)
	require.ErrorContains(t, serveRole(in, out, "x", ""), "want hello or rest")
}
