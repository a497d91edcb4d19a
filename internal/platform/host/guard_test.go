package host_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// get asks a server for / with a forged request id.
func get(t *testing.T, h http.Handler) (*http.Response, string, error) {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = nil
	srv.Start()
	defer srv.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, nil)
	require.NoError(t, err)
	req.Header.Set("X-Request-Id", "forged")
	res, err := srv.Client().Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { require.NoError(t, res.Body.Close()) }()
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

func TestGuardGivesEachRequestAnIDOfItsOwn(t *testing.T) {
	var ids []string
	h := host.Guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		ids = append(ids, r.Header.Values("X-Request-Id")...)
	}), io.Discard)
	for i := range 2 {
		res, _, err := get(t, h)
		require.NoError(t, err)
		require.Equal(t, ids[i:], res.Header.Values("X-Request-Id"), "the answer names it")
		require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
	}
	require.Len(t, ids, 2)
	require.NotEqual(t, ids[0], ids[1])
	require.Regexp(t, `^[0-9a-f]{32}$`, ids[0])
}

func TestGuardAnswersAPanicAsAProblem(t *testing.T) {
	var log bytes.Buffer
	res, body, err := get(t, host.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "public, s-maxage=60")
		w.Header().Set("Etag", `"half"`)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		panic("secret of the handler")
	}), &log))
	require.NoError(t, err)
	require.Equal(t, http.StatusInternalServerError, res.StatusCode)
	require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"))
	require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	require.Empty(t, res.Header.Get("Etag"))
	require.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"), "the page that asked may read the problem")
	require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
	require.Contains(t, body, res.Header.Get("X-Request-Id"))
	require.NotContains(t, body, "secret")
	require.Contains(t, log.String(), "secret of the handler")
	require.Equal(t, 1, strings.Count(log.String(), "\n"))
}

func TestGuardCutsAnAnswerThatHadBegun(t *testing.T) {
	var log bytes.Buffer
	_, body, err := get(t, host.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half an answer")
		_ = http.NewResponseController(w).Flush()
		panic("too late")
	}), &log))
	require.Error(t, err)
	require.NotContains(t, body, "problem")
	require.Contains(t, log.String(), "too late")
}

func TestGuardLetsHandlersFlush(t *testing.T) {
	var flushed error
	_, _, err := get(t, host.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		flushed = http.NewResponseController(w).Flush()
	}), io.Discard))
	require.NoError(t, err)
	require.NoError(t, flushed)
}
