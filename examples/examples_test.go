// Package examples_test runs every recipe as it is printed in the documentation,
// against the whole product on this machine.
package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/product/app"
)

func product(t *testing.T, g *game.Game) *local.Product {
	t.Helper()
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) // noon, so that no test runs into the next day
	p.Clock.Set(noon)
	return p
}

// build makes a program of a package of this module.
func build(t *testing.T, pkg string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "program")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, pkg).CombinedOutput()
	require.NoError(t, err, string(out))
	return binary
}

// run runs a program and gives what it printed.
func run(t *testing.T, folder, stdin string, env []string, program string, args ...string) (out string, err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Stdin, c.Env = folder, strings.NewReader(stdin), append(os.Environ(), env...)
	var all bytes.Buffer
	c.Stdout, c.Stderr = &all, &all
	err = c.Run()
	return all.String(), err
}

// unreliable passes requests on to the product, except that the answer to the first one is
// lost after it took effect, and the second one is refused with a Retry-After of two seconds.
type unreliable struct {
	sync.Mutex
	seen  []*http.Request // without bodies
	at    []time.Time
	proxy http.Handler
}

const putOff = 2 * time.Second

func (u *unreliable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.Lock()
	u.seen, u.at = append(u.seen, r.Clone(context.Background())), append(u.at, time.Now())
	n := len(u.seen)
	u.Unlock()
	switch n {
	case 1:
		u.proxy.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case 2:
		w.Header().Set("Retry-After", fmt.Sprint(putOff.Seconds()))
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		u.proxy.ServeHTTP(w, r)
	}
}

// plays returns 1,003 lines of scores for a mode that adds scores up, so a score that arrives
// twice would count twice. Lines 2 and 4 are not JSON, and line 3 is out of bounds.
func plays() string {
	var lines strings.Builder
	for i := range 1003 {
		switch i {
		case 1:
			lines.WriteString("{\"mode\":\"points\",\n")
		case 2:
			lines.WriteString("{\"mode\":\"points\",\"player\":\"user_2\",\"score\":101}\n")
		case 3:
			lines.WriteString("{\"mode\":\"points\",\"player\":\"user_3\",\"score\":NaN}\n")
		default:
			fmt.Fprintf(&lines, "{\"mode\":\"points\",\"player\":\"user_%d\",\"score\":%d.25}\n", i, i%100)
		}
	}
	return lines.String()
}

const sums = `
name: recipes
modes:
  points:
    policy: sum
    decimals: 2
    max: 100
    day_max: 1000
`

func TestGameServersSendEachScoreOnce(t *testing.T) {
	require.NoError(t, npmtest.Need("node"))
	for language, command := range map[string][]string{
		"go":       {build(t, "./gameserver/go")},
		"goclient": {build(t, "./gameserver/goclient")},
		"node":     {"node", "send.mjs"},
		"python":   {"python3", "send.py"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			g, err := gamefile.Parse("sums", []byte(sums))
			require.NoError(t, err)
			p := product(t, g)
			to, err := url.Parse(p.URL)
			require.NoError(t, err)
			front := &unreliable{proxy: httputil.NewSingleHostReverseProxy(to)}
			gateway := httptest.NewServer(front)
			t.Cleanup(gateway.Close)

			env := []string{"LEADERBOARDS_URL=" + gateway.URL, "SIGNING_KEY=" + p.Secrets.SigningKey}
			out, err := run(t, filepath.Join("gameserver", language), plays(), env, command[0], command[1:]...)
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "some were refused: %s", out)
			require.Equal(t, 1, exit.ExitCode(), out)
			require.Contains(t, out, "line 2: not JSON\n")
			require.Regexp(t, `(?m)^line 3: 422 .*100`, out)
			require.Contains(t, out, "line 4: not JSON\n")
			require.Contains(t, out, "1001 sent, 3 refused\n")

			require.Len(t, front.seen, 4, "a batch of a thousand in three tries, and one of one")
			keys := map[string]int{}
			for _, r := range front.seen {
				require.Equal(t, "/v1/scores/batch", r.URL.Path)
				require.Regexp(t, `^t=\d+,v2=[0-9a-f]{64}$`, r.Header.Get("Framedle-Signature"))
				keys[r.Header.Get("Idempotency-Key")]++
			}
			require.Equal(t, 3, keys[front.seen[0].Header.Get("Idempotency-Key")], "each try has the key of the first: %v", keys)
			require.Len(t, keys, 2, "each batch has its own")
			require.GreaterOrEqual(t, front.at[2].Sub(front.at[1]), putOff-100*time.Millisecond, "Retry-After is waited for")

			current := standings(t, p.URL, "points")
			require.Len(t, current, 1000)
			for i := range 1003 {
				if i < 1 || i > 3 {
					require.Equal(t, float64(i%100)+0.25, current[fmt.Sprintf("user_%d", i)], "each play counts once")
				}
			}
		})
	}
}

func TestAGameServerIsToldWhatIsWrongAtOnce(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	p := product(t, g)
	for language, command := range map[string][]string{
		"go":       {build(t, "./gameserver/go")},
		"goclient": {build(t, "./gameserver/goclient")},
		"node":     {"node", "send.mjs"},
		"python":   {"python3", "send.py"},
	} {
		folder := filepath.Join("gameserver", language)
		line := `{"mode":"daily_frame","player":"user_a","score":1}` + "\n"

		out, err := run(t, folder, line, []string{"LEADERBOARDS_URL=" + p.URL, "SIGNING_KEY=" + strings.Repeat("k", 32)}, command[0], command[1:]...)
		require.Error(t, err)
		require.Contains(t, out, "401", "a key that does not hold is not tried again")
		require.Contains(t, out, "0 sent, 0 refused", language)

		out, err = run(t, folder, line, []string{"LEADERBOARDS_URL=", "SIGNING_KEY="}, command[0], command[1:]...)
		require.Error(t, err)
		require.Contains(t, out, "set LEADERBOARDS_URL", language)

		out, err = run(t, folder, line, []string{"LEADERBOARDS_URL=" + p.URL, "SIGNING_KEY=" + p.Secrets.SigningKey}, command[0], command[1:]...)
		require.NoError(t, err, out)
		require.Equal(t, "1 sent, 0 refused\n", out, language)
	}
}

func TestAPageReadsABoardAndTheOwnCard(t *testing.T) {
	require.NoError(t, npmtest.Need("node"))
	g, err := app.LoadGame("")
	require.NoError(t, err)
	p := product(t, g)
	token, err := p.Token(devissuer.Claims{Player: "user_ana", Name: "Ana"})
	require.NoError(t, err)
	out, err := run(t, "page", "", []string{"LEADERBOARDS_URL=" + p.URL, "TOKEN=" + token}, "node", "--test", "--test-reporter=tap", "board.test.mjs")
	require.NoError(t, err, out)
	require.Contains(t, out, "# pass 3\n", out)
	require.Contains(t, out, "# skipped 0\n", out)
}

func TestOwnTestsStartUpstashAndEndIt(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "upstash-local"))
	env := []string{"UPSTASH_LOCAL=" + build(t, "../cmd/upstash-local")}
	for script, passed := range map[string]string{"test": "# pass 2\n", "test:vitest": "2 passed (2)"} {
		out, err := run(t, "upstash-local", "", append(env, "NO_COLOR=1"), "npm", "run", "--silent", script)
		require.NoError(t, err, out)
		require.Contains(t, out, passed, script)
	}
	// If the command is missing or does not listen, the tests fail at once.
	for _, command := range []string{"/no/upstash-local", "false"} {
		out, err := run(t, "upstash-local", "", []string{"UPSTASH_LOCAL=" + command}, "npm", "run", "--silent", "test")
		require.Error(t, err, out)
		require.Contains(t, out, command, "it says which")
	}
}

// standings are the scores of today's board, by player.
func standings(t *testing.T, url, mode string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for cursor := ""; ; {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/leaderboards/"+mode+"?limit=200"+cursor, nil)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		var page struct {
			Entries []struct {
				Player string
				Score  float64
			}
			NextCursor string `json:"next_cursor"`
		}
		err = json.NewDecoder(res.Body).Decode(&page)
		require.NoError(t, res.Body.Close())
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, res.StatusCode)
		for _, e := range page.Entries {
			all[e.Player] = e.Score
		}
		if page.NextCursor == "" {
			return all
		}
		cursor = "&cursor=" + page.NextCursor
	}
}
