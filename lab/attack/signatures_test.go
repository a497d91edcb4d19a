package attack_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

// atOnce calls do this many times, from this many goroutines.
func atOnce(goroutines, times int, do func(int)) {
	var wait sync.WaitGroup
	for worker := range goroutines {
		wait.Go(func() {
			for i := worker; i < times; i += goroutines {
				do(i)
			}
		})
	}
	wait.Wait()
}

// badSignatures are headers for a body; in each of them one thing is wrong.
func badSignatures(now time.Time, body string) map[string]string {
	good := auth.Sign(signingKey, now, []byte(body))
	at, sum, _ := strings.Cut(good, ",v1=")
	flipped := []byte(sum)
	flipped[0] ^= 1 // "0" and "1", "a" and "`", "b" and "c"
	return map[string]string{
		"nothing":                   " ",
		"a key rotated away":        auth.Sign(oldKey, now, []byte(body)),
		"the operator's token":      auth.Sign(opsToken, now, []byte(body)),
		"no key":                    auth.Sign("", now, []byte(body)),
		"of another body":           auth.Sign(signingKey, now, []byte(body+" ")),
		"of no body but a space":    auth.Sign(signingKey, now, []byte(" ")),
		"altered":                   at + ",v1=" + string(flipped),
		"cut off":                   good[:len(good)-2],
		"five minutes and one old":  auth.Sign(signingKey, now.Add(-301*time.Second), []byte(body)),
		"a year old":                auth.Sign(signingKey, now.Add(-365*24*time.Hour), []byte(body)),
		"from the future":           auth.Sign(signingKey, now.Add(301*time.Second), []byte(body)),
		"an old one with a new t":   fmt.Sprintf("t=%d,v1=%s", now.Unix(), strings.TrimPrefix(auth.Sign(signingKey, now.Add(-time.Hour), []byte(body)), "t=")),
		"under another time":        fmt.Sprintf("t=%d,v1=%s", now.Unix()+1, sum),
		"two times":                 fmt.Sprintf("t=%d,%s", now.Unix()-1, good),
		"a scheme that is not v1":   at + ",v0=" + sum,
		"more v1 than may be tried": at + strings.Repeat(",v1="+strings.Repeat("0", 64), 8) + ",v1=" + sum,
		"no v1":                     at,
		"a v2 for another path":     auth.SignRequest(signingKey, now, auth.Request{Method: "POST", Path: "/v1/elsewhere", Body: []byte(body)}),
		"a v2 for another method":   auth.SignRequest(signingKey, now, auth.Request{Method: "TRACE", Path: "/v1/scores", Body: []byte(body)}),
		"a bad v2 beside a good v1": good + ",v2=" + sum,
		"no t":                      "v1=" + sum,
		"3 KB":                      good + "," + strings.Repeat("x", 3000),
	}
}

func TestNoRouteTakesABadSignature(t *testing.T) {
	database, callers := strayDatabase(t)
	p := start(t, "", database)
	for _, r := range routes(t) {
		if r.open {
			continue // the route needs no credential and does not look at this one
		}
		p.clock.Pass(time.Minute) // so that no limit refuses the request
		for name, header := range badSignatures(p.clock.Now(), r.body) {
			p.refused(http.StatusUnauthorized, name, r.with(signature(header)))
			if r.take(signed) {
				// The header counts as sent unless it is blank.
				if strings.TrimSpace(header) != "" {
					p.refused(http.StatusUnauthorized, name+" beside a session token", r.with(signature(header)).with(bearer(p.token("user_a"))))
				}
			}
		}
	}
	require.Zero(t, callers.Load(), "the database was called")
}

func TestASignatureIsGoodAsLongAsItsKeyAndTimeAre(t *testing.T) {
	p := start(t, "", "")
	for i, header := range []func(string) string{
		func(body string) string { return auth.Sign(signingKey, p.clock.Now(), []byte(body)) },
		func(body string) string { return auth.Sign(secondKey, p.clock.Now(), []byte(body)) },
		func(body string) string {
			return auth.Sign(signingKey, p.clock.Now().Add(-300*time.Second), []byte(body))
		},
		func(body string) string {
			return auth.Sign(signingKey, p.clock.Now().Add(300*time.Second), []byte(body))
		},
		func(body string) string { // while a key is being rotated
			_, sum, _ := strings.Cut(auth.Sign(secondKey, p.clock.Now(), []byte(body)), ",")
			return auth.Sign(oldKey, p.clock.Now(), []byte(body)) + "," + sum
		},
	} {
		body := fmt.Sprintf(`{"mode":"daily_frame","score":800,"player":"user_%d"}`, i)
		a := p.do(request{method: "POST", path: "/v1/scores", body: body}.with(signature(header(body))))
		require.Equal(t, http.StatusCreated, a.status, "%d: %s", i, a.body)
	}
}

// A player acts for no other player, whatever the body, path or query says.
func TestAPlayerCannotSpeakForAnother(t *testing.T) {
	p := start(t, "", "")
	p.arrangesDuels()
	own := bearer(p.token("user_a"))
	for _, attack := range []struct {
		status int
		request
	}{
		{403, request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":800,"player":"user_b"}`}},
		{403, request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":800,"player":"user_a"}`}},
		{403, request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":800,"groups":["org_b"]}`}},
		{400, request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":800,"Player":"user_b"}`}},
		{400, request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":800,"sub":"user_b"}`}},
		{403, request{method: "POST", path: "/v1/scores/batch", body: `{"scores":[{"mode":"daily_frame","score":800,"player":"user_a"}]}`}},
		{400, request{method: "PATCH", path: "/v1/me", body: `{"player":"user_b","name":"Mallory"}`}},
		{400, request{method: "POST", path: "/v1/friends/requests", body: `{"player":"user_c","from":"user_b"}`}},
		{403, request{method: "POST", path: "/v1/duels", body: `{"players":["user_b","user_c"]}`}},
		{403, request{method: "POST", path: "/v1/duels", body: `{"id":"m2"}`}},
		{400, request{method: "POST", path: "/v1/duels/queue", body: `{"player":"user_b"}`}},
		{403, request{method: "GET", path: "/v1/duels?player=user_b"}},
		{404, request{method: "GET", path: "/v1/duels/m1"}},
		{404, request{method: "POST", path: "/v1/duels/m1/result", body: `{"winner":"user_b","score":[3,1]}`}},
		{403, request{method: "PUT", path: "/v1/ops/bans/user_b", body: `{}`}},
		{403, request{method: "DELETE", path: "/v1/ops/players/user_a"}},
	} {
		a := p.do(attack.with(own))
		if attack.path == "/v1/friends/requests" && a.status == http.StatusNotImplemented {
			continue // without a database there are no friends to ask for
		}
		require.Equal(t, attack.status, a.status, "%s %s %s\n%s", attack.method, attack.path, attack.body, a.body)
		a.requireProblem(t, attack.path)
	}
	p.hasReadyDuels()
	page := p.do(request{method: "GET", path: "/v1/leaderboards/daily_frame"})
	require.Contains(t, string(page.body), `"total":0`)
}
