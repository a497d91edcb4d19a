package upstash_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// limit stands in for upstash.MaxRequest, in bytes.
const limit = 10 << 10

func limited(t *testing.T, srv *scripted) *upstash.Client {
	c := client(t, srv.URL)
	upstash.LimitRequests(c, limit)
	return c
}

// lengths answers a pipeline with the length of each command's last word.
func lengths(w http.ResponseWriter, r *http.Request) {
	var cmds [][]string
	body, _ := r.Context().Value(bodyKey{}).([]byte)
	if len(body) > limit || json.Unmarshal(body, &cmds) != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	out := make([]map[string]int, len(cmds))
	for i, cmd := range cmds {
		out[i] = map[string]int{"result": len(cmd[len(cmd)-1])}
	}
	_ = json.NewEncoder(w).Encode(out)
}

// sets are commands with values of these lengths, in kilobytes and some.
func sets(kb ...int) []upstash.Command {
	cmds := make([]upstash.Command, len(kb))
	for i, n := range kb {
		cmds[i] = upstash.Cmd("SET", "k", strings.Repeat("x", n<<10+i)).Idempotent()
	}
	return cmds
}

func TestLongPipelineGoesOutInParts(t *testing.T) {
	for name, tc := range map[string]struct {
		sizes    []int
		requests int
	}{
		"short":            {[]int{1, 2, 3}, 1},
		"two":              {[]int{4, 4, 4}, 2},
		"each alone":       {[]int{9, 9, 9}, 3},
		"small between":    {[]int{9, 0, 0, 9}, 2},
		"one long at last": {[]int{0, 0, 9}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, lengths)
			c := limited(t, srv)
			res, err := c.Pipeline(t.Context(), sets(tc.sizes...)...)
			require.NoError(t, err)
			require.Len(t, srv.requests(), tc.requests)
			require.Equal(t, 1, res.Attempts)
			require.Len(t, res.Replies, len(tc.sizes))
			for i, kb := range tc.sizes {
				n, err := res.Replies[i].Int64()
				require.NoError(t, err)
				require.EqualValues(t, kb<<10+i, n)
			}
			u := c.Meter().Usage()
			require.EqualValues(t, tc.requests, u.RoundTrips)
			require.EqualValues(t, len(tc.sizes), u.Commands)
		})
	}
}

func TestPartsFillTheLimitToTheByte(t *testing.T) {
	// [["SET","k","…"],["SET","k","…"]]
	const around = len(`[["SET","k",""],["SET","k",""]]`)
	half := strings.Repeat("x", (limit-around)/2)
	for extra, requests := range map[string]int{"": 1, "x": 1, "xx": 2} {
		srv := serve(t, lengths)
		_, err := limited(t, srv).Pipeline(t.Context(), upstash.Cmd("SET", "k", half), upstash.Cmd("SET", "k", half+extra))
		require.NoError(t, err)
		require.Len(t, srv.requests(), requests, "%d bytes more", len(extra))
	}
}

func TestPartThatFailsTellsOfThoseBefore(t *testing.T) {
	srv := serve(t, lengths, answer(401, ""))
	res, err := limited(t, srv).Pipeline(t.Context(), append(sets(4, 4, 4), upstash.Cmd("INCR", "n"))...)
	e := failed(t, err)
	require.ErrorIs(t, err, upstash.KindAuth)
	require.ErrorContains(t, err, "pipeline of 4, from item 2 on")
	require.True(t, e.MaybeApplied())
	require.False(t, e.SafeToRetry(), "INCR is among them")
	require.Equal(t, -1, e.Index())
	require.Len(t, res.Replies, 2, "the first part was carried out")
	require.NoError(t, res.Err())

	srv = serve(t, answer(401, ""))
	res, err = limited(t, srv).Pipeline(t.Context(), sets(4, 4, 4)...)
	require.False(t, failed(t, err).MaybeApplied(), "the first part failed")
	require.Empty(t, res.Replies)
}

func TestLostAnswersOfPartsAreAddedUp(t *testing.T) {
	srv := serve(t, cut, lengths, cut, lengths)
	res, err := limited(t, srv).Pipeline(t.Context(), sets(9, 9)...)
	require.NoError(t, err)
	require.Equal(t, 3, res.Attempts)
	require.Len(t, srv.requests(), 4)
}

func TestNothingIsSentOfAPipelineThatCannotGoOutWhole(t *testing.T) {
	srv := serve(t, lengths)
	c := limited(t, srv)
	_, err := c.Pipeline(t.Context(), append(sets(9, 9), upstash.Cmd("SET", "k", "\xff"))...)
	require.ErrorIs(t, err, upstash.KindArgument)
	require.Equal(t, 2, failed(t, err).Index())
	_, err = c.Pipeline(t.Context(), sets(1, 10)...)
	require.ErrorIs(t, err, upstash.KindTooLarge)
	require.Equal(t, 1, failed(t, err).Index())
	_, err = c.MultiExec(t.Context(), sets(4, 4, 4)...)
	require.ErrorIs(t, err, upstash.KindTooLarge)
	require.ErrorContains(t, err, "cannot be split")
	require.False(t, failed(t, err).MaybeApplied())
	require.Empty(t, srv.requests())
}

func TestTransactionJustWithinTheLimitIsSent(t *testing.T) {
	srv := serve(t, lengths)
	_, err := limited(t, srv).MultiExec(t.Context(), sets(4, 4, 1)...)
	require.NoError(t, err)
	require.Len(t, srv.requests(), 1)
}
