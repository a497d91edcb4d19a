package main

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunTellsHowToReachItAndEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(ctx, w, []string{"-addr", "127.0.0.1:0", "-token", "T"}) }()

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
	require.ErrorContains(t, run(t.Context(), io.Discard, []string{"-addr", ":8079"}), "is not loopback")
}
