package importer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/importer"
)

type sentScore struct {
	Player string
	Score  int
}

func readScores(t *testing.T, r *http.Request) []sentScore {
	var body struct{ Scores []sentScore }
	require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
	return body.Scores
}

func respond(status int, header http.Header, body string) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

func accept(n int) *http.Response {
	return respond(http.StatusOK, nil, `{"results":[`+strings.TrimSuffix(strings.Repeat(`{"status":"accepted"},`, n), ",")+`]}`)
}

func problem(status int, title, detail string) string {
	return fmt.Sprintf(`{"type":"about:blank","title":%q,"status":%d,"detail":%q}`, title, status, detail)
}

const threeLines = "player,mode,date,score\na,puzzle,2026-11-20,1\nb,puzzle,2026-11-20,2\nc,puzzle,2026-11-20,3\n"

// answers gives each call its own answer, and counts them.
type answers struct {
	list  []func() (*http.Response, error)
	calls int
}

func (a *answers) next(*http.Request) (*http.Response, error) {
	answer := a.list[min(a.calls, len(a.list)-1)]
	a.calls++
	return answer()
}

func say(status int, header http.Header, body string) func() (*http.Response, error) {
	return func() (*http.Response, error) { return respond(status, header, body), nil }
}

func good() (*http.Response, error) { return accept(3), nil }

func TestPassingTroubleIsTriedAgain(t *testing.T) {
	const busy = `{"results":[{"status":"accepted"},{"problem":{"title":"Busy","status":503,"detail":"later"}},{"status":"accepted"}]}`
	const corrected = `{"results":[{"status":"kept"},{"status":"accepted"},{"status":"kept"}]}`
	for name, test := range map[string]struct {
		first, second func() (*http.Response, error)
		wait          time.Duration
	}{
		"a broken connection": {func() (*http.Response, error) { return nil, errors.New("connection reset") }, good, 250 * time.Millisecond},
		"unavailable":         {say(503, nil, "busy"), good, 250 * time.Millisecond},
		"asked to wait":       {say(503, http.Header{"Retry-After": {"7"}}, "busy"), good, 7 * time.Second},
		"asked to wait long":  {say(429, http.Header{"Retry-After": {"86400"}}, "busy"), good, 5 * time.Minute},
		"a wrong wait":        {say(429, http.Header{"Retry-After": {"-1"}}, "busy"), good, 250 * time.Millisecond},
		"a failed gateway":    {say(502, nil, "<html>"), good, 250 * time.Millisecond},
		"one busy line":       {say(200, nil, busy), say(200, nil, corrected), 250 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			a := &answers{list: []func() (*http.Response, error){test.first, test.second}}
			o := options(fakeClient(t, a.next), write(t, threeLines))
			var waits []time.Duration
			o.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			answer := &notices{}
			o.Notice = answer.add
			summary, err := importer.Run(t.Context(), o)
			require.NoError(t, err)
			require.Equal(t, importer.Counts{Accepted: 3}, summary.Counts, "what a first attempt brought in is accepted")
			require.Equal(t, []time.Duration{test.wait}, waits)
			require.Len(t, answer.texts, 1)
			require.Contains(t, answer.texts[0], "lines 2 to 4: ")
		})
	}
}

func TestTroubleThatDoesNotPassEndsTheRun(t *testing.T) {
	for name, test := range map[string]struct {
		answer func() (*http.Response, error)
		says   string
		calls  int
	}{
		"wrong credentials":     {say(401, http.Header{"Content-Type": {"application/problem+json"}}, problem(401, "Authentication required", "the signature does not match the body")), "the signature does not match", 1},
		"no such address":       {say(404, nil, "not here"), "status 404: Not Found: not here", 1},
		"a redirect":            {say(301, http.Header{"Location": {"http://127.0.0.1:2/"}}, ""), "status 301", 1},
		"another answer":        {say(200, nil, "<html>"), "unexpected response of the batch endpoint", 1},
		"too few results":       {say(200, nil, `{"results":[]}`), "3 scores were answered with 0 results", 1},
		"an unknown status":     {say(200, nil, `{"results":[{"status":"lost"},{"status":"lost"},{"status":"lost"}]}`), `line 2: the status "lost" is unknown`, 1},
		"always unavailable":    {say(503, nil, ""), "failed after 10 attempts", 10},
		"one line always busy":  {say(200, nil, `{"results":[{"status":"kept"},{"problem":{"status":429}},{"status":"kept"}]}`), "failed after 10 attempts", 10},
		"nobody at the address": {func() (*http.Response, error) { return nil, errors.New("connection refused") }, "connection refused", 10},
	} {
		t.Run(name, func(t *testing.T) {
			a := &answers{list: []func() (*http.Response, error){test.answer}}
			summary, err := importer.Run(t.Context(), options(fakeClient(t, a.next), write(t, threeLines)))
			require.ErrorContains(t, err, test.says)
			require.Equal(t, test.calls, a.calls)
			require.Zero(t, summary.Counts)
		})
	}
}

func TestALineThatFailsInsideTheProductIsReported(t *testing.T) {
	a := &answers{list: []func() (*http.Response, error){say(200, nil, `{"results":[{"status":"accepted"},{"problem":`+problem(500, "Internal error", "it has been logged")+`},{"status":"accepted"}]}`)}}
	o := options(fakeClient(t, a.next), write(t, threeLines))
	summary, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, importer.Counts{Accepted: 2, Refused: 1}, summary.Counts)
	require.Equal(t, []importer.Kind{{Name: "Internal error", Count: 1, First: 3}}, summary.Kinds)
	require.Equal(t, "line,reason,row\n3,it has been logged,\"b,puzzle,2026-11-20,2\"\n", readAll(t, o.ReportFile))
}

func TestOptionsOutOfBoundsAreRefused(t *testing.T) {
	path := write(t, threeLines)
	for says, change := range map[string]func(*importer.Options){
		"-batch 0":        func(o *importer.Options) { o.Batch = 0 },
		"-batch 1001":     func(o *importer.Options) { o.Batch = 1001 },
		"-workers 0":      func(o *importer.Options) { o.Workers = 0 },
		"-workers 65":     func(o *importer.Options) { o.Workers = 65 },
		"no such file":    func(o *importer.Options) { o.File += ".none" },
		"not a plain":     func(o *importer.Options) { o.File = t.TempDir() },
		"-no-progress":    func(o *importer.Options) { o.ProgressFile = "/proc/none/progress" },
		"not a progress ": func(o *importer.Options) { o.ProgressFile = path },
	} {
		t.Run(says, func(t *testing.T) {
			o := options(fakeClient(t, (&answers{}).next), path)
			change(&o)
			_, err := importer.Run(t.Context(), o)
			require.ErrorContains(t, err, says)
		})
	}
}
