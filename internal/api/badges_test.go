package api_test

const (
	myBadges    = "/v1/me/badges"
	theirBadges = "/v1/players/user_b/badges"
)

func badgeScenarios() map[string]scenario {
	return map[string]scenario{
		"GET /v1/me/badges 200": {call: as("user_a", get(myBadges))},
		"GET /v1/me/badges 304": {call: func(s *stack) call { return known(s.as("user_a", get(myBadges)))(s) }},
		"GET /v1/me/badges 400": {call: as("user_a", get(myBadges+"?limit=501")), kind: "invalid-request"},
		"GET /v1/me/badges 401": {call: plain(get(myBadges)), kind: "unauthenticated"},
		"GET /v1/me/badges 429": {call: from("192.0.2.25:1", get(myBadges)), kind: "rate-limited"},

		"GET /v1/players/{player}/badges 200": {call: plain(get(theirBadges + "?limit=5"))},
		"GET /v1/players/{player}/badges 304": {call: known(get(theirBadges))},
		"GET /v1/players/{player}/badges 400": {call: plain(get("/v1/players/a%20b/badges")), kind: "invalid-request"},
		"GET /v1/players/{player}/badges 401": {call: plain(get("/v1/players/me/badges")), kind: "unauthenticated"},
		"GET /v1/players/{player}/badges 429": {call: from("192.0.2.26:1", get(theirBadges)), kind: "rate-limited"},
	}
}
