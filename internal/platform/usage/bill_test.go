package usage_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// account serves one database's statistics as Upstash documents them.
func account(t testing.TB, answer http.HandlerFunc) usage.Config {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/redis/stats/{id}", func(w http.ResponseWriter, r *http.Request) {
		email, key, _ := r.BasicAuth()
		switch {
		case email != "ana@example.com" || key != "the-key":
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
		case r.PathValue("id") != "a/b":
			http.Error(w, "database not found", http.StatusNotFound)
		default:
			answer(w, r)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return usage.Config{URL: server.URL + "/v2", Email: "ana@example.com", Key: "the-key", Database: "a/b"}
}

func days(t *testing.T, c usage.Config) (map[game.Date]int64, error) {
	t.Helper()
	client, err := usage.NewBill(c)
	require.NoError(t, err)
	return client.Days(t.Context())
}

func TestDaysAreReadFromTheDocumentedAnswer(t *testing.T) {
	documented, err := os.ReadFile("testdata/stats.json")
	require.NoError(t, err)
	got, err := days(t, account(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(documented) }))
	require.NoError(t, err)
	require.Equal(t, map[game.Date]int64{
		game.NewDate(2026, time.November, 17): 0,
		game.NewDate(2026, time.November, 18): 68_844_080,
		game.NewDate(2026, time.November, 19): 22_222,
		game.NewDate(2026, time.November, 20): 12,
		game.NewDate(2026, time.November, 21): 7,
	}, got)
}

func TestCredentialsThatAreRefusedAreNamedAndNotShown(t *testing.T) {
	right := account(t, nil)
	for name, test := range map[string]struct {
		change func(*usage.Config)
		says   string
	}{
		"another key":      {func(c *usage.Config) { c.Key = "wrong-key" }, "rejected (401); create a key"},
		"another account":  {func(c *usage.Config) { c.Email = "eve@example.com" }, "rejected (401)"},
		"another database": {func(c *usage.Config) { c.Database = "other" }, "no database with this id"},
	} {
		t.Run(name, func(t *testing.T) {
			c := right
			test.change(&c)
			_, err := days(t, c)
			require.ErrorContains(t, err, test.says)
			require.NotErrorIs(t, err, usage.ErrNoAnswer)
			require.NotContains(t, err.Error(), c.Key)
		})
	}
	for _, c := range []usage.Config{{Email: "a@b", Key: "k"}, {Email: "a@b", Database: "d"}, {Key: "k", Database: "d"}, {Email: "a:b", Key: "k", Database: "d"}} {
		_, err := usage.NewBill(c)
		require.Error(t, err)
	}
}

func TestAnAnswerThatIsNoneIsToldFromOneThatMayComeLater(t *testing.T) {
	status := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(n) }
	}
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) }
	}
	point := func(x, y string) http.HandlerFunc {
		return text(fmt.Sprintf(`{"dailyrequests":[{"x":%q,"y":%s}]}`, x, y))
	}
	const at = "2026-11-21 15:12:52.799480932 +0000 UTC"
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		later  bool
		says   string
	}{
		"too many requests": {status(429), true, "status 429"},
		"a failure":         {status(500), true, "status 500"},
		"a way elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v2/redis/stats/a%2Fb", http.StatusFound)
		}, false, "status 302"},
		"nonsense":           {text("<html>"), false, "unexpected response for a database's statistics"},
		"nothing":            {text(""), false, "unexpected response for a database's statistics"},
		"another object":     {text(`{"database_id":"x"}`), false, "no dailyrequests"},
		"another type":       {text(`{"dailyrequests":7}`), false, "unexpected response for a database's statistics"},
		"no time":            {point("Sunday", "7"), false, `dailyrequests[0].x is "Sunday"`},
		"no number":          {point(at, "null"), false, "dailyrequests[0].y"},
		"below nothing":      {point(at, "-1"), false, "dailyrequests[0].y"},
		"beyond all numbers": {point(at, "1e300"), false, "dailyrequests[0].y"},
		"too much":           {text(strings.Repeat(" ", 9<<20)), false, "more than 8388608 bytes"},
		"a connection that is cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("{"))
		}, true, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := days(t, account(t, test.answer))
			require.ErrorContains(t, err, test.says)
			if test.later {
				require.ErrorIs(t, err, usage.ErrNoAnswer)
			} else {
				require.NotErrorIs(t, err, usage.ErrNoAnswer)
			}
		})
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	release := make(chan struct{})
	c := account(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	client, err := usage.NewBill(c)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = client.Days(ctx)
	require.ErrorIs(t, err, usage.ErrNoAnswer)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), "a%2Fb")
}

func FuzzParseDays(f *testing.F) {
	documented, err := os.ReadFile("testdata/stats.json")
	require.NoError(f, err)
	f.Add(documented)
	f.Add([]byte(`{"dailyrequests":[{"x":"2026-11-21 15:12:52 +0000 UTC","y":7.5}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		days, err := usage.ParseDays(body)
		if err != nil {
			require.Nil(t, days)
			return
		}
		for _, commands := range days {
			require.GreaterOrEqual(t, commands, int64(0))
		}
	})
}
