package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlayersOfClerkAreReadIntoTheProduct(t *testing.T) {
	product := localProduct(t)
	cut := true
	clerk := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/users":
			_, _ = w.Write([]byte(`[{"object":"user","id":"user_zoe","first_name":"Zoe","last_name":"Q","updated_at":1700000000000}]`))
		case "/users/count":
			_, _ = w.Write([]byte(`{"object":"total_count","total_count":1}`))
		case "/organization_memberships":
			if cut && r.URL.Query().Get("limit") != "1" {
				w.WriteHeader(http.StatusForbidden)
				_, _ = w.Write([]byte(`{"errors":[{"message":"no","code":"authorization_invalid"}]}`))
				return
			}
			_, _ = w.Write([]byte(`{"data":[{"id":"orgmem_1","organization":{"id":"org_a"},"public_user_data":{"user_id":"user_zoe"},"updated_at":1700000000000}],"total_count":1}`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(clerk.Close)
	const key = "sk_test_secret"
	env := map[string]string{
		"UPSTASH_REDIS_REST_URL": product.Secrets.RedisRESTURL, "UPSTASH_REDIS_REST_TOKEN": product.Secrets.RedisRESTToken, "CLERK_SECRET_KEY": key,
	}
	state := filepath.Join(t.TempDir(), "state.json")
	args := []string{"sync-players", "--clerk-api", clerk.URL, "--state", state}

	status, out := lbctl(t, env, append(args, "--resume")...)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "there is no checkpoint")
	status, out = lbctl(t, env, args...)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "the key CLERK_SECRET_KEY was rejected by Clerk (403)")
	require.Contains(t, out.stderr.String(), "1 users were read; continue with --resume")
	require.NotContains(t, out.stderr.String(), key)
	require.FileExists(t, state)
	status, out = lbctl(t, env, args...)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "is from an interrupted run")

	cut = false
	status, out = lbctl(t, env, append(args, "--resume")...)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), "users          1 read, 1 changed\nmemberships    1 read\nredis          ")
	require.NoFileExists(t, state)
	reply, err := product.Upstash.Redis().Do(t.Context(), "HGET", "profiles", "user_zoe")
	require.NoError(t, err)
	require.Contains(t, reply, "Zoe Q")

	status, out = lbctl(t, env, append(args, "--dry-run")...)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), "1 read, 0 would change")
	require.NoFileExists(t, state)
}
