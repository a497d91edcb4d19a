package api_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever comes in, the answer has a documented status and form (do sees to
// that), and it is never a fault of ours.

func (s *stack) wantNoFault(c call) answer {
	s.Helper()
	a := s.do(c)
	require.Less(s, a.status, 500, "%s", a.body)
	return a
}

// longToken lasts as long as the clock may run here, and is made beforehand,
// since nothing of f may be called while fuzzing.
func (s *stack) longToken(player string) string {
	return s.tokenWith(player, map[string]any{"exp": noon.AddDate(1, 0, 0).Unix()})
}

func FuzzSubmission(f *testing.F) {
	for _, body := range append([]string{goodScore, goodFor, goodBatch, goodLookup, fiveCoins, `{"mode":"fastest","score":12.34,"date":"2026-11-18","country":"BR","groups":["a"]}`}, notJSON()[:40]...) {
		f.Add(body)
	}
	s := newStack(f)
	token := s.longToken("user_a")
	f.Fuzz(func(t *testing.T, body string) {
		s := s.on(t)
		for _, c := range []call{post(scores, body).bearer(token), post(scores, body).signed(), post(scores, body).imported(), post(batch, body).signed(), post(lookup, body)} {
			s.wantNoFault(c.with("Idempotency-Key", "k1"))
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "period=week&date=2026-11-18", "scope=country:BR&limit=5", "offset=3", "limit=0", "a;b", "%zz", "foo=1", "limit=1&limit=2", "range=5"} {
		f.Add(query)
	}
	s := newStack(f)
	s.play("user_a", "daily", "800")
	f.Fuzz(func(t *testing.T, query string) {
		s := s.on(t)
		if _, err := url.ParseRequestURI(daily + "?" + query); err != nil {
			return // no request can carry this
		}
		for _, c := range []call{get(daily + "?" + query), get("/v1/leaderboards/fastest?" + query), get(card + "?" + query), get(around + "?" + query), post(lookup+"?"+query, goodLookup)} {
			s.wantNoFault(c)
		}
	})
}

// A cursor is one that the board gave out, or it is refused at no command.
func FuzzCursor(f *testing.F) {
	s := newStack(f)
	s.fill("daily", 30, func(i int) string { return itoa(500 - i) })
	good := s.page(daily + "?limit=5").NextCursor
	for _, text := range []string{"", good, good + "A", good[:len(good)-2], "A" + good, "x", "\xff", "lb:daily:2026-11-18 800 1 user_a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := s.on(t)
		for _, cursor := range []string{text, base64.RawURLEncoding.EncodeToString([]byte(text))} {
			commands, _ := s.spent(func() {
				a := s.wantNoFault(get(daily + "?limit=5&cursor=" + url.QueryEscape(cursor)))
				require.Equal(t, cursor == good, a.status == http.StatusOK, "%q", cursor)
			})
			require.True(t, commands == 0 || cursor == good)
		}
	})
}

func FuzzIdempotencyKey(f *testing.F) {
	for _, key := range []string{"", "k", `"k"`, `"`, `""`, "a b", "é", "k\x00", "#1"} {
		f.Add(key)
	}
	s := newStack(f)
	token := s.longToken("user_a")
	f.Fuzz(func(t *testing.T, key string) {
		s := s.on(t)
		first := s.wantNoFault(post(scores, `{"mode":"coins","score":0}`).bearer(token).with("Idempotency-Key", key))
		if first.status == http.StatusBadRequest {
			return
		}
		again := s.wantNoFault(first.call)
		require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
		s.want(http.StatusUnprocessableEntity, post(scores, `{"mode":"coins","score":0.0}`).bearer(token).with("Idempotency-Key", key))
	})
}
