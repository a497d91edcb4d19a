package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
)

func TestAddressesThatWouldLeakSecretsAreRefused(t *testing.T) {
	for address, says := range map[string]string{
		"":                                 "is not a URL",
		"127.0.0.1:8080":                   "is not a URL",
		"ftp://127.0.0.1":                  "is not a URL",
		"https://api.example.com\x00":      "is not a URL",
		"http://api.example.com":           "use https",
		"http://10.0.0.1:8080":             "use https",
		"http://localhost.example.com":     "use https",
		"https://me:secret@example.com":    "a user",
		"https://example.com?token=secret": "a query",
	} {
		_, err := client.New(client.Config{URL: address, SigningKey: key})
		require.ErrorContains(t, err, says, address)
		require.NotContains(t, err.Error(), "secret@")
		require.NotContains(t, err.Error(), "token=")
	}
	for _, address := range []string{"https://api.example.com", "http://localhost:8080/", "http://[::1]:8080", "http://127.0.0.1:8080"} {
		_, err := client.New(client.Config{URL: address})
		require.NoError(t, err, address)
	}
}

func TestSecretsThatNoDeploymentTakesAreRefused(t *testing.T) {
	_, err := client.New(client.Config{URL: "https://a.example", SigningKey: "short-secret"})
	require.ErrorContains(t, err, "use one of at least 32")
	require.NotContains(t, err.Error(), "short-secret")
	_, err = client.New(client.Config{URL: "https://a.example", OpsToken: "secret\r\nX: y"})
	require.ErrorContains(t, err, "no header takes")
	require.NotContains(t, err.Error(), "secret")
}

func TestARedirectTakesNoSecretsAlong(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer elsewhere.Close()
	lb, w := serve(t, client.Config{SigningKey: key, OpsToken: "ops"}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	_, err := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1})
	var p *client.Problem
	require.ErrorAs(t, err, &p)
	require.Equal(t, http.StatusTemporaryRedirect, p.Status)
	require.Empty(t, w.all)
}

func TestNoErrorTellsASecret(t *testing.T) {
	lb, err := client.New(client.Config{URL: "http://127.0.0.1:1", SigningKey: key, OpsToken: "ops-secret", Retries: -1})
	require.NoError(t, err)
	_, err = lb.Ops().Health(t.Context())
	require.Error(t, err)
	_, other := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1})
	require.Error(t, other)
	for _, text := range []string{err.Error() + other.Error(), fmt.Sprintf("%v %+v", err, other)} {
		require.NotContains(t, text, "ops-secret")
		require.NotContains(t, text, key)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"declared": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "999999999999") },
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for chunk := []byte(strings.Repeat(" ", 1<<20)); r.Context().Err() == nil; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			lb, _ := serve(t, client.Config{Timeout: time.Minute}, func(w http.ResponseWriter, r *http.Request) { calls++; handler(w, r) })
			_, err := lb.Game(t.Context())
			require.ErrorContains(t, err, "longer than 16 MiB")
			require.Equal(t, 1, calls, "asking again makes it no shorter")
		})
	}
}

// Something other than the product cannot break a line of a log, nor fill the log.
func TestProblemsAreTamed(t *testing.T) {
	lb, _ := serve(t, client.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "id\x1b[31m")
		say(w, http.StatusBadRequest, `{"title":"a\nlevel=error \u001b[2J \u202e","detail":"`+strings.Repeat("x", 100_000)+`"}`)
	})
	_, err := lb.Game(t.Context())
	require.Error(t, err)
	require.Less(t, len(err.Error()), 1000)
	require.NotContains(t, err.Error(), "\n")
	require.NotContains(t, err.Error(), "\x1b")
	require.NotContains(t, err.Error(), "\u202e")
}

func TestProblemsAreReadFromAnyGateway(t *testing.T) {
	problem := http.Header{"Content-Type": {"application/problem+json; charset=utf-8"}}
	for name, test := range map[string]struct {
		answer client.Answer
		want   string
	}{
		"the product's own":     {client.Answer{Status: 422, Header: problem, Body: []byte(`{"title":"The date is not open","status":422,"detail":"the date is closed"}`)}, "status 422: The date is not open: the date is closed"},
		"a status that differs": {client.Answer{Status: 502, Header: problem, Body: []byte(`{"title":"T","status":200}`)}, "status 502: T"},
		"broken JSON":           {client.Answer{Status: 500, Header: problem, Body: []byte(`{"title"`)}, `status 500: Internal Server Error: {"title"`},
		"a page of HTML":        {client.Answer{Status: 502, Body: []byte("<html>\n <b>bad</b>\n")}, "status 502: Bad Gateway: <html> <b>bad</b>"},
		"nothing":               {client.Answer{Status: 599}, "status 599"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, test.answer.Problem().Error()) })
	}
}

func TestEveryPartOfAProblemIsRead(t *testing.T) {
	lb, _ := serve(t, client.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "86400")
		say(w, http.StatusTooManyRequests, `{"type":"https://x#rate-limited","code":"rate-limited","title":"T","status":429,"detail":"D","instance":"id","errors":[{"pointer":"/a","detail":"b"}],"open_dates":["2026-11-21"]}`)
	})
	_, err := lb.Game(t.Context())
	var p *client.Problem
	require.ErrorAs(t, err, &p)
	require.Equal(t, &client.Problem{
		Status: 429, Type: "https://x#rate-limited", Code: client.CodeRateLimited, Title: "T", Detail: "D", RequestID: "id",
		Errors: []client.FieldError{{Pointer: "/a", Detail: "b"}}, OpenDates: []string{"2026-11-21"}, RetryAfter: 24 * time.Hour,
	}, p)
}

func TestRetryAfterIsReadInSeconds(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-3": 0, "99999999999": 0, "9223372036854775807": 0, "Wed, 21 Oct 2026 07:28:00 GMT": 0,
	} {
		require.Equal(t, want, client.Answer{Header: http.Header{"Retry-After": {text}}}.RetryAfter(), text)
	}
}

func TestLiesAreErrors(t *testing.T) {
	for name, body := range map[string]string{
		"a page of HTML": "<html>", "another status": `{"status":"gold"}`, "nothing": "", "a list": "[]", "a text for a number": `{"status":"kept","score":"8"}`,
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			lb, _ := serve(t, client.Config{SigningKey: key}, func(w http.ResponseWriter, _ *http.Request) { calls++; say(w, http.StatusOK, body) })
			result, err := lb.Submit(t.Context(), client.Submission{Mode: "m", Player: "p", Score: 1})
			var none *client.NoAnswerError
			require.ErrorAs(t, err, &none)
			require.Zero(t, result)
			require.Equal(t, 1, calls)
		})
	}
	for _, body := range []string{`{"results":[]}`, `{"results":[{"status":"gold"},{"status":"kept"}]}`, `{"results":[` + acceptedScore + `]}`, `{}`} {
		lb, _ := serve(t, client.Config{SigningKey: key}, func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, body) })
		results, err := lb.SubmitBatch(t.Context(), client.Batch{Scores: make([]client.Submission, 2)})
		require.Error(t, err, body)
		require.Nil(t, results)
	}
}

// A board that hands out the same cursor for ever does not keep the loop for ever.
func TestAWalkEndsWhereACursorComesAgain(t *testing.T) {
	lb, _ := serve(t, client.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, `{"entries":[{"rank":1,"player":"a","score":1}],"next_cursor":"same"}`)
	})
	rows := 0
	for _, err := range lb.Entries(t.Context(), client.Board{Mode: "m"}) {
		require.NoError(t, err)
		rows++
	}
	require.Equal(t, 2, rows)
}

func TestAWalkEndsWithItsError(t *testing.T) {
	lb, _ := serve(t, client.Config{Retries: -1}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("cursor") != "" {
			say(w, http.StatusServiceUnavailable, `{"title":"T"}`)
			return
		}
		say(w, http.StatusOK, `{"entries":[{"rank":1,"player":"a","score":1}],"next_cursor":"c"}`)
	})
	var last error
	rows := 0
	for e, err := range lb.Entries(t.Context(), client.Board{Mode: "m"}) {
		if last = err; err == nil {
			require.Equal(t, "a", e.Player)
			rows++
		}
	}
	require.ErrorContains(t, last, "status 503")
	require.Equal(t, 1, rows)
}

// No id leads a request, and the token with it, to another route.
func TestIdsStayWithinTheirPath(t *testing.T) {
	lb, _ := serve(t, client.Config{OpsToken: "ops", SigningKey: key}, func(_ http.ResponseWriter, r *http.Request) { t.Error("sent:", r.URL) })
	for _, id := range []string{"", ".", "..", "a/../../bans/b", "a/b", "a?b", "a%2fb", "a b", "é", strings.Repeat("a", 129)} {
		_, err := lb.Ops().Ban(t.Context(), id, "")
		require.Error(t, err, id)
		_, err = lb.Card(t.Context(), client.Board{Mode: "m"}, id)
		require.Error(t, err, id)
		_, err = lb.Page(t.Context(), client.Board{Mode: id}, client.From{})
		require.Error(t, err, id)
		_, err = lb.Duel(t.Context(), id)
		require.Error(t, err, id)
	}
}

func TestAnAttemptThatIsNotAnsweredIsGivenUp(t *testing.T) {
	released := make(chan struct{})
	calls := make(chan struct{}, 10)
	lb, w := serve(t, client.Config{Timeout: 20 * time.Millisecond}, func(_ http.ResponseWriter, r *http.Request) {
		calls <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-released:
		case <-r.Context().Done():
		}
	})
	defer close(released)
	_, err := lb.Game(t.Context())
	var none *client.NoAnswerError
	require.ErrorAs(t, err, &none)
	require.Equal(t, 3, none.Attempts)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Len(t, w.all, 2)
}

func TestACallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	calls := 0
	lb, w := serve(t, client.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		calls++
		cancel(errors.New("no time"))
		say(w, http.StatusServiceUnavailable, `{"title":"T"}`)
	})
	_, err := lb.Game(ctx)
	require.Error(t, err)
	require.Equal(t, 1, calls)
	require.Empty(t, w.all)
}
