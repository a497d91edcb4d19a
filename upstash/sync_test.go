package upstash_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

const syncToken = "Upstash-Sync-Token"

func TestCallerReadsItsOwnWrites(t *testing.T) {
	srv := serve(t,
		answer(200, `{"result":1}`, syncToken, "t1"),
		answer(400, `{"error":"ERR x"}`, syncToken, "t2"),
		ok(`{"result":1}`),
		answer(200, `{"result":1}`, syncToken, strings.Repeat("x", 5000)),
		ok(`{"result":1}`))
	c := client(t, srv.URL)
	ctx := upstash.WithSync(t.Context(), new(upstash.Sync))
	for range 5 {
		_, _ = c.Do(ctx, upstash.Cmd("INCR", "k"))
	}
	_, _ = c.Do(t.Context(), upstash.Cmd("GET", "k"))
	_, _ = c.Do(upstash.WithSync(t.Context(), new(upstash.Sync)), upstash.Cmd("GET", "k"))
	var sent []string
	for _, r := range srv.requests() {
		sent = append(sent, r.header.Get(syncToken))
	}
	require.Equal(t, []string{"", "t1", "t2", "t2", "t2", "", ""}, sent)
}

func TestSlowReadDoesNotReplaceTheTokenOfAWrite(t *testing.T) {
	reading, written := make(chan struct{}), make(chan struct{})
	srv := serve(t,
		func(w http.ResponseWriter, r *http.Request) {
			close(reading)
			<-written
			answer(200, `{"result":1}`, syncToken, "old")(w, r)
		},
		answer(200, `{"result":1}`, syncToken, "new"),
		ok(`{"result":1}`))
	c := client(t, srv.URL)
	ctx := upstash.WithSync(t.Context(), new(upstash.Sync))
	slow := make(chan error, 1)
	go func() {
		_, err := c.Do(ctx, upstash.Cmd("GET", "k"))
		slow <- err
	}()
	<-reading
	_, err := c.Do(ctx, upstash.Cmd("SET", "k", "v"))
	require.NoError(t, err)
	close(written)
	require.NoError(t, <-slow)
	_, err = c.Do(ctx, upstash.Cmd("GET", "k"))
	require.NoError(t, err)
	require.Equal(t, "new", srv.requests()[2].header.Get(syncToken))
}
