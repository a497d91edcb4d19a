package api_test

import (
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func unauthenticated(calls ...call) []bad {
	return refused(http.StatusUnauthorized, "unauthenticated", calls...)
}

func forbidden(calls ...call) []bad { return refused(http.StatusForbidden, "forbidden", calls...) }

// tokenPlaces are the endpoints that a session token opens.
func tokenPlaces(header string) []call {
	all := []call{post(scores, goodScore), post(batch, goodBatch), get(daily + "/players/me"), get(daily + "/around/me")}
	for i := range all {
		all[i] = all[i].with("Authorization", header)
	}
	return all
}

func badTokens(s *stack) (all []bad) {
	stranger := authtest.New(s)
	unix := s.clock.Now().Unix()
	claims := authtest.Claims("user_a", s.clock.Now(), nil)
	good := s.issuer.Token(claims)
	parts := strings.Split(good, ".")
	tokens := []string{
		s.issuer.Token(claims, authtest.Unsigned("none")), s.issuer.Token(claims, authtest.Unsigned("None")), s.issuer.Token(claims, authtest.Header("alg", "none")),
		parts[0] + "." + parts[1] + ".", parts[0] + "." + parts[1], good + ".x", "a.b.c", "garbage", good + "=", good[:len(good)-4], good[:20] + "A" + good[21:],
		s.issuer.Token(claims, authtest.HS256(s.issuer.PEM())), s.issuer.Token(claims, authtest.HS256("")), s.issuer.Token(claims, authtest.HS256(s.issuer.PEM()), authtest.Header("alg", "RS256")),
		s.issuer.Token(claims, s.issuer.RS384()), s.issuer.Token(claims, s.issuer.RS512()), s.issuer.Token(claims, s.issuer.PS256()),
		stranger.Token(claims), s.issuer.Token(claims, authtest.SignedBy(stranger), authtest.Header("jwk", stranger.PublicJWK())),
		s.issuer.Token(claims, authtest.Header("crit", []string{"exp"})), s.issuer.Token(claims, authtest.Header("typ", "at+jwt")), s.issuer.Token(claims, authtest.Header("cat", "cl_B7d4PD222AAA")),
		s.issuer.Token(nil, authtest.RawClaims("null")), s.issuer.Token(nil, authtest.RawClaims("{}")), strings.Repeat("a", 9000), opsToken, signingKey,
	}
	for _, changes := range []map[string]any{
		{"iss": "https://clerk.evil.test"}, {"iss": authtest.IssuerURL + "/"}, {"iss": nil}, {"azp": "https://evil.test"}, {"azp": ""}, {"azp": nil},
		{"exp": nil}, {"exp": unix - 60}, {"exp": unix - 6}, {"exp": 0}, {"exp": "never"}, {"exp": 1e18}, {"nbf": unix + 60}, {"iat": unix + 60}, {"nbf": "x"},
		{"sts": "pending"}, {"sub": nil}, {"sub": ""}, {"sub": "user a"}, {"sub": "user\n"}, {"sub": "usér"}, {"sub": strings.Repeat("x", 129)}, {"sub": 7}, {"sub": "a\x00b"},
	} {
		tokens = append(tokens, s.tokenWith("user_a", changes))
	}
	for _, token := range tokens {
		all = append(all, unauthenticated(tokenPlaces("Bearer "+token)...)...)
	}
	for _, header := range []string{"", "Bearer", good, "Basic dXNlcjpwYXNz", "Token " + good, "Bearers " + good, "Bearer " + good + " x", "Bearer " + good + "," + good, "Bearer\t" + good, "Bearer \"" + good + "\"", "Bearer é"} {
		all = append(all, unauthenticated(tokenPlaces(header)...)...)
	}
	return append(all, unauthenticated(post(scores, `{`), post(scores, `{"mode":"nothing","score":1}`), post(batch, `{}`), get("/v1/leaderboards/nothing/players/me"), get(daily+"/players/me?limit=1"))...)
}

func badSignatures(s *stack) (all []bad) {
	now := s.clock.Now()
	for _, c := range []call{post(scores, goodFor), post(batch, goodBatch)} {
		add := func(headers ...string) {
			for _, header := range headers {
				all = append(all, unauthenticated(c.with("Framedle-Signature", header))...)
			}
		}
		for _, off := range []time.Duration{-301 * time.Second, 302 * time.Second, -time.Hour, time.Hour, -365 * 24 * time.Hour} {
			late := c.signed()
			late.sent = now.Add(off)
			all = append(all, unauthenticated(late)...)
		}
		body := []byte(c.body)
		good := auth.Sign(signingKey, now, body)
		at, sum, _ := strings.Cut(good, ",v1=")
		add(auth.Sign("another-key-of-32-or-more-characters!", now, body), auth.Sign(signingKey, now, []byte(c.body+" ")), auth.Sign(signingKey, now, nil),
			auth.Sign(signingKey, now, []byte(strings.Replace(c.body, "800", "900", 1))), auth.Sign(opsToken, now, body))
		sent := auth.Request{Method: c.method, Path: c.target, Body: body}
		elsewhere, otherwise := sent, sent
		elsewhere.Path, otherwise.Method = duelsPath, http.MethodPut
		for _, bound := range []string{auth.SignRequest("some-other-key-of-32-or-more-characters", now, sent), auth.SignRequest(signingKey, now, elsewhere), auth.SignRequest(signingKey, now, otherwise)} {
			add(bound, bound+",v1="+sum)
		}
		add(good+",v2="+sum, good+",v2=")
		add("x", "t", "t=", "v1=", at, "v1="+sum, at+",v1=", at+",v0="+sum, at+",V1="+sum, "T"+good[1:], at+",v1="+sum[:62], at+",v1="+sum+"00", at+",v1="+sum[:63]+"g",
			at+", v1="+sum, good+",", good+";", at+";v1="+sum, "t=0"+at[2:]+",v1="+sum, "t=+"+at[2:]+",v1="+sum, "t=-1,v1="+sum, "t=1e9,v1="+sum, "t=99999999999999,v1="+sum,
			at+","+at+",v1="+sum, at+strings.Repeat(",v1="+strings.Repeat("0", 64), 9), good+","+strings.Repeat("x", 2048), strings.Repeat("0", 64), `"`+good+`"`, "sha256="+sum)
	}
	return append(all, unauthenticated(post(batch, `{}`).with("Framedle-Signature", "x"), post(scores, `[`).with("Framedle-Signature", "x"))...)
}

func badOperators(s *stack) (all []bad) {
	for _, header := range []string{"Bearer " + opsToken + "x", "Bearer " + opsToken[1:], "Bearer x", "Basic " + opsToken, opsToken, "Bearer " + s.token("user_a"), "Bearer " + signingKey} {
		all = append(all, unauthenticated(post(scores, goodFor).signed().with("Authorization", header), post(batch, goodBatch).signed().with("Authorization", header))...)
	}
	for _, at := range []string{`""`, `"today"`, `"2026-11-18"`, `"2026-11-18T10:00:00"`, `"2026-11-18 10:00:00Z"`, `"2026-02-30T10:00:00Z"`, `"2026-11-18T25:00:00Z"`, "1763460000", "true", "[]", "{}", `"2026-11-18T10:00:00Zx"`} {
		all = append(all, invalid(post(scores, object("mode", `"daily"`, "score", "1", "player", `"a"`, "played_at", at)).imported())...)
	}
	return all
}

func badRights(s *stack) (all []bad) {
	as := func(body string) call { return s.as("user_a", post(scores, body)) }
	for _, player := range []string{"user_a", "user_b", "not an id", ""} {
		all = append(all, forbidden(as(object("mode", `"daily"`, "score", "1", "player", quoted(player))))...)
	}
	all = append(all, forbidden(
		as(`{"mode":"judged","score":1}`), as(`{"mode":"judged","score":101}`), as(`{"mode":"judged","score":1,"date":"2026-11-17"}`),
		as(`{"mode":"daily","score":1,"groups":["guild"]}`), as(`{"mode":"daily","score":1,"groups":["a","b","c","d","e","f","g","h"]}`),
		s.as("user_a", post(batch, goodBatch)), s.as("user_a", post(batch, `{}`)), s.as("user_a", post(batch, `{`)), s.as("user_b", post(batch, goodBatch)),
	)...)
	member := s.tokenWith("user_m", map[string]any{"o": map[string]any{"id": "guild"}})
	return append(all, forbidden(post(scores, `{"mode":"daily","score":1,"groups":["guild","other"]}`).bearer(member))...)
}

func badKeys(s *stack) (all []bad) {
	adding := []call{s.as("user_a", post(scores, `{"mode":"coins","score":5}`)), post(scores, `{"mode":"coins","score":5,"player":"a"}`).signed()}
	all = append(all, invalid(adding...)...)
	others := []call{s.as("user_a", post(scores, goodScore)), post(scores, goodFor).signed(), post(batch, goodBatch).signed()}
	for _, key := range []string{
		"", `""`, `"`, `"""`, "a b", `"a b"`, `a"b`, `"a"b"`, `"abc`, `abc"`, "é", "a\tb", "a\x7fb", "a\x00b", `"a\"b"`, "a\u200bb", "用",
		strings.Repeat("k", 256), `"` + strings.Repeat("k", 256) + `"`, strings.Repeat("k", 5000),
	} {
		for _, c := range append(adding, others...) {
			all = append(all, invalid(c.with("Idempotency-Key", key))...)
		}
	}
	return all
}
