package live_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
)

// slow is longer than anything takes on the slowest machine.
const slow = time.Minute

const key = "da2-key-of-a-test"

// events is an Event API, as far as the documentation describes its HTTP endpoint.
type events struct {
	t   *testing.T
	url string

	mu    sync.Mutex
	told  []map[string]any // by channel: the accepted messages
	asked int
	serve http.HandlerFunc // replaces its usual behaviour; nil replaces nothing
}

// A channel has up to five segments of letters, digits and hyphens.
var channel = regexp.MustCompile(`^/?boards(/[A-Za-z0-9]([A-Za-z0-9-]{0,48}[A-Za-z0-9])?){1,4}$`)

func newEvents(t *testing.T) *events {
	e := &events{t: t}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

func (e *events) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked++
	body, err := io.ReadAll(r.Body)
	if e.serve != nil {
		e.serve(w, r)
		return
	}
	var asked struct {
		Channel string   `json:"channel"`
		Events  []string `json:"events"`
	}
	switch {
	case err != nil, r.Method != http.MethodPost, r.URL.Path != "/event", r.URL.RawQuery != "":
		w.WriteHeader(http.StatusNotFound)
		return
	case r.Header.Get("X-Api-Key") != key:
		w.WriteHeader(http.StatusUnauthorized)
		return
	case r.Header.Get("Content-Type") != "application/json", json.Unmarshal(body, &asked) != nil,
		!channel.MatchString(asked.Channel), len(asked.Events) == 0, len(asked.Events) > 5:
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, event := range asked.Events {
		message := map[string]any{}
		if json.Unmarshal([]byte(event), &message) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		message["channel"] = asked.Channel
		e.told = append(e.told, message)
	}
	_, _ = io.WriteString(w, `{"failed":[],"successful":[{"identifier":"53287bee","index":0}]}`)
}

func (e *events) taken() []map[string]any {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.told
}

// clock is a clock that a test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func (e *events) publisher(patience time.Duration) (*live.Publisher, *clock, *bytes.Buffer) {
	e.t.Helper()
	var log bytes.Buffer
	c := &clock{time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	p, err := live.NewAppSync(live.AppSyncOptions{URL: e.url + "/", Key: key, Now: c.Now, Log: slog.New(slog.NewTextHandler(&log, nil)), Patience: patience})
	require.NoError(e.t, err)
	return p, c, &log
}

func plays(t *testing.T, modes ...string) (subs []game.Submission) {
	g := testkit.Game(t, "name: testing\nmodes:\n  daily_frame: {max: 9}\n  best: {max: 9}\n")
	for _, mode := range modes {
		subs = append(subs, game.Submission{Mode: testkit.Mode(t, g, mode), Player: "ana", Date: game.NewDate(2026, time.November, 22)})
	}
	return subs
}

func TestAChangeIsPublishedOnceASecondAndBoard(t *testing.T) {
	e := newEvents(t)
	p, c, _ := e.publisher(slow)
	p.Beside(plays(t, "daily_frame", "daily_frame")...)()
	want := map[string]any{"channel": "boards/daily-frame", "mode": "daily_frame", "date": "2026-11-22", "at": "2026-11-22T12:00:00Z"}
	require.Equal(t, []map[string]any{want}, e.taken())
	c.now = c.now.Add(999 * time.Millisecond)
	p.Beside(plays(t, "daily_frame")...)()
	require.Len(t, e.taken(), 1)
	p.Beside(plays(t, "best")...)()
	require.Len(t, e.taken(), 2, "another board")
	c.now = c.now.Add(time.Millisecond)
	p.Beside(plays(t, "daily_frame")...)()
	require.Len(t, e.taken(), 3)
}

func TestNobodyIsHeldUpByWhatFails(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, serve := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"failed": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"failed":[{"index":0}],"successful":[]}`)
		},
		"no JSON":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `<html>`) },
		"cut":        func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"never ends": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat(" ", 1<<20)) },
		"no answer": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEvents(t)
			e.serve = serve
			patience := slow
			if name == "no answer" {
				patience = 2 * time.Second
			}
			p, c, log := e.publisher(patience)
			p.Beside(plays(t, "daily_frame")...)()
			require.Contains(t, log.String(), "not published to AppSync Events")
			require.NotContains(t, log.String(), key)
			asked := e.asked
			c.now = c.now.Add(29 * time.Second)
			p.Beside(plays(t, "daily_frame")...)()
			require.Equal(t, asked, e.asked, "silent for a while")
			e.mu.Lock()
			e.serve = nil
			e.mu.Unlock()
			c.now = c.now.Add(time.Second)
			p.Beside(plays(t, "daily_frame")...)()
			require.Len(t, e.taken(), 1, "and then again")
		})
	}
}

func TestNoPublisherTellsNothing(t *testing.T) {
	var none *live.Publisher
	none.Beside(plays(t, "best")...)()
}

func TestWhatIsNoEventAPIIsRefused(t *testing.T) {
	for _, bad := range []string{"", "example.com", "http://example.com", "https://", "https://example.com/event", "https://u:p@example.com", "https://example.com?x=1", "wss://example.com"} {
		_, err := live.NewAppSync(live.AppSyncOptions{URL: bad, Key: key})
		require.ErrorContains(t, err, "use the HTTP endpoint", bad)
	}
	for _, bad := range []string{"", "a b", "a\n", "é"} {
		_, err := live.NewAppSync(live.AppSyncOptions{URL: "https://example.com", Key: bad})
		require.ErrorContains(t, err, "use an API key")
	}
}
