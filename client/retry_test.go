package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/client"
)

// tried is what one attempt looked like.
type tried struct{ key, signature, body string }

// failing fails in the given ways, one after the other, before it answers, and notes
// each attempt.
func failing(all *[]tried, ways []func(http.ResponseWriter), answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*all = append(*all, tried{r.Header.Get("Idempotency-Key"), r.Header.Get("Framedle-Signature"), string(body)})
		if n := len(*all); n <= len(ways) {
			ways[n-1](w)
			return
		}
		say(w, http.StatusCreated, answer)
	}
}

func status(code int, problem, after string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		say(w, code, fmt.Sprintf(`{"title":"T","status":%d,"code":%q}`, code, problem))
	}
}

func TestAnAttemptIsRepeatedUnderItsKeyWithASignatureOfItsOwn(t *testing.T) {
	for name, way := range map[string]func(http.ResponseWriter){
		"cut":         cut,
		"408":         status(408, "", ""),
		"429":         status(429, client.CodeRateLimited, ""),
		"500":         status(500, client.CodeInternal, ""),
		"502":         status(502, "", ""),
		"503":         status(503, client.CodeUnavailable, ""),
		"504":         status(504, "", ""),
		"key is used": status(409, client.CodeKeyInUse, ""),
	} {
		t.Run(name, func(t *testing.T) {
			var all []tried
			now := time.Unix(1_790_000_000, 0)
			lb, w := serve(t, client.Config{SigningKey: key, Now: func() time.Time { now = now.Add(time.Second); return now }},
				failing(&all, []func(http.ResponseWriter){way, way}, acceptedScore))
			result, err := lb.Submit(t.Context(), client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800})
			require.NoError(t, err)
			require.Equal(t, client.Accepted, result.Status)
			require.Len(t, all, 3)
			require.NotEqual(t, `""`, all[0].key)
			for _, a := range all[1:] {
				require.Equal(t, all[0].key, a.key)
				require.Equal(t, all[0].body, a.body)
			}
			require.NotEqual(t, all[0].signature, all[1].signature)
			require.Len(t, w.all, 2)
			require.GreaterOrEqual(t, w.all[0], 125*time.Millisecond)
			require.Less(t, w.all[1], 500*time.Millisecond)
		})
	}
}

func TestARefusalIsNotRepeated(t *testing.T) {
	for _, code := range []int{400, 401, 403, 404, 405, 409, 413, 415, 422, 501} {
		var all []tried
		lb, _ := serve(t, client.Config{SigningKey: key}, failing(&all, []func(http.ResponseWriter){status(code, client.CodeDuelDecided, "1")}, acceptedScore))
		_, err := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1})
		var p *client.Problem
		require.ErrorAs(t, err, &p)
		require.Equal(t, code, p.Status)
		require.Len(t, all, 1)
	}
}

func TestRetriesEndAndTellTheLastProblem(t *testing.T) {
	for retries, attempts := range map[int]int{0: 3, -1: 1, 5: 6} {
		var all []tried
		ways := make([]func(http.ResponseWriter), 10)
		for i := range ways {
			ways[i] = status(503, client.CodeUnavailable, "2")
		}
		lb, w := serve(t, client.Config{SigningKey: key, Retries: retries}, failing(&all, ways, acceptedScore))
		_, err := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1})
		var p *client.Problem
		require.ErrorAs(t, err, &p)
		require.Equal(t, 2*time.Second, p.RetryAfter)
		require.Len(t, all, attempts)
		for _, d := range w.all {
			require.Equal(t, 2*time.Second, d, "Retry-After wins")
		}
	}
}

// If the wait is long or the context ends before it, the client returns the refusal at once.
func TestLongWaitsAreTheCallers(t *testing.T) {
	for name, c := range map[string]struct {
		after string
		limit time.Duration
	}{"tomorrow": {"86400", time.Hour}, "after the context": {"30", 5 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			var all []tried
			lb, w := serve(t, client.Config{SigningKey: key}, failing(&all, []func(http.ResponseWriter){status(429, client.CodeRateLimited, c.after)}, acceptedScore))
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
			defer cancel()
			_, err := lb.Submit(ctx, client.Submission{Mode: "m", Player: "p", Score: 1})
			var p *client.Problem
			require.ErrorAs(t, err, &p)
			require.NotZero(t, p.RetryAfter)
			require.Empty(t, w.all)
		})
	}
}

func TestKeysAreTheCallersOrNewOrNone(t *testing.T) {
	var all []tried
	lb, _ := serve(t, client.Config{SigningKey: key}, failing(&all, nil, acceptedScore))
	for _, k := range []string{"mine", "", "", client.NoKey} {
		_, err := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1, IdempotencyKey: k})
		require.NoError(t, err)
	}
	require.Equal(t, `"mine"`, all[0].key)
	require.Len(t, all[1].key, 28)
	require.NotEqual(t, all[1].key, all[2].key)
	require.Empty(t, all[3].key)
	for _, k := range []string{"a b", `a"b`, "é", "\r\nX: y", string(make([]byte, 256))} {
		_, err := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1, IdempotencyKey: k})
		require.ErrorContains(t, err, "the idempotency key", k)
	}
	require.Len(t, all, 4, "none of these was sent")
}

// The first accepting result for a score counts: the second attempt, which was sent because of
// another score, answers kept for a score that the first brought in.
func TestABatchOfWhichAPartWaitsIsSentAgain(t *testing.T) {
	waits := `{"problem":{"status":503,"code":"temporarily-unavailable","title":"Not now"}}`
	refused := `{"problem":{"status":422,"code":"score-out-of-bounds","title":"Too much"}}`
	kept := `{"player":"user_ana","status":"kept"}`
	var all []tried
	lb, w := serve(t, client.Config{SigningKey: key}, func(w http.ResponseWriter, r *http.Request) {
		all = append(all, tried{key: r.Header.Get("Idempotency-Key")})
		w.Header().Set("Retry-After", "3")
		if len(all) == 1 {
			say(w, http.StatusOK, `{"results":[`+acceptedScore+`,`+waits+`,`+refused+`,`+waits+`]}`)
			return
		}
		say(w, http.StatusOK, `{"results":[`+kept+`,`+acceptedScore+`,`+refused+`,`+waits+`]}`)
	})
	results, err := lb.SubmitBatch(t.Context(), client.Batch{Scores: make([]client.Submission, 4)})
	require.NoError(t, err)
	require.Equal(t, client.Accepted, results[0].Status)
	require.Equal(t, client.Accepted, results[1].Status)
	require.Nil(t, results[1].Problem)
	require.Equal(t, client.CodeScoreOutOfBounds, results[2].Problem.Code)
	require.Equal(t, client.CodeUnavailable, results[3].Problem.Code)
	require.Equal(t, 3*time.Second, results[3].Problem.RetryAfter)
	require.Equal(t, []time.Duration{3 * time.Second, 3 * time.Second}, w.all)
	require.Len(t, all, 3)
	require.Equal(t, all[0].key, all[2].key)
}

// If some scores must wait and then a whole attempt fails, the known results stay.
func TestABatchThatFailsAtLastTellsWhatWasTaken(t *testing.T) {
	calls := 0
	lb, _ := serve(t, client.Config{SigningKey: key}, func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls > 1 {
			cut(w)
			return
		}
		say(w, http.StatusOK, `{"results":[`+acceptedScore+`,{"problem":{"status":503,"title":"Not now"}}]}`)
	})
	results, err := lb.SubmitBatch(t.Context(), client.Batch{Scores: make([]client.Submission, 2)})
	require.NoError(t, err)
	require.Equal(t, client.Accepted, results[0].Status)
	require.Equal(t, 503, results[1].Problem.Status)
}

func TestBatchesOfTooManyOrNoneAreNotSent(t *testing.T) {
	lb, _ := serve(t, client.Config{SigningKey: key}, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
	for _, n := range []int{0, 1001} {
		_, err := lb.SubmitBatch(t.Context(), client.Batch{Scores: make([]client.Submission, n)})
		require.ErrorContains(t, err, "use 1 to 1000")
	}
}

// Every score that a game can hold has at most 15 digits, so a float64 writes it as it
// was.
func TestScoresAreWrittenExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(0, 6).Draw(t, "decimals")
		scaled := rapid.Int64Range(-(1<<48), 1<<48).Draw(t, "score")
		text := written(scaled, decimals)
		var score float64
		require.NoError(t, json.Unmarshal([]byte(text), &score))
		body, err := json.Marshal(client.Submission{Score: score})
		require.NoError(t, err)
		require.Contains(t, string(body), `"score":`+text+`}`)
	})
}
