package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"net/url"
	"strings"
)

// forgedIDs are no player ids, and would be somebody else's key or row if one
// of them got through.
func forgedIDs() []string {
	return []string{
		" ", "a b", " a", "a ", "a\nb", "a\n", "\na", "a\r\nb", "a\tb", "\x00", "a\x00b", "a\x7f", "a\x1b[31m", "é", "用户", "🙂", "ａ", "a\u202eb",
		"\ufeffa", "a\u200bb", "a\u00a0b", "a\u0301", "\ufffd", "a\\b", "a*", "a?", "a[b]", "{a}", "a,b", "a;b", "a'b", `a"b`, "a|b", "a&b", "a=b",
		"a+b", "a%20b", "a%00", "a#b", "<a>", "a$b", "a!b", "a^b", "a~b", "a`b", "(a)", "lb:daily:2026-11-18 user", "a\r\nDEL lb:daily:2026-11-18\r\n",
		strings.Repeat("x", 129), strings.Repeat("é", 65), strings.Repeat("x", 1000),
	}
}

func badIDs(s *apitest.Stack) (all []bad) {
	for _, id := range forgedIDs() {
		all = append(all, invalid(
			apitest.Post(apitest.Scores, apitest.Object("mode", `"daily"`, "score", "1", "player", apitest.Quoted(id))).Signed(),
			apitest.Post(apitest.Lookup, apitest.Object("players", "["+apitest.Quoted(id)+"]")),
			apitest.Post(apitest.Lookup, apitest.Object("players", `["user_a",`+apitest.Quoted(id)+"]")),
			apitest.Get(apitest.Daily+"/players/"+url.PathEscape(id)),
			apitest.Get(apitest.Daily+"/around/"+url.PathEscape(id)),
			apitest.Call{Method: http.MethodHead, Target: apitest.Daily + "/players/" + url.PathEscape(id)},
		)...)
	}
	all = append(all, invalid(apitest.Get(apitest.Daily+"/players/a%2Fb"), apitest.Get(apitest.Daily+"/around/lb%3Adaily%2F1"), apitest.Get(apitest.Daily+"/players/%FF"))...)
	for _, value := range []string{`""`, "1", "true", "[]", "{}", `["a"]`, `"a/b"`} {
		all = append(all, invalid(apitest.Post(apitest.Scores, apitest.Object("mode", `"daily"`, "score", "1", "player", value)).Signed())...)
	}
	return all
}

func badModes(s *apitest.Stack) (all []bad) {
	for _, name := range []string{
		"", " ", "Daily", "DAILY", "daily ", " daily", "daily\n", "dai ly", "daily:2026-11-18", "daily:", "1daily", "_daily", "daily-frame", "dáily",
		"daily\x00", "ｄaily", strings.Repeat("a", 41), "daily/..", "../daily", "lb:daily", "{daily}", "daily*",
	} {
		all = append(all, invalid(s.Senders("mode", apitest.Quoted(name), "score", "1")...)...)
	}
	unknown := func(calls ...apitest.Call) {
		all = append(all, refused(http.StatusNotFound, "unknown-mode", calls...)...)
	}
	for _, name := range []string{"nothing", "daily_frame", "dail", "daily2", "alltime", "week", "me", "a", strings.Repeat("a", 40)} {
		unknown(s.Senders("mode", apitest.Quoted(name), "score", "1e12")...)
		unknown(apitest.Get("/v1/leaderboards/"+name), apitest.Get("/v1/leaderboards/"+name+"/players/a"), apitest.Get("/v1/leaderboards/"+name+"/around/a?range=99"),
			apitest.Post("/v1/leaderboards/"+name+"/lookup", goodLookup), s.As("user_a", apitest.Get("/v1/leaderboards/"+name+"/players/me")))
	}
	unknown(s.Senders("mode", `"xp"`, "score", "1")...)
	unknown(s.Senders("mode", `"duels"`, "score", "1")...)
	for _, name := range []string{" ", "Daily", "daily:2026-11-18", "daily%3A2026-11-18", "d%C3%A1ily", "daily%00", "daily%0A", "daily*", "%7Bmode%7D", strings.Repeat("a", 200)} {
		unknown(apitest.Get("/v1/leaderboards/"+strings.ReplaceAll(name, " ", "%20")), apitest.Get("/v1/leaderboards/"+strings.ReplaceAll(name, " ", "%20")+"/players/a"))
	}
	return all
}

func badDates(s *apitest.Stack) (all []bad) {
	for _, date := range []string{
		"2026-02-30", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-32", "0000-01-01", "26-11-18",
		"2026-1-1", "2026/11/18", "20261118", "18-11-2026", "2026-11-18T00:00:00Z", "2026-11-18 ", " 2026-11-18", "+2026-11-18", "-2026-11-18",
		"12026-11-18", "２０２６-11-18", "2026-11-1８", "2026-11-18\x00", "2026-11-18\n", "today", "2026-W47", "2026-11", "2026", "2026-11-18:country:BR", "null",
	} {
		all = append(all, invalid(s.Senders("mode", `"daily"`, "score", "1", "date", apitest.Quoted(date))...)...)
		query := "?date=" + url.QueryEscape(date)
		all = append(all, invalid(apitest.Get(apitest.Daily+query), apitest.Get(apitest.Card+query), apitest.Get(around+query), apitest.Post(apitest.Lookup+query, goodLookup))...)
	}
	for _, value := range []string{`""`, "20261118", "true", "[]", "{}", `["2026-11-18"]`} {
		all = append(all, invalid(s.Senders("mode", `"daily"`, "score", "1", "date", value)...)...)
	}
	for _, date := range []string{apitest.Yesterday, "2026-11-16", "2026-11-19", "2026-12-18", "2025-11-18", "2027-11-18", apitest.LongAgo, "2024-02-29", "0001-01-01", "9999-12-31"} {
		all = append(all, refused(http.StatusUnprocessableEntity, "date-closed", s.Senders("mode", `"daily"`, "score", "1", "date", apitest.Quoted(date))...)...)
	}
	for _, date := range []string{"2026-11-19", "2027-11-18", "9999-12-31"} {
		all = append(all, refused(http.StatusUnprocessableEntity, "date-closed", apitest.Post(apitest.Scores, apitest.Object("mode", `"daily"`, "score", "1", "player", `"a"`, "date", apitest.Quoted(date))).Imported())...)
	}
	return all
}

func badScopes(s *apitest.Stack) (all []bad) {
	countries := []string{"", "br", "Br", "BRA", "B", "XX", "ZZ", "UK", "EU", "T1", "A1", "BR ", " BR", "B R", "B:R", "BR\n", "🇧🇷", "ＢＲ", "BR:group:x", "\x00\x00"}
	for _, value := range append(quotedAll(countries), "1", "true", "[]", "{}", `["BR"]`) {
		all = append(all, invalid(s.Senders("mode", `"daily"`, "score", "1", "country", value)...)...)
	}
	for _, value := range []string{
		`"a"`, "1", "true", "{}", `{"a":1}`, "[1]", "[null]", `[""]`, `["a b"]`, `["a:b"]`, `["a\n"]`, `["a\u0000"]`, `["é"]`, `["a.b"]`, `["a@b"]`, `[["a"]]`,
		`["ok","not ok"]`, `["` + strings.Repeat("x", 65) + `"]`, many(`"a"`, 9),
	} {
		all = append(all, invalid(s.Senders("mode", `"daily"`, "score", "1", "groups", value)...)...)
	}
	for _, scope := range []string{
		"", "Global", "GLOBAL", "global:", "global:x", "country", "country:", "country:br", "country:XX", "country:BRA", "country:BR:x", "Country:BR", "country:BR ",
		"group", "group:", "group:a:b", "group:a b", "group:a\n", "group:é", "group:" + strings.Repeat("x", 65), "friends", "region:XX", "region:eu", "region:", "region", ":BR", "*", "country:BR,US",
	} {
		query := "?scope=" + url.QueryEscape(scope)
		all = append(all, invalid(apitest.Get(apitest.Daily+query), apitest.Get(apitest.Card+query), apitest.Get(around+query), apitest.Post(apitest.Lookup+query, goodLookup))...)
	}
	for _, target := range []string{"newest?scope=country:BR", "longest?scope=group:a", "xp?scope=country:BR", "duels?scope=group:a"} {
		all = append(all, invalid(apitest.Get("/v1/leaderboards/"+target))...)
	}
	return all
}
