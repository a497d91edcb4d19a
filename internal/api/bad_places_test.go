package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
)

func badMethods(*apitest.Stack) (all []bad) {
	taken := map[string]string{
		apitest.Scores: "POST", apitest.Batch: "POST", apitest.Lookup: "POST", apitest.Daily: "GET, HEAD", apitest.Card: "GET, HEAD", around: "GET, HEAD", apitest.Daily + "/players/me": "GET, HEAD", "/openapi.yaml": "GET, HEAD",
	}
	for target, allowed := range taken {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "QUERY", "get", "Post", "X"} {
			if !strings.Contains(", "+allowed+",", ", "+method+",") {
				all = append(all, refused(http.StatusMethodNotAllowed, "method-not-allowed", apitest.Call{Method: method, Target: target})...)
			}
		}
	}
	return all
}

func badPaths(*apitest.Stack) (all []bad) {
	for _, target := range []string{
		"/", "/v1", "/v1/", "/v2/scores", "/v1/score", "/v1/scores/", "/v1//scores", "//v1/scores", "/v1/./scores", "/v1/x/../scores", "/V1/scores", "/v1/Scores",
		"/v1/scores/batch/", "/v1/scores/batch/1", "/v1/scores/1", "/v1/scores%2Fbatch", "/v1/scores%00", "/v1/scores%20", "/v1/leaderboards", "/v1/leaderboards/",
		apitest.Daily + "/", apitest.Daily + "/players", apitest.Daily + "/players/", apitest.Daily + "/players/a/b", apitest.Daily + "/around", apitest.Daily + "/around/", apitest.Daily + "/enemies", apitest.Daily + "/lookup/", apitest.Daily + "/lookup/a",
		apitest.Daily + "/players/.", apitest.Daily + "/players/..", apitest.Daily + "/players/%2e%2e", "/v1/leaderboards/..", "/v1/leaderboards/%2e%2e/scores", "/v1/leaderboards//players/a",
		"/openapi.json", "/openapi.yaml/", "/openapi.yaml%00", "/favicon.ico", "/.env", "/%2e%2e/etc/passwd", "/v1/you", "/v1/ops/nothing", "/_local/secrets", "/*",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodDelete} {
			all = append(all, refused(http.StatusNotFound, "not-found", apitest.Call{Method: method, Target: target})...)
		}
	}
	return all
}

func badQueries(*apitest.Stack) (all []bad) {
	readers := func(query string) []apitest.Call {
		return []apitest.Call{apitest.Get(apitest.Daily + "?" + query), apitest.Get(apitest.Card + "?" + query), apitest.Get(around + "?" + query), apitest.Post(apitest.Lookup+"?"+query, goodLookup)}
	}
	for _, period := range []string{"", "Day", "DAY", "days", "daily", "year", "hour", "week ", " week", "all-time", "all", "0", "day,week", "day\x00", "2026-W47"} {
		all = append(all, invalid(readers("period="+url.QueryEscape(period))...)...)
	}
	for _, query := range []string{
		"foo=1", "foo", "=1", "=", "Period=day", "PERIOD=day", "mode=daily", "player=a", "limit%00=1", "page=2", "date=2026-11-18&date=2026-11-18", "period=day&period=day",
		"scope=global&scope=global", "%zz=1", "period=%zz", "period=%", "a;b", "period=day;date=2026-11-18", "callback=alert(1)", "%FF=1", "x=" + strings.Repeat("y", 4000),
		"period[]=day", "period=day&=", "&unknown&",
	} {
		all = append(all, invalid(readers(query)...)...)
	}
	whole := func(name string, most string) []string {
		values := []string{"", "-1", "1.5", "1e2", "abc", "0x10", "1_0", "5 ", "٥", "NaN", "99999999999999999999", "-99999999999999999999", most, "1,2", "null", "''"}
		queries := make([]string, len(values))
		for i, value := range values {
			queries[i] = name + "=" + url.QueryEscape(value)
		}
		return queries
	}
	for _, query := range append(append(whole("limit", "201"), whole("offset", "10000001")...), "limit=0", "limit=1&limit=1", "range=5", "cursor=", "cursor=a&cursor=b") {
		all = append(all, invalid(apitest.Get(apitest.Daily+"?"+query), apitest.Get("/v1/leaderboards/xp?"+query))...)
	}
	for _, query := range append(whole("range", "51"), "range=0", "range=1&range=2", "limit=5", "offset=0", "cursor=x") {
		all = append(all, invalid(apitest.Get(around+"?"+query))...)
	}
	for _, query := range []string{"limit=5", "offset=0", "range=5", "cursor=x"} {
		all = append(all, invalid(apitest.Get(apitest.Card+"?"+query), apitest.Post(apitest.Lookup+"?"+query, goodLookup))...)
	}
	for _, board := range []string{"xp", "duels"} {
		for _, period := range []string{"day", "week", "month"} {
			all = append(all, invalid(apitest.Get("/v1/leaderboards/"+board+"?period="+period), apitest.Get("/v1/leaderboards/"+board+"/players/a?period="+period))...)
		}
	}
	return all
}

func badCursors(s *apitest.Stack) (all []bad) {
	const here = "lb:daily:" + apitest.Today
	encode := base64.RawURLEncoding.EncodeToString
	cursors := []string{
		encode([]byte(here+" 800 1 user_a")) + "\n", "x", "!", "a b", "null", "..", "0", strings.Repeat("A", 5000), encode(nil) + "=", encode([]byte(here+" 800 1 user_a")) + "=",
		base64.StdEncoding.EncodeToString([]byte(here + " 800 1 user_aa~~~???")),
	}
	for _, text := range []string{
		"", " ", here, here + " 800", here + " 800 1", here + " 800 1 user_a x", here + "  800 1 user_a", " 800 1 user_a", "   ",
		"lb:daily:" + apitest.Yesterday + " 800 1 user_a", "lb:daily:week:2026-W47 800 1 user_a", here + ":country:BR 800 1 user_a", "lb:newest:" + apitest.Today + " 800 1 user_a", "lb:alltime:xp 800 1 user_a",
		here + " NaN 1 user_a", here + " nan 1 user_a", here + " Inf 1 user_a", here + " -inf 1 user_a", here + " 1e999 1 user_a", here + " x 1 user_a", here + " 1\n 1 user_a",
		here + " 800 0 user_a", here + " 800 -1 user_a", here + " 800 1.5 user_a", here + " 800 9223372036854775807 user_a", here + " 800 99999999999999999999 user_a", here + " 800 x user_a",
		here + " 800 1 ", here + " 800 1 a/b", here + " 800 1 é", here + " 800 1 user\n", here + " 800 1 " + strings.Repeat("x", 129), "\x00 \x00 \x00 \x00", "\xff \xff 1 a",
	} {
		cursors = append(cursors, encode([]byte(text)))
	}
	seen := map[string]bool{"": true} // an empty one is among the queries
	for _, cursor := range cursors {
		if !seen[cursor] {
			seen[cursor] = true
			all = append(all, invalid(apitest.Get(apitest.Daily+"?cursor="+url.QueryEscape(cursor)))...)
		}
	}
	elsewhere := apitest.NewStack(s) // whose functions share the secret
	elsewhere.Fill("judged", 2, itoa)
	good := elsewhere.Page("/v1/leaderboards/judged?limit=1").NextCursor
	elsewhere.Want(http.StatusOK, apitest.Get("/v1/leaderboards/judged?cursor="+good))
	all = append(all, invalid(apitest.Get("/v1/leaderboards/judged?offset=1&cursor="+good), apitest.Get("/v1/leaderboards/judged?date="+apitest.Yesterday+"&cursor="+good))...)
	return append(all, invalid(apitest.Get(apitest.Daily+"?offset=1&cursor="+good), apitest.Get(apitest.Daily+"?period=week&cursor="+good), apitest.Get(apitest.Daily+"?date="+apitest.Yesterday+"&cursor="+good),
		apitest.Get(apitest.Daily+"?scope=country:BR&cursor="+good), apitest.Get("/v1/leaderboards/longest?cursor="+good))...)
}
