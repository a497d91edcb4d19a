package upstash_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// echo answers a pipeline of ECHO commands.
func echo(w http.ResponseWriter, r *http.Request) {
	var cmds [][]string
	body, _ := r.Context().Value(bodyKey{}).([]byte)
	if err := json.Unmarshal(body, &cmds); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	out := make([]map[string]string, len(cmds))
	for i, cmd := range cmds {
		out[i] = map[string]string{"result": base64.StdEncoding.EncodeToString([]byte(cmd[1]))}
	}
	w.Header().Set("Upstash-Sync-Token", cmds[0][1])
	_ = json.NewEncoder(w).Encode(out)
}

// echoes sends two texts that only this worker and turn have, and wants them back.
func echoes(ctx context.Context, c *upstash.Client, worker, turn int) error {
	want := []string{fmt.Sprintf("%d/%d", worker, turn), strings.Repeat(fmt.Sprintf("%d.%d;", worker, turn), 50*(turn%7))}
	res, err := c.Pipeline(ctx, upstash.Cmd("ECHO", want[0]), upstash.Cmd("ECHO", want[1]))
	if err != nil {
		return err
	}
	for i := range want {
		if got, err := res.Replies[i].Text(); err != nil || got != want[i] {
			return fmt.Errorf("got %q and %v, want %q", got, err, want[i])
		}
	}
	return nil
}

func TestConnectionIsReused(t *testing.T) {
	srv := serve(t, ok(`{"result":1}`), answer(400, `{"error":"ERR x"}`), answer(429, strings.Repeat("x", 9000)), ok(`{"result":1}`))
	c := client(t, srv.URL)
	for range 20 {
		_, _ = c.Do(t.Context(), upstash.Cmd("GET", strings.Repeat("k", 5000)))
	}
	require.EqualValues(t, 1, srv.conns.Load())
}

func TestHangUpBetweenCallsIsSurvived(t *testing.T) {
	srv := serve(t, ok(`{"result":1}`))
	c := client(t, srv.URL)
	for range 5 {
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		srv.CloseClientConnections()
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other := serve(t, ok(`{"result":1}`))
		srv := serve(t, answer(status, "", "Location", other.URL))
		for _, given := range []*http.Client{nil, {}} {
			c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.HTTP = given })
			_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
			require.ErrorIs(t, err, upstash.KindProtocol)
			require.ErrorContains(t, err, "redirect")
		}
		require.Empty(t, other.requests())
	}
}

func TestGivenClientIsNotChanged(t *testing.T) {
	given := &http.Client{}
	client(t, "http://db.test", func(cfg *upstash.Config) { cfg.HTTP = given })
	require.Nil(t, given.CheckRedirect)
}

func TestEnvironmentCannotInterposeAProxy(t *testing.T) {
	proxy := serve(t, ok(`{"result":1}`))
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	c := client(t, "http://db.invalid", func(cfg *upstash.Config) { cfg.Attempts = 1 })
	_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
	require.Error(t, err)
	require.Empty(t, proxy.requests())
}

func TestAnswersAreBounded(t *testing.T) {
	t.Run("announced", func(t *testing.T) {
		srv := serve(t, answer(200, "", "Content-Length", fmt.Sprint(upstash.MaxAnswer+1)))
		_, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("GET", "k"))
		require.ErrorIs(t, err, upstash.KindTooLarge)
		require.True(t, failed(t, err).MaybeApplied())
	})
	t.Run("endless", func(t *testing.T) {
		part := bytes.Repeat([]byte("A"), 1<<20)
		srv := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"result":"`)
			for {
				if _, err := w.Write(part); err != nil {
					return
				}
			}
		})
		// A busy machine may take longer than a call usually has to send what is too much.
		patient := func(c *upstash.Config) { c.Timeout = 5 * time.Minute }
		_, err := client(t, srv.URL, patient).Do(t.Context(), upstash.Cmd("GET", "k"))
		require.ErrorIs(t, err, upstash.KindTooLarge)
		require.Len(t, srv.requests(), 1)
	})
	t.Run("announced and never sent", func(t *testing.T) {
		srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(upstash.MaxAnswer))
			w.WriteHeader(http.StatusOK)
			cut(w, r)
		})
		_, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, upstash.KindUnavailable)
	})
}

func TestEarlyAnswerDoesNotSpoilTheNextBody(t *testing.T) {
	// The first server answers without reading; its body may still be on the
	// way when the next call encodes another.
	refuse := refusing(t)
	c := client(t, refuse.URL)
	for i := range 20 {
		fill := strings.Repeat(string(rune('a'+i)), 400_000)
		_, err := c.Do(t.Context(), upstash.Cmd("SET", "k", fill))
		require.Error(t, err)
	}
}
