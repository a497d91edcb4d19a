package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// correcting is a product, and two ways to it: send for a game server's requests, and lbctl.
type correcting struct {
	*testing.T
	env    map[string]string
	server *client.Client
}

func newCorrecting(t *testing.T) correcting {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	env := map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
		"DATABASE_URL": product.Secrets.DatabaseURL, "USER": "ada", "LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken,
	}
	server, err := client.New(client.Config{URL: product.URL, SigningKey: product.Secrets.SigningKey})
	require.NoError(t, err)
	return correcting{t, env, server}
}

func (c correcting) send(method, path, body string) string {
	a, err := c.server.Do(c.Context(), client.Request{Method: method, Path: path, Body: []byte(body)})
	require.NoError(c, err)
	require.Less(c, a.Status, 300, string(a.Body))
	return string(a.Body)
}

// did is the report of a correction.
func (c correcting) did(args ...string) (report map[string]any) {
	c.Helper()
	status, out := lbctl(c.T, c.env, append(args, "--reason", "support case 12")...)
	require.Equal(c, statusGood, status, out.stderr.String())
	require.NoError(c, json.Unmarshal(out.stdout.Bytes(), &report))
	return report
}

// log is what the audit log says of the player.
func (c correcting) log() string {
	status, out := lbctl(c.T, c.env, "log", "--player", "user_a")
	require.Equal(c, statusGood, status, out.stderr.String())
	return out.stdout.String()
}

func (c correcting) refuses(all map[string]string) {
	for args, says := range all {
		status, out := lbctl(c.T, c.env, strings.Fields(args)...)
		require.Equal(c, statusFailed, status, args)
		require.Contains(c, out.stderr.String(), says, args)
	}
}
