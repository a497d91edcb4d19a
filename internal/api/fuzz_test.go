package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/base64"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzSubmission(f *testing.F) {
	for _, body := range append([]string{apitest.GoodScore, goodFor, goodBatch, goodLookup, fiveCoins, `{"mode":"fastest","score":12.34,"date":"2026-11-18","country":"BR","groups":["a"]}`}, notJSON()[:40]...) {
		f.Add(body)
	}
	s := apitest.NewStack(f)
	token := s.LongToken("user_a")
	f.Fuzz(func(t *testing.T, body string) {
		s := s.On(t)
		for _, c := range []apitest.Call{apitest.Post(apitest.Scores, body).Bearer(token), apitest.Post(apitest.Scores, body).Signed(), apitest.Post(apitest.Scores, body).Imported(), apitest.Post(apitest.Batch, body).Signed(), apitest.Post(apitest.Lookup, body)} {
			s.WantNoFault(c.With("Idempotency-Key", "k1"))
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "period=week&date=2026-11-18", "scope=country:BR&limit=5", "offset=3", "limit=0", "a;b", "%zz", "foo=1", "limit=1&limit=2", "range=5"} {
		f.Add(query)
	}
	s := apitest.NewStack(f)
	s.Play("user_a", "daily", "800")
	f.Fuzz(func(t *testing.T, query string) {
		s := s.On(t)
		if _, err := url.ParseRequestURI(apitest.Daily + "?" + query); err != nil {
			return // no request can carry this
		}
		for _, c := range []apitest.Call{apitest.Get(apitest.Daily + "?" + query), apitest.Get("/v1/leaderboards/fastest?" + query), apitest.Get(apitest.Card + "?" + query), apitest.Get(around + "?" + query), apitest.Post(apitest.Lookup+"?"+query, goodLookup)} {
			s.WantNoFault(c)
		}
	})
}

// A cursor is one that the board gave out, or it is refused at no command.
func FuzzCursor(f *testing.F) {
	s := apitest.NewStack(f)
	s.Fill("daily", 30, func(i int) string { return itoa(500 - i) })
	good := s.Page(apitest.Daily + "?limit=5").NextCursor
	for _, text := range []string{"", good, good + "A", good[:len(good)-2], "A" + good, "x", "\xff", "lb:daily:2026-11-18 800 1 user_a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := s.On(t)
		for _, cursor := range []string{text, base64.RawURLEncoding.EncodeToString([]byte(text))} {
			commands, _ := s.Spent(func() {
				a := s.WantNoFault(apitest.Get(apitest.Daily + "?limit=5&cursor=" + url.QueryEscape(cursor)))
				require.Equal(t, cursor == good, a.Status == http.StatusOK, "%q", cursor)
			})
			require.True(t, commands == 0 || cursor == good)
		}
	})
}

func FuzzIdempotencyKey(f *testing.F) {
	for _, key := range []string{"", "k", `"k"`, `"`, `""`, "a b", "é", "k\x00", "#1"} {
		f.Add(key)
	}
	s := apitest.NewStack(f)
	token := s.LongToken("user_a")
	f.Fuzz(func(t *testing.T, key string) {
		s := s.On(t)
		first := s.WantNoFault(apitest.Post(apitest.Scores, `{"mode":"coins","score":0}`).Bearer(token).With("Idempotency-Key", key))
		if first.Status == http.StatusBadRequest {
			return
		}
		again := s.WantNoFault(first.Call)
		require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
		s.Want(http.StatusUnprocessableEntity, apitest.Post(apitest.Scores, `{"mode":"coins","score":0.0}`).Bearer(token).With("Idempotency-Key", key))
	})
}
