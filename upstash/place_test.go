package upstash_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

func TestErrorsTellWhichCommandItWas(t *testing.T) {
	incr, add := upstash.Cmd("incr", "a"), upstash.Cmd("ZADD", "b", "NX", "1", "m").Idempotent()
	const items = `[{"result":1},{"error":"ERR command was throttled"},` + outOfQuota + `]`

	t.Run("alone", func(t *testing.T) {
		_, err := client(t, serve(t, answer(400, `{"error":"ERR x"}`)).URL).Do(t.Context(), incr)
		require.Equal(t, 0, failed(t, err).Index())
		require.Equal(t, "INCR", failed(t, err).Command())
	})
	t.Run("none in particular", func(t *testing.T) {
		_, err := client(t, serve(t, answer(401, "")).URL).Pipeline(t.Context(), incr, add)
		require.Equal(t, -1, failed(t, err).Index())
		require.Empty(t, failed(t, err).Command())
	})
	t.Run("of a pipeline", func(t *testing.T) {
		res, err := client(t, serve(t, ok(items)).URL).Pipeline(t.Context(), incr, incr, add)
		require.NoError(t, err)
		require.NoError(t, res.ErrOf(0))
		e := failed(t, res.ErrOf(1))
		require.ErrorIs(t, e, upstash.KindThrottled)
		require.Equal(t, 1, e.Index())
		require.Equal(t, "INCR", e.Command())
		require.False(t, e.MaybeApplied(), "a throttled command was not carried out")
		require.True(t, e.SafeToRetry())
		e = failed(t, res.ErrOf(2))
		require.ErrorIs(t, e, upstash.KindQuota)
		require.Equal(t, 2, e.Index())
		require.Equal(t, "ZADD", e.Command())
		require.Equal(t, 1, failed(t, res.Err()).Index(), "the first")
		require.Equal(t, -1, failed(t, res.Replies[1].Err()).Index(), "a reply knows no call")
	})
	t.Run("before it was sent", func(t *testing.T) {
		_, err := client(t, "http://db.test").MultiExec(t.Context(), incr, upstash.Cmd("SET", "k", "\xff"))
		require.Equal(t, 1, failed(t, err).Index())
		require.Equal(t, "SET", failed(t, err).Command())
	})
	t.Run("sent again for its script", func(t *testing.T) {
		srv := serve(t, ok(`[{"result":1},`+noScript+`]`), ok(`[{"error":"ERR boom"}]`))
		res, err := client(t, srv.URL).Pipeline(t.Context(), incr, upstash.NewScript(source, nil).Command([]string{"a"}))
		require.NoError(t, err)
		require.Equal(t, 1, failed(t, res.Err()).Index())
		require.Equal(t, "EVALSHA", failed(t, res.Err()).Command())
	})
}
