package api_test

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

// call is a request to be made.
type call struct {
	method, target string
	header         map[string]string
	body           string
	sent           time.Time // of a signature; zero: now
	sign           bool
	from           string // address of the connection; empty: unknown
}

func get(target string) call { return call{method: http.MethodGet, target: target} }

func post(target, body string) call {
	return call{method: http.MethodPost, target: target, body: body, header: map[string]string{"Content-Type": "application/json"}}
}

// with adds a header.
func (c call) with(name, value string) call {
	header := map[string]string{}
	maps.Copy(header, c.header)
	header[name] = value
	c.header = header
	return c
}

// bearer adds a token.
func (c call) bearer(token string) call { return c.with("Authorization", "Bearer "+token) }

// signed has a game server send it.
func (c call) signed() call { c.sign = true; return c }

// cameFrom has it come from an address.
func (c call) cameFrom(address string) call { c.from = address; return c }

// imported has the operator send it.
func (c call) imported() call { return c.signed().bearer(opsToken) }

// as has a player send it.
func (s *stack) as(player string, c call) call { return c.bearer(s.token(player)) }

// answer is what came back.
type answer struct {
	call   call
	status int
	header http.Header
	body   []byte
}

func (s *stack) request(c call) *http.Request {
	target, err := url.ParseRequestURI(c.target)
	require.NoError(s, err, c.target)
	r, err := http.NewRequestWithContext(s.Context(), c.method, "http://api.test/", strings.NewReader(c.body))
	require.NoError(s, err)
	r.URL, r.RemoteAddr = target, c.from
	for name, value := range c.header {
		r.Header.Set(name, strings.Trim(value, " \t")) // as it comes over the network
	}
	if c.sign {
		at := c.sent
		if at.IsZero() {
			at = s.clock.Now()
		}
		r.Header.Set("Framedle-Signature", auth.SignRequest(signingKey, at, auth.Request{Method: c.method, Path: target.Path, Body: []byte(c.body)}))
	}
	return r
}

// send makes the request.
func (s *stack) send(c call) answer {
	s.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, s.request(c))
	return answer{call: c, status: w.Code, header: w.Header(), body: w.Body.Bytes()}
}

// hold holds a request and its answer against the document.
func (s *stack) hold(a answer) {
	s.Helper()
	c := a.call
	require.NoError(s, s.contract.check(s.request(c), a), "%s %.200s\nanswered %d %.2000s", c.method, c.target, a.status, a.body)
}

// do makes the request and holds it against the document.
func (s *stack) do(c call) answer {
	s.Helper()
	a := s.send(c)
	s.hold(a)
	return a
}

// want makes the request and expects a status.
func (s *stack) want(status int, c call) answer {
	s.Helper()
	a := s.do(c)
	require.Equal(s, status, a.status, "%s %.200s %.200s\n%.2000s", c.method, c.target, c.body, a.body)
	return a
}

// into reads the answer's JSON.
func (a answer) into(tb testing.TB, v any) {
	tb.Helper()
	require.Equal(tb, "application/json", a.header.Get("Content-Type"))
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.DisallowUnknownFields()
	require.NoError(tb, decoder.Decode(v), "%s", a.body)
}

type problemBody struct {
	Type, Code, Title, Detail, Instance string
	Status                              int
	Errors                              []struct{ Pointer, Detail string }
	OpenDates                           []string `json:"open_dates"`
	Balance                             *int64
	Reason                              string
}

// problem reads a problem of one kind, after checking all that any must have.
func (a answer) problem(tb testing.TB, kind string) problemBody {
	tb.Helper()
	var p problemBody
	what := fmt.Sprintf("%s %.200s %.300q\n%d %.1000s", a.call.method, a.call.target, a.call.body, a.status, a.body)
	require.Equal(tb, "application/problem+json", a.header.Get("Content-Type"), what)
	require.Equal(tb, "no-store", a.header.Get("Cache-Control"), what)
	if a.call.method != http.MethodHead {
		decoder := json.NewDecoder(bytes.NewReader(a.body))
		decoder.DisallowUnknownFields()
		require.NoError(tb, decoder.Decode(&p), what)
		require.Equal(tb, problem.Base+kind, p.Type, what)
		require.Equal(tb, kind, p.Code, what)
		require.Equal(tb, problem.Kinds()[kind].Title, p.Title, what)
		require.NotEmpty(tb, p.Title, what)
		require.Equal(tb, a.status, p.Status, what)
		require.NotEmpty(tb, p.Detail, what)
		require.Len(tb, p.Instance, 32, what)
	}
	require.Equal(tb, a.status == http.StatusUnauthorized, a.header.Get("WWW-Authenticate") != "", what)
	require.Equal(tb, a.status == http.StatusMethodNotAllowed, a.header.Get("Allow") != "", what)
	require.Equal(tb, slices.Contains([]int{429, 503}, a.status) || kind == "idempotency-key-in-use", a.header.Get("Retry-After") != "", what)
	return p
}

// Answers, as a client reads them.
type (
	scoreBody struct {
		Mode, Date, Player, Status, Board string
		Score, Submitted                  float64
		Rank, Total                       int64
		Percentile                        float64
	}
	entryBody struct {
		Rank                   int64
		Player                 string
		Score                  float64
		Name, Picture, Country string
		Me                     bool
	}
	pageBody struct {
		Mode, Period, Key, Scope string
		Total                    int64
		UpdatedAt                time.Time `json:"updated_at"`
		Closed                   bool
		Entries                  []entryBody
		NextCursor               string   `json:"next_cursor"`
		Rank, Score              *float64 // of surroundings alone
	}
	batchBody struct {
		Results []struct {
			scoreBody
			Problem *problemBody
		}
	}
)

// play submits a player's own score.
func (s *stack) play(player, mode, score string) scoreBody {
	s.Helper()
	a := s.do(s.as(player, post("/v1/scores", `{"mode":"`+mode+`","score":`+score+`}`)))
	require.Contains(s, []int{200, 201}, a.status, "%s", a.body)
	var result scoreBody
	a.into(s, &result)
	return result
}

// page reads a page.
func (s *stack) page(target string) pageBody {
	s.Helper()
	var page pageBody
	s.want(http.StatusOK, get(target)).into(s, &page)
	return page
}
