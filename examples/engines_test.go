package examples_test

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
)

// The clients for engines whose compilers scripts/engines.sh installs. Each one's example
// submits a score to a mode that adds scores up, reads the board and the own card, and asks
// for a board that does not exist.
func TestEngineClientsCountEachScoreOnce(t *testing.T) {
	const json = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll"
	folder := t.TempDir()
	clients := map[string]struct{ build, run []string }{
		"cpp": {
			[]string{"g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-DLEADERBOARDS_EXAMPLE", "-include", "engines/cpp/leaderboards.hpp", "-x", "c++", "/dev/null", "-o", filepath.Join(folder, "cpp"), "-lcurl"},
			[]string{filepath.Join(folder, "cpp")},
		},
		"unity": {
			[]string{"mcs", "-warnaserror", "-define:LEADERBOARDS_EXAMPLE", "-r:System.Net.Http", "-r:" + json, "-out:" + filepath.Join(folder, "unity.exe"), "engines/unity/Leaderboards.cs"},
			[]string{"mono", filepath.Join(folder, "unity.exe")},
		},
	}
	for engine, client := range clients {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			out, err := exec.CommandContext(t.Context(), client.build[0], client.build[1:]...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			g, err := gamefile.Parse("sums", []byte(sums))
			require.NoError(t, err)
			p := product(t, g)
			to, err := url.Parse(p.URL)
			require.NoError(t, err)
			front := &unreliable{proxy: httputil.NewSingleHostReverseProxy(to)}
			gateway := httptest.NewServer(front)
			t.Cleanup(gateway.Close)
			token, err := p.Token(devissuer.Claims{Player: "user_ana", Name: "Ana"})
			require.NoError(t, err)

			printed, err := run(t, ".", "", nil, client.run[0], append(client.run[1:], gateway.URL, token, "points")...)
			require.NoError(t, err, printed)
			require.Equal(t, "submitted: replayed, rank 1 of 1\n1. Ana 62.5\nown rank: 1\nrefused: 404 unknown-mode\n", printed)

			require.Len(t, front.seen, 6, "a score in three attempts, and three reads")
			key := front.seen[0].Header.Get("Idempotency-Key")
			require.Regexp(t, `^"[0-9a-f-]{16,}"$`, key)
			for i, r := range front.seen {
				if i < 3 {
					require.Equal(t, key, r.Header.Get("Idempotency-Key"), "each attempt has the key of the first")
				} else {
					require.Empty(t, r.Header.Get("Idempotency-Key"))
				}
				if own := i < 3 || i == 4; own {
					require.Equal(t, "Bearer "+token, r.Header.Get("Authorization"))
				} else {
					require.Empty(t, r.Header.Get("Authorization"), "caches share what needs no token")
				}
			}
			require.GreaterOrEqual(t, front.at[2].Sub(front.at[1]), putOff-100*time.Millisecond, "Retry-After is waited for")
			require.Equal(t, map[string]float64{"user_ana": 62.5}, standings(t, p.URL, "points"))
		})
	}
}
