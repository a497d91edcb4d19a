package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/app"
)

// The same as for badges, for ratings.
func TestRatingsAreCorrected(t *testing.T) {
	c := newCorrecting(t)
	made := struct{ ID string }{}
	require.NoError(t, json.Unmarshal([]byte(c.send(http.MethodPost, "/v1/duels", `{"players":["user_a","user_b"]}`)), &made))
	c.send(http.MethodPost, "/v1/duels/"+made.ID+"/result", `{"winner":"user_a"}`)
	before := c.did("rating", "user_a", "--set", "1300", "--dry-run")
	require.Equal(t, true, before["changed"])
	require.Equal(t, c.did("rating", "user_a", "--set", "1300", "--dry-run"), before, "nothing has changed")
	report := c.did("rating", "user_a", "--set", "1300")
	require.Equal(t, before["before"], report["before"])
	require.Equal(t, 1300.0, report["after"])
	require.Equal(t, false, c.did("rating", "user_a", "--set", "1300")["changed"])
	require.Equal(t, 1290.5, c.did("rating", "user_a", "--add", "-9.5", "--as", "ben")["after"])
	require.Contains(t, c.send(http.MethodGet, "/v1/leaderboards/duels", ""), `"player":"user_a"`)
	undo := strings.Fields(report["undo"].(string))
	require.Equal(t, []string{"lbctl", "rating", "user_a", "--set"}, undo[:4])
	require.Equal(t, report["before"], c.did(undo[1:5]...)["after"])

	log := c.log()
	require.Equal(t, 3, strings.Count(log, "correct_rating"), log)
	require.Regexp(t, `lbctl ben +correct_rating +user_a .*"reason": ?"support case 12"`, log)
	require.Equal(t, 2, strings.Count(log, "lbctl ada "), log)

	c.refuses(map[string]string{
		"rating user_a --reason x":                 "use either --set or --add",
		"rating user_a --set 1 --add 1 --reason x": "use either --set or --add",
		"rating user_a --set 100001 --reason x":    "out of range; use 0 to 100000",
		"rating user_a --set NaN --reason x":       "out of range",
		"rating user_a --add -5000 --reason x":     "out of range",
		"rating user_c --set 5 --reason x":         "no rating",
	})
}

// Whatever is cut during a correction, a rating that is another one is in the log.
func TestNoCorrectionIsUnlogged(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: local.DatabaseAuto, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	server, err := client.New(client.Config{URL: product.URL, SigningKey: product.Secrets.SigningKey})
	require.NoError(t, err)
	ask := func(method, path, body string, into any) {
		a, err := server.Do(t.Context(), client.Request{Method: method, Path: path, Body: []byte(body)})
		require.NoError(t, err)
		require.Less(t, a.Status, 300, string(a.Body))
		require.NoError(t, json.Unmarshal(a.Body, into))
	}
	made := struct{ ID string }{}
	ask(http.MethodPost, "/v1/duels", `{"players":["user_a","user_b"]}`, &made)
	ask(http.MethodPost, "/v1/duels/"+made.ID+"/result", `{"winner":"user_a"}`, &made)

	for _, store := range []string{"redis", "postgres"} {
		env := map[string]string{
			"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken,
			"DATABASE_URL": product.Secrets.DatabaseURL, "USER": "ada", "LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken,
		}
		name := map[string]string{"redis": "UPSTASH_REDIS_REST_URL", "postgres": "DATABASE_URL"}[store]
		address, err := url.Parse(env[name])
		require.NoError(t, err)
		cutter := testkit.NewCutter(t, address.Host)
		address.Host = cutter.Addr
		whole := maps.Clone(env)
		env[name] = address.String()
		for pieces := 1; ; pieces++ {
			cutter.After(pieces)
			right := strconv.Itoa(1300 + pieces)
			status, _ := lbctl(t, env, "rating", "user_a", "--set", right, "--reason", "cut")
			cut := cutter.Mend()
			got, out := lbctl(t, whole, "rating", "user_a", "--add", "0", "--dry-run", "--reason", "look")
			require.Equal(t, statusGood, got, out.stderr.String())
			is := struct{ Before float64 }{}
			require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &is))
			got, out = lbctl(t, whole, "log", "--player", "user_a", "-n", "0")
			require.Equal(t, statusGood, got, out.stderr.String())
			if is.Before == float64(1300+pieces) {
				require.Contains(t, out.stdout.String(), `"after":`+right, "%s, cut after %d", store, pieces)
			} else {
				require.Equal(t, statusFailed, status, "%s, cut after %d", store, pieces)
			}
			if !cut {
				require.Equal(t, statusGood, status)
				break
			}
		}
	}
}
