package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Takers are the endpoints that read a body.
func (s *Stack) Takers(body string) []Call {
	return []Call{s.As("user_a", Post(Scores, body)), Post(Scores, body).Signed(), Post(Batch, body).Signed(), Post(Lookup, body)}
}

func Quoted(text string) string {
	raw, _ := json.Marshal(text) // strings always marshal
	return string(raw)
}

// Object writes a JSON object; a pair with an empty value is left out.
func Object(pairs ...string) string {
	text := ""
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		if text != "" {
			text += ","
		}
		text += Quoted(pairs[i]) + ":" + pairs[i+1]
	}
	return "{" + text + "}"
}

// Senders send one score each: a player and a game server.
func (s *Stack) Senders(pairs ...string) []Call {
	own := s.As("user_a", Post(Scores, Object(pairs...)))
	served := Post(Scores, Object(append([]string{"player", `"user_b"`}, pairs...)...)).Signed()
	return []Call{own.With("Idempotency-Key", "k1"), served.With("Idempotency-Key", "k1")}
}

// Fault is what a 400 says of one field.
type Fault struct{ Pointer, Detail string }

func (s *Stack) Faults(c Call) (all []Fault) {
	s.Helper()
	var body struct{ Errors []Fault }
	require.NoError(s, json.Unmarshal(s.Want(http.StatusBadRequest, c).Body, &body))
	return body.Errors
}

// SignedBy signs a request with a key: method, path and body.
func (s *Stack) SignedBy(key string, c Call) Call {
	path, _, _ := strings.Cut(c.Target, "?")
	return c.With("Framedle-Signature", auth.SignRequest(key, s.Clock.Now(), auth.Request{Method: c.Method, Path: path, Body: []byte(c.Body)}))
}

func (s *Stack) Coins(status int, c Call, key string) ScoreBody {
	s.Helper()
	a := s.Want(status, c.With("Idempotency-Key", key))
	var result ScoreBody
	a.Into(s, &result)
	require.Equal(s, result.Status == "replayed", a.Header.Get("Idempotency-Replayed") == "true")
	return result
}

// records are the keys of idempotency records in Redis.
func (s *Stack) records() (keys []string) {
	s.Helper()
	found, err := s.Redis.Server.Redis().Do(context.Background(), "KEYS", "once:*")
	require.NoError(s, err)
	for _, key := range found.([]any) {
		keys = append(keys, key.(string))
	}
	return keys
}

// Rewind makes the record of a call, and of no other, one of a request that is
// still running.
func (s *Stack) Rewind(Call) {
	s.Helper()
	for _, key := range s.records() {
		text, err := s.Redis.Server.Redis().Do(context.Background(), "GET", key)
		require.NoError(s, err)
		fingerprint, _, _ := strings.Cut(text.(string), " ")
		running := fmt.Sprintf("%s running %d another", fingerprint, s.Clock.Now().Add(8e9).UnixMilli())
		_, err = s.Redis.Server.Redis().Do(context.Background(), "SET", key, running, "PX", "10000")
		require.NoError(s, err)
	}
}

// Pass lets the deadline of every claim pass.
func (s *Stack) Pass() {
	s.Helper()
	for _, key := range s.records() {
		text, err := s.Redis.Server.Redis().Do(context.Background(), "GET", key)
		require.NoError(s, err)
		if strings.Contains(text.(string), " running ") {
			left, err := s.Redis.Server.Redis().Do(context.Background(), "PTTL", key)
			require.NoError(s, err)
			require.LessOrEqual(s, left, int64(10_000), "a claim ends by itself")
			_, err = s.Redis.Server.Redis().Do(context.Background(), "DEL", key)
			require.NoError(s, err)
		}
	}
}

func KeyedAs(s *Stack, player, key, body string) Call {
	return s.As(player, Post(Scores, body)).With("Idempotency-Key", key)
}

// persist sends a call as a client library would until it is answered: again
// after 409, 429, 500 and 503, and when the connection breaks.
func (s *Stack) persist(c Call) Answer {
	s.Helper()
	for range 10 {
		switch a := s.Do(c); a.Status {
		case http.StatusConflict, http.StatusServiceUnavailable:
			require.NotEmpty(s, a.Header.Get("Retry-After"))
			s.Pass()
		default:
			return a
		}
	}
	require.Fail(s, "no answer")
	return Answer{}
}

func (s *Stack) BreakAt(sum bool, body string, fault upstashtest.Fault, step, length int64) {
	s.Helper()
	_, err := s.Redis.Server.Redis().Do(context.Background(), "FLUSHDB")
	require.NoError(s, err)
	s.Handler = s.Process()
	s.Want(http.StatusCreated, KeyedAs(s, "user_b", "other", body)) // Redis knows the scripts
	c := KeyedAs(s, "user_a", "key-1", body)
	var exchange atomic.Int64
	s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		if n := exchange.Add(1) - 1; n >= step && n < step+length {
			return fault
		}
		return upstashtest.Fault{}
	})
	first := s.persist(c)
	s.MendRedis()
	require.Less(s, first.Status, 300, "%s", first.Body)
	var result, again ScoreBody
	first.Into(s, &result)
	require.Equal(s, result.Submitted, result.Score)
	require.EqualValues(s, 2, result.Rank, "user_b was first")
	s.persist(c).Into(s, &again)
	if sum {
		require.Equal(s, "replayed", again.Status)
		again.Status = result.Status
	}
	require.Equal(s, result, again, "one answer")
	page := s.Page("/v1/leaderboards/" + result.Mode + "?limit=7")
	require.Len(s, page.Entries, 2)
	require.Equal(s, result.Score, page.Entries[1].Score, "one effect")
}

// Wire is the network before the product: of the requests that it carries, one
// is cut, before it gets there or after it was answered.
type Wire struct {
	*Stack
	server        *httptest.Server
	Before, After atomic.Bool
	Mu            sync.Mutex
	Answers       [][]byte // of all requests that got there and succeeded
}

func (s *Stack) Wire() *Wire {
	w := &Wire{Stack: s}
	w.server = httptest.NewServer(w)
	s.Cleanup(w.server.Close)
	return w
}

func (w *Wire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if w.Before.Swap(false) {
		panic(http.ErrAbortHandler)
	}
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, r)
	if recorder.Code < http.StatusMultipleChoices && !isPartial(recorder.Body.Bytes()) {
		w.Mu.Lock()
		w.Answers = append(w.Answers, recorder.Body.Bytes())
		w.Mu.Unlock()
	}
	if w.After.Swap(false) {
		panic(http.ErrAbortHandler)
	}
	for name, values := range recorder.Header() {
		out.Header()[name] = values
	}
	out.WriteHeader(recorder.Code)
	_, _ = out.Write(recorder.Body.Bytes())
}

// isPartial reports whether some of a batch could not be stored: the same is to be
// sent again.
func isPartial(body []byte) bool { return bytes.Contains(body, []byte(`"status":503`)) }

// Ask sends a call until it is answered, as any client may: again after 409 and
// 503, and when the connection breaks.
func (w *Wire) Ask(c Call) []byte {
	w.Helper()
	for range 12 {
		made := w.Request(c)
		r, err := http.NewRequestWithContext(w.Context(), c.Method, w.server.URL+c.Target, strings.NewReader(c.Body))
		require.NoError(w, err)
		r.Header = made.Header
		a, err := w.server.Client().Do(r)
		if err != nil {
			continue
		}
		body, err := io.ReadAll(a.Body)
		require.NoError(w, err)
		require.NoError(w, a.Body.Close())
		switch {
		case a.StatusCode == http.StatusConflict || a.StatusCode == http.StatusServiceUnavailable:
			require.NotEmpty(w, a.Header.Get("Retry-After"))
			w.Pass()
		case isPartial(body):
		default:
			require.Less(w, a.StatusCode, http.StatusMultipleChoices, "%s", body)
			return body
		}
	}
	require.Fail(w, "no answer")
	return nil
}

// Attempts is how often the client library sends one call at most.
const Attempts = 4

// NewLimitedStack is a stack that limits submissions too.
func NewLimitedStack(tb testing.TB) *Stack {
	s := NewStack(tb)
	s.Game = strings.Replace(TestGame, "{submit: {player: off}, boards: {player: off}", "{submit: {key: 100/1m}, boards: {player: 100/1m}", 1)
	s.Handler = s.Process()
	return s
}
