package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func unauthenticated(calls ...apitest.Call) []bad {
	return refused(http.StatusUnauthorized, "unauthenticated", calls...)
}

func forbidden(calls ...apitest.Call) []bad {
	return refused(http.StatusForbidden, "forbidden", calls...)
}

// tokenPlaces are the endpoints that a session token opens.
func tokenPlaces(header string) []apitest.Call {
	all := []apitest.Call{apitest.Post(apitest.Scores, apitest.GoodScore), apitest.Post(apitest.Batch, goodBatch), apitest.Get(apitest.Daily + "/players/me"), apitest.Get(apitest.Daily + "/around/me")}
	for i := range all {
		all[i] = all[i].With("Authorization", header)
	}
	return all
}

func badTokens(s *apitest.Stack) (all []bad) {
	stranger := authtest.New(s)
	unix := s.Clock.Now().Unix()
	claims := authtest.Claims("user_a", s.Clock.Now(), nil)
	good := s.Issuer.Token(claims)
	parts := strings.Split(good, ".")
	tokens := []string{
		s.Issuer.Token(claims, authtest.Unsigned("none")), s.Issuer.Token(claims, authtest.Unsigned("None")), s.Issuer.Token(claims, authtest.Header("alg", "none")),
		parts[0] + "." + parts[1] + ".", parts[0] + "." + parts[1], good + ".x", "a.b.c", "garbage", good + "=", good[:len(good)-4], good[:20] + "A" + good[21:],
		s.Issuer.Token(claims, authtest.HS256(s.Issuer.PEM())), s.Issuer.Token(claims, authtest.HS256("")), s.Issuer.Token(claims, authtest.HS256(s.Issuer.PEM()), authtest.Header("alg", "RS256")),
		s.Issuer.Token(claims, s.Issuer.RS384()), s.Issuer.Token(claims, s.Issuer.RS512()), s.Issuer.Token(claims, s.Issuer.PS256()),
		stranger.Token(claims), s.Issuer.Token(claims, authtest.SignedBy(stranger), authtest.Header("jwk", stranger.PublicJWK())),
		s.Issuer.Token(claims, authtest.Header("crit", []string{"exp"})), s.Issuer.Token(claims, authtest.Header("typ", "at+jwt")), s.Issuer.Token(claims, authtest.Header("cat", "cl_B7d4PD222AAA")),
		s.Issuer.Token(nil, authtest.RawClaims("null")), s.Issuer.Token(nil, authtest.RawClaims("{}")), strings.Repeat("a", 9000), apitest.OpsToken, apitest.SigningKey,
	}
	for _, changes := range []map[string]any{
		{"iss": "https://clerk.evil.test"}, {"iss": authtest.IssuerURL + "/"}, {"iss": nil}, {"azp": "https://evil.test"}, {"azp": ""}, {"azp": nil},
		{"exp": nil}, {"exp": unix - 60}, {"exp": unix - 6}, {"exp": 0}, {"exp": "never"}, {"exp": 1e18}, {"nbf": unix + 60}, {"iat": unix + 60}, {"nbf": "x"},
		{"sts": "pending"}, {"sub": nil}, {"sub": ""}, {"sub": "user a"}, {"sub": "user\n"}, {"sub": "usér"}, {"sub": strings.Repeat("x", 129)}, {"sub": 7}, {"sub": "a\x00b"},
	} {
		tokens = append(tokens, s.TokenWith("user_a", changes))
	}
	for _, token := range tokens {
		all = append(all, unauthenticated(tokenPlaces("Bearer "+token)...)...)
	}
	for _, header := range []string{"", "Bearer", good, "Basic dXNlcjpwYXNz", "Token " + good, "Bearers " + good, "Bearer " + good + " x", "Bearer " + good + "," + good, "Bearer\t" + good, "Bearer \"" + good + "\"", "Bearer é"} {
		all = append(all, unauthenticated(tokenPlaces(header)...)...)
	}
	return append(all, unauthenticated(apitest.Post(apitest.Scores, `{`), apitest.Post(apitest.Scores, `{"mode":"nothing","score":1}`), apitest.Post(apitest.Batch, `{}`), apitest.Get("/v1/leaderboards/nothing/players/me"), apitest.Get(apitest.Daily+"/players/me?limit=1"))...)
}

func badSignatures(s *apitest.Stack) (all []bad) {
	now := s.Clock.Now()
	for _, c := range []apitest.Call{apitest.Post(apitest.Scores, goodFor), apitest.Post(apitest.Batch, goodBatch)} {
		add := func(headers ...string) {
			for _, header := range headers {
				all = append(all, unauthenticated(c.With("Framedle-Signature", header))...)
			}
		}
		for _, off := range []time.Duration{-301 * time.Second, 302 * time.Second, -time.Hour, time.Hour, -365 * 24 * time.Hour} {
			late := c.Signed()
			late.Sent = now.Add(off)
			all = append(all, unauthenticated(late)...)
		}
		body := []byte(c.Body)
		good := auth.Sign(apitest.SigningKey, now, body)
		at, sum, _ := strings.Cut(good, ",v1=")
		add(auth.Sign("another-key-of-32-or-more-characters!", now, body), auth.Sign(apitest.SigningKey, now, []byte(c.Body+" ")), auth.Sign(apitest.SigningKey, now, nil),
			auth.Sign(apitest.SigningKey, now, []byte(strings.Replace(c.Body, "800", "900", 1))), auth.Sign(apitest.OpsToken, now, body))
		sent := auth.Request{Method: c.Method, Path: c.Target, Body: body}
		elsewhere, otherwise := sent, sent
		elsewhere.Path, otherwise.Method = apitest.DuelsPath, http.MethodPut
		for _, bound := range []string{auth.SignRequest("some-other-key-of-32-or-more-characters", now, sent), auth.SignRequest(apitest.SigningKey, now, elsewhere), auth.SignRequest(apitest.SigningKey, now, otherwise)} {
			add(bound, bound+",v1="+sum)
		}
		add(good+",v2="+sum, good+",v2=")
		add("x", "t", "t=", "v1=", at, "v1="+sum, at+",v1=", at+",v0="+sum, at+",V1="+sum, "T"+good[1:], at+",v1="+sum[:62], at+",v1="+sum+"00", at+",v1="+sum[:63]+"g",
			at+", v1="+sum, good+",", good+";", at+";v1="+sum, "t=0"+at[2:]+",v1="+sum, "t=+"+at[2:]+",v1="+sum, "t=-1,v1="+sum, "t=1e9,v1="+sum, "t=99999999999999,v1="+sum,
			at+","+at+",v1="+sum, at+strings.Repeat(",v1="+strings.Repeat("0", 64), 9), good+","+strings.Repeat("x", 2048), strings.Repeat("0", 64), `"`+good+`"`, "sha256="+sum)
	}
	return append(all, unauthenticated(apitest.Post(apitest.Batch, `{}`).With("Framedle-Signature", "x"), apitest.Post(apitest.Scores, `[`).With("Framedle-Signature", "x"))...)
}

func badOperators(s *apitest.Stack) (all []bad) {
	for _, header := range []string{"Bearer " + apitest.OpsToken + "x", "Bearer " + apitest.OpsToken[1:], "Bearer x", "Basic " + apitest.OpsToken, apitest.OpsToken, "Bearer " + s.Token("user_a"), "Bearer " + apitest.SigningKey} {
		all = append(all, unauthenticated(apitest.Post(apitest.Scores, goodFor).Signed().With("Authorization", header), apitest.Post(apitest.Batch, goodBatch).Signed().With("Authorization", header))...)
	}
	for _, at := range []string{`""`, `"today"`, `"2026-11-18"`, `"2026-11-18T10:00:00"`, `"2026-11-18 10:00:00Z"`, `"2026-02-30T10:00:00Z"`, `"2026-11-18T25:00:00Z"`, "1763460000", "true", "[]", "{}", `"2026-11-18T10:00:00Zx"`} {
		all = append(all, invalid(apitest.Post(apitest.Scores, apitest.Object("mode", `"daily"`, "score", "1", "player", `"a"`, "played_at", at)).Imported())...)
	}
	return all
}

func badRights(s *apitest.Stack) (all []bad) {
	as := func(body string) apitest.Call { return s.As("user_a", apitest.Post(apitest.Scores, body)) }
	for _, player := range []string{"user_a", "user_b", "not an id", ""} {
		all = append(all, forbidden(as(apitest.Object("mode", `"daily"`, "score", "1", "player", apitest.Quoted(player))))...)
	}
	all = append(all, forbidden(
		as(`{"mode":"judged","score":1}`), as(`{"mode":"judged","score":101}`), as(`{"mode":"judged","score":1,"date":"2026-11-17"}`),
		as(`{"mode":"daily","score":1,"groups":["guild"]}`), as(`{"mode":"daily","score":1,"groups":["a","b","c","d","e","f","g","h"]}`),
		s.As("user_a", apitest.Post(apitest.Batch, goodBatch)), s.As("user_a", apitest.Post(apitest.Batch, `{}`)), s.As("user_a", apitest.Post(apitest.Batch, `{`)), s.As("user_b", apitest.Post(apitest.Batch, goodBatch)),
	)...)
	member := s.TokenWith("user_m", map[string]any{"o": map[string]any{"id": "guild"}})
	return append(all, forbidden(apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"groups":["guild","other"]}`).Bearer(member))...)
}

func badKeys(s *apitest.Stack) (all []bad) {
	adding := []apitest.Call{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"coins","score":5}`)), apitest.Post(apitest.Scores, `{"mode":"coins","score":5,"player":"a"}`).Signed()}
	all = append(all, invalid(adding...)...)
	others := []apitest.Call{s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)), apitest.Post(apitest.Scores, goodFor).Signed(), apitest.Post(apitest.Batch, goodBatch).Signed()}
	for _, key := range []string{
		"", `""`, `"`, `"""`, "a b", `"a b"`, `a"b`, `"a"b"`, `"abc`, `abc"`, "é", "a\tb", "a\x7fb", "a\x00b", `"a\"b"`, "a\u200bb", "用",
		strings.Repeat("k", 256), `"` + strings.Repeat("k", 256) + `"`, strings.Repeat("k", 5000),
	} {
		for _, c := range append(adding, others...) {
			all = append(all, invalid(c.With("Idempotency-Key", key))...)
		}
	}
	return all
}
