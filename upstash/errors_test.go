package upstash_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

func TestErrorsAreSortedByTextAndStatus(t *testing.T) {
	for name, tc := range map[string]struct {
		status int
		body   string
		kind   upstash.Kind
		maybe  bool
	}{
		"wrong token":           {401, `{"error":"WRONGPASS invalid or missing auth token"}`, upstash.KindAuth, false},
		"401 without words":     {401, ``, upstash.KindAuth, false},
		"401 with other words":  {401, `{"error":"Unauthorized"}`, upstash.KindAuth, false},
		"403":                   {403, `<html>`, upstash.KindAuth, false},
		"read-only token":       {400, `{"error":"NOPERM this user has no permissions to run the 'set' command"}`, upstash.KindAuth, false},
		"quota":                 {400, `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500001. See https://upstash.com/docs"}`, upstash.KindQuota, false},
		"quota with 200":        {200, `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500001"}`, upstash.KindQuota, false},
		"quota with 429":        {429, `{"error":"ERR max daily request limit exceeded. Limit: 10000, Usage: 10000"}`, upstash.KindQuota, false},
		"storage":               {400, `{"error":"ERR DB capacity quota exceeded"}`, upstash.KindQuota, false},
		"429":                   {429, ``, upstash.KindThrottled, false},
		"rate with 400":         {400, `{"error":"ERR max requests per second limit exceeded"}`, upstash.KindThrottled, false},
		"throttled with 200":    {200, `{"error":"ERR command was throttled"}`, upstash.KindThrottled, false},
		"throttled with 503":    {503, `{"error":"Throttling"}`, upstash.KindThrottled, false},
		"413":                   {413, `Request Entity Too Large`, upstash.KindTooLarge, false},
		"size with 400":         {400, `{"error":"ERR max request size exceeded. Limit: 10485760 bytes, Actual: 10485800 bytes"}`, upstash.KindTooLarge, false},
		"record size":           {400, `{"error":"ERR max single record size exceeded. Limit: 1 bytes, Actual: 2 bytes"}`, upstash.KindTooLarge, false},
		"script failed":         {400, `{"error":"ERR Error running script (call to f_0): user_script:1: boom"}`, upstash.KindScript, true},
		"script does not parse": {400, `{"error":"ERR Error compiling script (new function): user_script:1: ')' expected"}`, upstash.KindScript, false},
		"script unknown":        {400, `{"error":"NOSCRIPT No matching script. Please use EVAL."}`, upstash.KindScript, false},
		"wrong type":            {400, `{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"}`, upstash.KindItem, false},
		"syntax with 200":       {200, `{"error":"ERR syntax error"}`, upstash.KindItem, false},
		"upgrade":               {400, `{"error":"READONLY Writes are temporarily rejected due to server upgrade"}`, upstash.KindUnavailable, false},
		"upgrade with 200":      {200, `{"error":"READONLY Writes are temporarily rejected due to server upgrade"}`, upstash.KindUnavailable, false},
		"upgrade with 503":      {503, `{"error":"READONLY Writes are temporarily rejected due to server upgrade"}`, upstash.KindUnavailable, false},
		"a replica":             {400, `{"error":"READONLY You can't write against a read only replica."}`, upstash.KindUnavailable, false},
		"transaction discarded": {400, `{"error":"EXECABORT Transaction discarded because of: READONLY You can't write against a read only replica."}`, upstash.KindUnavailable, false},
		"loading":               {503, `{"error":"LOADING Redis is loading the dataset in memory"}`, upstash.KindUnavailable, false},
		"500":                   {500, ``, upstash.KindUnavailable, true},
		"500 with words":        {500, `{"error":"ERR internal"}`, upstash.KindUnavailable, true},
		"502 from a proxy":      {502, `<html>Bad Gateway</html>`, upstash.KindUnavailable, true},
		"result with 503":       {503, `{"result":1}`, upstash.KindUnavailable, true},
		"404":                   {404, `Not Found`, upstash.KindProtocol, true},
		"not json":              {200, `hello`, upstash.KindUnavailable, true},
		"empty":                 {200, ``, upstash.KindUnavailable, true},
		"400 without words":     {400, ``, upstash.KindUnavailable, true},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, answer(tc.status, tc.body))
			c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Attempts = 1 })
			reply, err := c.Do(t.Context(), upstash.Cmd("INCR", "counter", "s3nsitive"))
			e := failed(t, err)
			require.Equal(t, tc.kind.Error(), e.Kind().Error())
			require.ErrorIs(t, err, tc.kind)
			require.Equal(t, tc.kind, upstash.KindOf(err))
			require.Equal(t, tc.maybe, e.MaybeApplied())
			require.Equal(t, !tc.maybe, e.SafeToRetry())
			require.Equal(t, tc.status, e.Status)
			require.ErrorContains(t, err, `do INCR "counter"`)
			require.NotContains(t, err.Error(), "s3nsitive")
			require.True(t, reply.IsNil())
		})
	}
}

func TestScriptMayFailHalfWayWithAnyWords(t *testing.T) {
	script := upstash.NewScript(source, nil).Command([]string{"k"})
	for text, maybe := range map[string]bool{
		"CUSTOM not enough coins":                                                                          true,
		"WRONGTYPE Operation against a key":                                                                true,
		"ERR Error compiling script (new function): x":                                                     false,
		"ERR max requests limit exceeded. Limit: 1":                                                        false,
		"NOPERM this user has no permissions to run 'set'":                                                 false,
		"READONLY Writes are temporarily rejected due to server upgrade":                                   false,
		"ERR Error running script: @user_script:1: READONLY Writes are temporarily rejected due to server": true,
	} {
		for _, cmd := range []upstash.Command{script, upstash.Cmd("eval", source, "1", "k")} {
			srv := serve(t, ok(`{"error":"`+text+`"}`), ok(`[{"error":"`+text+`"}]`))
			c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Attempts = 1 })
			_, err := c.Do(t.Context(), cmd)
			require.Equal(t, maybe, failed(t, err).MaybeApplied(), text)
			res, err := c.Pipeline(t.Context(), cmd)
			require.NoError(t, err)
			require.Equal(t, maybe, failed(t, res.Err()).MaybeApplied(), text)
		}
	}
}

func TestPipelineAsAWholeCanFail(t *testing.T) {
	for _, status := range []int{200, 400, 401} {
		srv := serve(t, answer(status, `{"error":"WRONGPASS invalid or missing auth token"}`))
		c := client(t, srv.URL)
		_, err := c.Pipeline(t.Context(), upstash.Cmd("GET", "a"), upstash.Cmd("GET", "b"))
		require.ErrorIs(t, err, upstash.KindAuth)
		require.ErrorContains(t, err, "pipeline of 2")
		_, err = c.MultiExec(t.Context(), upstash.Cmd("GET", "a"), upstash.Cmd("GET", "b"))
		require.ErrorIs(t, err, upstash.KindAuth)
	}
}

func TestDiscardedTransactionWasNotApplied(t *testing.T) {
	srv := serve(t, answer(400, `{"error":"EXECABORT Transaction discarded because of previous errors."}`))
	_, err := client(t, srv.URL).MultiExec(t.Context(), upstash.Cmd("INCR", "a"), upstash.Cmd("NOSUCH"))
	e := failed(t, err)
	require.Equal(t, upstash.KindItem, e.Kind())
	require.False(t, e.MaybeApplied())
}

func TestErrorsOfItemsAreTheirsAlone(t *testing.T) {
	srv := serve(t, ok(`[{"result":1},{"error":"WRONGTYPE Operation against a key"},{"error":"ERR max requests limit exceeded. Limit: 1"},{"result":"OK"}]`))
	res, err := client(t, srv.URL).Pipeline(t.Context(),
		upstash.Cmd("INCR", "a"), upstash.Cmd("LPUSH", "b", "s3nsitive"), upstash.Cmd("GET", "c"), upstash.Cmd("SET", "d", "1"))
	require.NoError(t, err)
	require.Equal(t, 1, res.Attempts)
	require.NoError(t, res.Replies[0].Err())
	require.ErrorIs(t, res.Replies[1].Err(), upstash.KindItem)
	require.ErrorIs(t, res.Replies[2].Err(), upstash.KindQuota)
	require.NoError(t, res.Replies[3].Err())

	e := failed(t, res.Err())
	require.Equal(t, `upstash: pipeline item 1 LPUSH "b": command refused: WRONGTYPE Operation against a key`, e.Error())
	require.False(t, e.MaybeApplied())

	_, err = res.Replies[1].Text()
	require.ErrorIs(t, err, upstash.KindItem)
	_, err = res.Replies[1].Array()
	require.ErrorIs(t, err, upstash.KindItem)
}

func TestErrorsHideSecretsAndBoundTheirLength(t *testing.T) {
	t.Run("token repeated by the server", func(t *testing.T) {
		srv := serve(t, answer(400, `{"error":"ERR Bearer `+testToken+`"}`), ok(`[{"error":"ERR `+testToken+`"}]`))
		c := client(t, srv.URL)
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "a"))
		failed(t, err)
		res, err := c.Pipeline(t.Context(), upstash.Cmd("GET", "a"))
		require.NoError(t, err)
		failed(t, res.Err())
	})
	t.Run("password as first argument", func(t *testing.T) {
		for _, cmd := range []upstash.Command{
			upstash.Cmd("auth", "s3nsitive"), upstash.Cmd("EVAL", "s3nsitive", "0"), upstash.Cmd("ECHO", "s3nsitive"),
			upstash.NewScript("return 1", nil).Command(nil, "s3nsitive"),
		} {
			require.NotContains(t, cmd.String(), "s3nsitive")
		}
	})
	t.Run("escapes and halves of pairs", func(t *testing.T) {
		reply, err := upstash.Decode([]byte(`{"error":"\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00\ud83d\u0041\ud83d!"}`), -1)
		require.NoError(t, err)
		require.Equal(t, "\"\\/\b\f\n\r\té😀\uFFFDA\uFFFD!", failed(t, reply.Err()).Message)
	})
	t.Run("long words and keys", func(t *testing.T) {
		srv := serve(t, answer(400, `{"error":"`+strings.Repeat("é", 5000)+`"}`))
		_, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("GET", strings.Repeat("k", 5000)))
		failed(t, err)
		require.Less(t, len(err.Error()), 1000)
	})
}

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":      0,
		"7":     7 * time.Second,
		"0":     0,
		"-3":    0,
		"soon":  0,
		"1e9":   0,
		"99999": 24 * time.Hour,
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now.Add(-time.Hour).Format(http.TimeFormat):       0,
		"Fri, 31 Dec 9999 23:59:59 GMT":                   24 * time.Hour,
	} {
		srv := serve(t, answer(429, ``, "Retry-After", value))
		c := client(t, srv.URL, func(cfg *upstash.Config) {
			cfg.Attempts = 1
			cfg.Now = func() time.Time { return now }
		})
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.Equal(t, want, failed(t, err).RetryAfter(), value)
	}
}

func TestRepliesOfAnotherShapeSaySo(t *testing.T) {
	reply := func(body string) upstash.Reply {
		r, err := upstash.Decode([]byte(body), -1)
		require.NoError(t, err)
		return r
	}
	null, word, list := reply(`{"result":null}`), reply(`{"result":`+text("soup")+`}`), reply(`{"result":[1,null]}`)

	_, err := null.Int64()
	require.ErrorIs(t, err, upstash.ErrNil)
	_, err = null.Text()
	require.ErrorIs(t, err, upstash.ErrNil)
	_, err = null.Float64()
	require.ErrorIs(t, err, upstash.ErrNil)
	_, err = null.Array()
	require.ErrorIs(t, err, upstash.ErrNil)
	_, err = null.Strings()
	require.ErrorIs(t, err, upstash.ErrNil)

	_, err = word.Int64()
	require.ErrorIs(t, err, upstash.KindProtocol)
	require.ErrorContains(t, err, `got "soup", want an integer of 64 bits`)
	_, err = word.Float64()
	require.ErrorContains(t, err, `got "soup", want a number`)
	_, err = word.Array()
	require.ErrorContains(t, err, "got a string, want an array")
	_, err = reply(`{"result":9223372036854775808}`).Int64()
	require.ErrorContains(t, err, "64 bits")
	_, err = reply(`{"result":1.5}`).Int64()
	require.ErrorContains(t, err, "64 bits")

	_, err = list.Text()
	require.ErrorContains(t, err, "got an array, want a string")
	_, err = list.Strings()
	require.ErrorIs(t, err, upstash.ErrNil)
	require.ErrorContains(t, err, "element 1")
}

func TestScoresAreReadFromTheirText(t *testing.T) {
	for body, want := range map[string]float64{
		`{"result":` + text("800") + `}`:                800,
		`{"result":` + text("3.0000000000000004") + `}`: 3.0000000000000004,
		`{"result":` + text("1e+21") + `}`:              1e21,
		`{"result":-2}`:                                 -2,
	} {
		r, err := upstash.Decode([]byte(body), -1)
		require.NoError(t, err)
		got, err := r.Float64()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestDeadlineAndCancellationAreTold(t *testing.T) {
	t.Run("the client's own timeout", func(t *testing.T) {
		srv := serve(t, hang)
		c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Timeout = 30 * time.Millisecond })
		_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
		e := failed(t, err)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, upstash.KindUnavailable)
		require.True(t, e.MaybeApplied())
		require.False(t, e.SafeToRetry())
		require.Len(t, srv.requests(), 1)
	})
	t.Run("an earlier deadline of the caller", func(t *testing.T) {
		srv := serve(t, hang)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Timeout = time.Hour }).Do(ctx, upstash.Cmd("GET", "k"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.True(t, failed(t, err).SafeToRetry())
	})
	t.Run("cancelled while waiting for the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
			cancel()
			hang(w, r)
		})
		_, err := client(t, srv.URL).Do(ctx, upstash.Cmd("GET", "k"))
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, srv.requests(), 1)
	})
	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		srv := serve(t, ok(`{"result":1}`))
		c := client(t, srv.URL)
		_, err := c.Do(ctx, upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, context.Canceled)
		require.False(t, failed(t, err).MaybeApplied())
		require.Empty(t, srv.requests())
		require.Zero(t, c.Meter().Usage().Commands)
	})
}
