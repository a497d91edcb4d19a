package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// Call is a request to be made.
type Call struct {
	Method, Target string
	Header         map[string]string
	Body           string
	Sent           time.Time // of a signature; zero: now
	Sign           bool
	from           string // address of the connection; empty: unknown
}

func Get(target string) Call { return Call{Method: http.MethodGet, Target: target} }

func Post(target, body string) Call {
	return Call{Method: http.MethodPost, Target: target, Body: body, Header: map[string]string{"Content-Type": "application/json"}}
}

// With adds a header.
func (c Call) With(name, value string) Call {
	header := map[string]string{}
	maps.Copy(header, c.Header)
	header[name] = value
	c.Header = header
	return c
}

// Bearer adds a token.
func (c Call) Bearer(token string) Call { return c.With("Authorization", "Bearer "+token) }

// Signed has a game server send it.
func (c Call) Signed() Call { c.Sign = true; return c }

// CameFrom has it come from an address.
func (c Call) CameFrom(address string) Call { c.from = address; return c }

// Imported has the operator send it.
func (c Call) Imported() Call { return c.Signed().Bearer(OpsToken) }

// As has a player send it.
func (s *Stack) As(player string, c Call) Call { return c.Bearer(s.Token(player)) }

// Answer is what came back.
type Answer struct {
	Call   Call
	Status int
	Header http.Header
	Body   []byte
}

func (s *Stack) Request(c Call) *http.Request {
	target, err := url.ParseRequestURI(c.Target)
	require.NoError(s, err, c.Target)
	r, err := http.NewRequestWithContext(s.Context(), c.Method, "http://api.test/", strings.NewReader(c.Body))
	require.NoError(s, err)
	r.URL, r.RemoteAddr = target, c.from
	for name, value := range c.Header {
		r.Header.Set(name, strings.Trim(value, " \t")) // as it comes over the network
	}
	if c.Sign {
		at := c.Sent
		if at.IsZero() {
			at = s.Clock.Now()
		}
		r.Header.Set("Framedle-Signature", auth.SignRequest(SigningKey, at, auth.Request{Method: c.Method, Path: target.Path, Body: []byte(c.Body)}))
	}
	return r
}

// Send makes the request.
func (s *Stack) Send(c Call) Answer {
	s.Helper()
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, s.Request(c))
	return Answer{Call: c, Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
}

// Hold holds a request and its answer against the document.
func (s *Stack) Hold(a Answer) {
	s.Helper()
	c := a.Call
	require.NoError(s, s.Contract.Check(s.Request(c), a), "not as in api/openapi.yaml: %s %.200s\nanswered %d %.2000s", c.Method, c.Target, a.Status, a.Body)
}

// Do makes the request and holds it against the document.
func (s *Stack) Do(c Call) Answer {
	s.Helper()
	a := s.Send(c)
	s.Hold(a)
	return a
}

// Want makes the request and expects a status.
func (s *Stack) Want(status int, c Call) Answer {
	s.Helper()
	a := s.Do(c)
	require.Equal(s, status, a.Status, "%s %.200s %.200s\n%.2000s", c.Method, c.Target, c.Body, a.Body)
	return a
}

// Into reads the answer's JSON.
func (a Answer) Into(tb testing.TB, v any) {
	tb.Helper()
	require.Equal(tb, "application/json", a.Header.Get("Content-Type"))
	decoder := json.NewDecoder(bytes.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	require.NoError(tb, decoder.Decode(v), "%s", a.Body)
}

type ProblemBody struct {
	Type, Code, Title, Detail, Instance string
	Status                              int
	Errors                              []struct{ Pointer, Detail string }
	OpenDates                           []string `json:"open_dates"`
	Balance                             *int64
	Reason                              string
}

// Problem reads a problem of one kind, after checking all that any must have.
func (a Answer) Problem(tb testing.TB, kind string) ProblemBody {
	tb.Helper()
	var p ProblemBody
	what := fmt.Sprintf("%s %.200s %.300q\n%d %.1000s", a.Call.Method, a.Call.Target, a.Call.Body, a.Status, a.Body)
	require.Equal(tb, "application/problem+json", a.Header.Get("Content-Type"), what)
	require.Equal(tb, "no-store", a.Header.Get("Cache-Control"), what)
	if a.Call.Method != http.MethodHead {
		decoder := json.NewDecoder(bytes.NewReader(a.Body))
		decoder.DisallowUnknownFields()
		require.NoError(tb, decoder.Decode(&p), what)
		require.Equal(tb, problem.Base+kind, p.Type, what)
		require.Equal(tb, kind, p.Code, what)
		require.Equal(tb, problem.Kinds()[kind].Title, p.Title, what)
		require.NotEmpty(tb, p.Title, what)
		require.Equal(tb, a.Status, p.Status, what)
		require.NotEmpty(tb, p.Detail, what)
		require.Len(tb, p.Instance, 32, what)
	}
	require.Equal(tb, a.Status == http.StatusUnauthorized, a.Header.Get("WWW-Authenticate") != "", what)
	require.Equal(tb, a.Status == http.StatusMethodNotAllowed, a.Header.Get("Allow") != "", what)
	require.Equal(tb, slices.Contains([]int{429, 503}, a.Status) || kind == "idempotency-key-in-use", a.Header.Get("Retry-After") != "", what)
	return p
}

// Answers, as a client reads them.
type (
	ScoreBody struct {
		Mode, Date, Player, Status, Board string
		Score, Submitted                  float64
		Rank, Total                       int64
		Percentile                        float64
	}
	EntryBody struct {
		Rank                   int64
		Player                 string
		Score                  float64
		Name, Picture, Country string
		Me                     bool
	}
	PageBody struct {
		Mode, Period, Key, Scope string
		Total                    int64
		UpdatedAt                time.Time `json:"updated_at"`
		Closed                   bool
		Entries                  []EntryBody
		NextCursor               string   `json:"next_cursor"`
		Rank, Score              *float64 // of surroundings alone
	}
	BatchBody struct {
		Results []struct {
			ScoreBody
			Problem *ProblemBody
		}
	}
)

// Play submits a player's own score.
func (s *Stack) Play(player, mode, score string) ScoreBody {
	s.Helper()
	a := s.Do(s.As(player, Post("/v1/scores", `{"mode":"`+mode+`","score":`+score+`}`)))
	require.Contains(s, []int{200, 201}, a.Status, "%s", a.Body)
	var result ScoreBody
	a.Into(s, &result)
	return result
}

// Page reads a page.
func (s *Stack) Page(target string) PageBody {
	s.Helper()
	var page PageBody
	s.Want(http.StatusOK, Get(target)).Into(s, &page)
	return page
}
