package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
)

// notJSON are texts that no endpoint can read.
func notJSON() []string {
	const good = apitest.GoodScore
	return []string{
		"", " ", "\n", "{", "}", "[", "]", "{}}", "{}]", "{} {}", "null", "true", "false", "1", `"x"`, "[]", "[{}]", "[null]",
		`{"mode"}`, `{"mode":}`, `{"mode":"daily"`, `{"mode":"daily",}`, `{,}`, `{mode:"daily"}`, `{'mode':'daily'}`,
		`{"mode":"daily" "score":1}`, `{"mode"="daily"}`, `{"mode":"daily";"score":1}`, `{"mode":undefined}`, `{"mode":daily}`,
		good + "}", good + "]", good + good, good + "x", good + ",", good + "\x00", "x" + good, "// a\n" + good, "/* a */" + good,
		"\ufeff" + good, ")]}',\n" + good, "mode=daily&score=800", "<score>800</score>", "mode: daily\nscore: 800",
		"{\"mode\":\"dai\nly\"}", "{\"mode\":\"dai\tly\"}", "{\"mode\":\"dai\x00ly\"}", `{"mode":"\x41"}`, `{"mode":"\u12"}`, `{"mode":"\`,
		strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 12_000), `{"mode":` + strings.Repeat("[", 11_000) + strings.Repeat("]", 11_000) + "}",
		"\xff", "{\"mode\":\"\xff\"}", "{\"mode\":\"\xc0\xaf\"}", "{\"mode\":\"\xed\xa0\x80\"}", "{\"mode\":\"caf\xe9\"}", "{\"\x80\":1}",
		"\xfe\xff\x00{\x00}", "{\x00}\x00", "\x1f\x8b\x08\x00\x00\x00\x00\x00", "\x00", "--x\r\nContent-Disposition: form-data\r\n\r\n{}",
	}
}

func badBodies(s *apitest.Stack) (all []bad) {
	for _, body := range notJSON() {
		all = append(all, invalid(s.Takers(body)...)...)
	}
	return all
}

func badFields(s *apitest.Stack) (all []bad) {
	add := func(calls ...apitest.Call) { all = append(all, invalid(calls...)...) }
	for _, name := range []string{
		"Mode", "SCORE", "mode ", " mode", "", "id", "user", "userId", "player_id", "rank", "status", "__proto__", "constructor",
		"$where", "mode\x00", "ｍode", "a/b", "a~b", strings.Repeat("x", 5000), "played_at", "scores", "players",
	} {
		value := `"2026-11-18T10:00:00Z"`
		add(s.Senders("mode", `"daily"`, "score", "1", name, value)...)
		if name != "players" {
			add(apitest.Post(apitest.Lookup, apitest.Object("players", `["a"]`, name, value)))
		}
		if name != "scores" {
			add(apitest.Post(apitest.Batch, apitest.Object("scores", "["+goodFor+"]", name, value)).Signed())
		}
	}
	for _, pairs := range [][]string{
		{}, {"mode", `"daily"`}, {"score", "1"}, {"mode", "null", "score", "1"}, {"mode", `"daily"`, "score", "null"},
		{"mode", "1", "score", "1"}, {"mode", "true", "score", "1"}, {"mode", `["daily"]`, "score", "1"}, {"mode", `{"a":1}`, "score", "1"},
	} {
		add(s.Senders(pairs...)...)
	}
	for _, value := range []string{"null", "1", `"a"`, "{}", "true", "[]", "[null]", "[1]", `["a",null]`, `["a",1]`, `[["a"]]`, `[{"player":"a"}]`} {
		add(apitest.Post(apitest.Lookup, apitest.Object("players", value)))
	}
	for _, value := range []string{"null", "1", `"a"`, "{}", "true", "[]"} {
		add(apitest.Post(apitest.Batch, apitest.Object("scores", value)).Signed())
	}
	add(apitest.Post(apitest.Lookup, apitest.Object("players", many(`"a"`, 501))), apitest.Post(apitest.Batch, apitest.Object("scores", many(`{}`, 1001))).Signed())
	large := `"` + strings.Repeat("x", 2047) + `"`
	add(s.Senders("mode", `"daily"`, "score", "1", "details", large)...)
	add(s.Senders("mode", `"longest"`, "score", "1", "details", "1")...)
	add(apitest.Post(apitest.Scores, apitest.GoodScore).Signed(), apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"player":null}`).Signed())
	return all
}

func many(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }

func badNumbers(s *apitest.Stack) (all []bad) {
	send := func(mode, number string) []apitest.Call {
		return s.Senders("mode", apitest.Quoted(mode), "score", number)
	}
	for _, number := range []string{
		"NaN", "Infinity", "-Infinity", "nan", "inf", "1e400", "-1e400", "1e99999999999", "-1e99999999999", "1e308", "2e-324", "1e-99999999999",
		"9007199254740993", "-9007199254740993", "9007199254740992.5", "18446744073709551616", "123456789012345678901234567890", "1e16",
		`"800"`, `""`, `"NaN"`, "true", "false", "[]", "{}", "[800]", `{"n":800}`, "01", "+1", ".5", "1.", "-", "--1", "0x10", "0b1", "1_000", "1,000",
		"1e", "1e+", "1.2.3", "8OO", "'800'", "٣", "1e1.5", "- 1", "1 2", "0.123456789", "1e-7", "800.0000001",
	} {
		all = append(all, invalid(send("daily", number)...)...)
		all = append(all, invalid(send("fastest", number)...)...)
	}
	for _, number := range []string{"0.5", "999.9", "1e-1", "15e-1"} {
		all = append(all, invalid(send("daily", number)...)...)
	}
	all = append(all, invalid(send("fastest", "12.345")...)...)
	for mode, numbers := range map[string][]string{
		"daily": {"1001", "-1", "1e4", "1001.0", "9007199254740992", "-9007199254740992", "1e15"}, "fastest": {"3600.01", "-0.01", "1e15"},
		"newest": {"51", "-51"}, "coins": {"501", "-1"}, "longest": {"100001"}, "tied": {"21"},
	} {
		for _, number := range numbers {
			all = append(all, refused(http.StatusUnprocessableEntity, "score-out-of-bounds", send(mode, number)...)...)
		}
	}
	return all
}

func badSizes(s *apitest.Stack) (all []bad) {
	add := func(calls ...apitest.Call) {
		all = append(all, refused(http.StatusRequestEntityTooLarge, "too-large", calls...)...)
	}
	for _, size := range []int{64<<10 + 1, 128 << 10, 1<<20 + 1} {
		blank, garbage := apitest.GoodScore+strings.Repeat(" ", size-len(apitest.GoodScore)), strings.Repeat("\xff", size)
		for _, body := range []string{blank, garbage} {
			add(apitest.Post(apitest.Scores, body), s.As("user_a", apitest.Post(apitest.Scores, body)), apitest.Post(apitest.Scores, body).Signed(), apitest.Post(apitest.Lookup, body))
		}
	}
	for _, size := range []int{1<<20 + 1, 2 << 20} {
		body := goodBatch + strings.Repeat(" ", size-len(goodBatch))
		add(apitest.Post(apitest.Batch, body), apitest.Post(apitest.Batch, body).Signed(), s.As("user_a", apitest.Post(apitest.Batch, body)))
	}
	add(apitest.Post("/v1/leaderboards/nothing/lookup", strings.Repeat(" ", 64<<10+1)))
	return all
}

func badMediaTypes(s *apitest.Stack) (all []bad) {
	for _, kind := range []string{
		"text/plain", "text/json", "text/html", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml",
		"application/jsonp", "application/json5", "application/x-ndjson", "application/problem+json", "application/octet-stream",
		"application/*", "*/*", "json", "application", "application/", "/json", "application json", "application/json; charset",
		"application/json, text/plain", "image/png", "application/json; charset=utf-16", "application/json;charset=ISO-8859-1", `application/json; charset="utf-7"`, "application/json\x00",
	} {
		for _, c := range []apitest.Call{s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)), apitest.Post(apitest.Batch, goodBatch).Signed(), apitest.Post(apitest.Lookup, goodLookup), apitest.Post(apitest.Scores, apitest.GoodScore)} {
			all = append(all, refused(http.StatusUnsupportedMediaType, "unsupported-media-type", c.With("Content-Type", kind))...)
		}
	}
	return all
}
