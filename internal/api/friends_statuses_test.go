package api_test

import (
	"net/url"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// without makes a call where there is no database.
func without(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		s.database = ""
		s.handler = s.process()
		return c(s)
	}
}

// over makes a call where the database is another: of that name, or elsewhere.
func over(where string, c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		u, err := url.Parse(s.database)
		require.NoError(s, err)
		host, name, _ := strings.Cut(where, "/")
		if u.Path = name; host != "" {
			u.Host = host
		}
		s.database = u.String()
		s.handler = s.process()
		return c(s)
	}
}

// withoutRights makes a call where the database answers, and shows its tables to nobody.
func withoutRights(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		u, err := url.Parse(s.database)
		require.NoError(s, err)
		q := u.Query()
		q.Set("role", "pg_monitor")
		u.RawQuery = q.Encode()
		s.database = u.String()
		s.handler = s.process()
		return c(s)
	}
}

// asked makes a call to which another player's request goes before.
func asked(by, player string, c call) func(*stack) call {
	return func(s *stack) call {
		s.send(s.as(by, post(requestsPath, `{"player":"`+player+`"}`)))
		return s.as(player, c)
	}
}

// invited makes a call that accepts a player's new invite.
func invited(by, player string) func(*stack) call {
	return func(s *stack) call { return s.as(player, post(s.invite(by)+"/accept", "")) }
}

// seen makes a call that reads a player's new invite.
func seen(by, player string) func(*stack) call {
	return func(s *stack) call { return s.as(player, get(s.invite(by))) }
}

// invite makes an invite and returns its path.
func (s *stack) invite(by string) string {
	var invite inviteBody
	s.want(201, s.as(by, post(invitesPath, ""))).into(s, &invite)
	return invitesPath + "/" + invite.Code
}

// full has a player's lists be full.
func full(player string, c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		made := c(s)
		s.inDatabase(`INSERT INTO friend_players (player, friends, asked, blocked) VALUES ($1, 500, 500, 500)
			ON CONFLICT (player) DO UPDATE SET friends = 500, asked = 500, blocked = 500`, player)
		return made
	}
}

// friendsScenarios are those of friends and webhooks.
func friendsScenarios() map[string]scenario {
	const (
		ask    = `{"player":"user_f2"}`
		accept = requestsPath + "/user_f1/accept"
		none   = "abcdefghijklmnopqrstuvwxyz"
		event  = `{"type":"session.created","data":{}}`
	)
	large, huge := strings.Repeat(" ", 64<<10)+"{}", strings.Repeat(" ", 256<<10)+"{}"
	all := map[string]scenario{
		"GET /v1/leaderboards/{mode}/friends 200": {call: as("user_a", get(friendsBoard))},
		"GET /v1/leaderboards/{mode}/friends 304": {call: func(s *stack) call { return known(s.as("user_a", get(friendsBoard)))(s) }},
		"GET /v1/leaderboards/{mode}/friends 404": {call: as("user_a", get("/v1/leaderboards/nothing/friends")), kind: "unknown-mode"},
		"GET /v1/friends 200":                     {call: as("user_f1", get(friendsPath))},
		"POST /v1/friends/requests 422":           {call: reused(as("user_f1", post(requestsPath, `{"player":"user_f31"}`)), `{"player":"user_f32"}`), kind: "idempotency-key-reused"},
		"POST /v1/friends/invites 409":            {call: running(as("user_f1", post(invitesPath, ""))), kind: "idempotency-key-in-use"},
		"POST /v1/friends/invites 422":            {call: reused(as("user_f1", post(invitesPath, `{"uses":2}`)), `{"uses":3}`), kind: "idempotency-key-reused"},
		"POST /v1/friends/requests 201":           {call: as("user_f1", post(requestsPath, ask))},
		"POST /v1/friends/requests 200": {call: func(s *stack) call {
			c := s.as("user_f3", post(requestsPath, ask))
			s.send(c)
			return c
		}},
		"POST /v1/friends/requests 409": {call: func(s *stack) call {
			s.want(204, s.as("user_f4", put(blocksPath+"/user_f2", "")))
			return s.as("user_f4", post(requestsPath, ask))
		}, kind: "player-blocked"},
		"POST /v1/friends/requests 413":                 {call: as("user_f1", post(requestsPath, large)), kind: "too-large"},
		"POST /v1/friends/requests 415":                 {call: as("user_f1", post(requestsPath, ask).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"POST /v1/friends/requests/{player}/accept 200": {call: asked("user_f1", "user_f5", post(accept, ""))},
		"POST /v1/friends/requests/{player}/accept 404": {call: as("user_f6", post(accept, "")), kind: "no-request"},
		"POST /v1/friends/requests/{player}/accept 409": {call: full("user_f7", asked("user_f1", "user_f7", post(accept, ""))), kind: "list-full"},
		"POST /v1/friends/requests/{player}/accept 413": {call: as("user_f1", post(accept, large)), kind: "too-large"},
		"POST /v1/friends/requests/{player}/accept 415": {call: as("user_f1", post(accept, "x").with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"DELETE /v1/friends/requests/{player} 204":      {call: as("user_f1", remove(requestsPath+"/user_f8", ""))},
		"DELETE /v1/friends/{player} 204":               {call: as("user_f1", remove(friendsPath+"/user_f8", ""))},
		"PUT /v1/friends/blocks/{player} 204":           {call: as("user_f1", put(blocksPath+"/user_f9", ""))},
		"PUT /v1/friends/blocks/{player} 409":           {call: full("user_f10", as("user_f10", put(blocksPath+"/user_f9", ""))), kind: "list-full"},
		"DELETE /v1/friends/blocks/{player} 204":        {call: as("user_f1", remove(blocksPath+"/user_f9", ""))},
		"POST /v1/friends/invites 201":                  {call: as("user_f1", post(invitesPath, ""))},
		"POST /v1/friends/invites 413":                  {call: as("user_f1", post(invitesPath, large)), kind: "too-large"},
		"POST /v1/friends/invites 415":                  {call: as("user_f1", post(invitesPath, "{}").with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"GET /v1/friends/invites/{code} 200":            {call: seen("user_f1", "user_f11")},
		"GET /v1/friends/invites/{code} 404":            {call: as("user_f1", get(invitesPath+"/"+none)), kind: "no-invite"},
		"POST /v1/friends/invites/{code}/accept 200":    {call: invited("user_f1", "user_f11")},
		"POST /v1/friends/invites/{code}/accept 404":    {call: as("user_f1", post(invitesPath+"/"+none+"/accept", "")), kind: "no-invite"},
		"POST /v1/friends/invites/{code}/accept 409":    {call: full("user_f12", invited("user_f1", "user_f12")), kind: "list-full"},
		"POST /v1/friends/invites/{code}/accept 413":    {call: as("user_f1", post(invitesPath+"/"+none+"/accept", large)), kind: "too-large"},
		"POST /v1/friends/invites/{code}/accept 415":    {call: as("user_f1", post(invitesPath+"/"+none+"/accept", "x").with("Content-Type", "text/plain")), kind: "unsupported-media-type"},

		"POST /v1/webhooks/clerk 200": {call: func(s *stack) call { return s.told("msg_200", event) }},
		"POST /v1/webhooks/clerk 400": {call: func(s *stack) call { return s.told("msg_400", `{"data":{}}`) }, kind: "invalid-request"},
		"POST /v1/webhooks/clerk 401": {call: plain(post(clerkPath, event)), kind: "unauthenticated"},
		"POST /v1/webhooks/clerk 413": {call: plain(post(clerkPath, huge)), kind: "too-large"},
		"POST /v1/webhooks/clerk 415": {call: plain(post(clerkPath, event).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"POST /v1/webhooks/clerk 429": {call: func(s *stack) call {
			return after(30, plain(post(clerkPath, event).with("svix-id", "a").with("svix-timestamp", "1").with("svix-signature", "v1,x").cameFrom("192.0.2.90:1")))(s)
		}, kind: "rate-limited"},
		"POST /v1/webhooks/clerk 500": {call: func(s *stack) call { return s.told("msg_500", event) }, fault: refusedCommand, kind: "internal"},
		"POST /v1/webhooks/clerk 503": {call: func(s *stack) call { return s.told("msg_503", event) }, fault: redisDown, kind: "temporarily-unavailable"},
	}
	// What every endpoint of friends has alike. Those that change nothing in
	// Redis when there is nothing to change are given something.
	addresses := 30
	for pattern, c := range map[string]func(*stack) call{
		"GET /v1/leaderboards/{mode}/friends":       as("user_c", get(friendsBoard)),
		"GET /v1/friends":                           asked("user_f1", "user_f20", get(friendsPath)),
		"POST /v1/friends/requests":                 as("user_f21", post(requestsPath, ask)),
		"POST /v1/friends/requests/{player}/accept": asked("user_f1", "user_f22", post(accept, "")),
		"DELETE /v1/friends/requests/{player}":      asked("user_f1", "user_f23", remove(requestsPath+"/user_f1", "")),
		"DELETE /v1/friends/{player}":               asked("user_f1", "user_f24", remove(friendsPath+"/user_f1", "")),
		"PUT /v1/friends/blocks/{player}":           as("user_f25", put(blocksPath+"/user_f1", "")),
		"DELETE /v1/friends/blocks/{player}":        asked("user_f1", "user_f26", remove(blocksPath+"/user_f1", "")),
		"POST /v1/friends/invites":                  as("user_f27", post(invitesPath, "")),
		"GET /v1/friends/invites/{code}":            seen("user_f1", "user_f29"),
		"POST /v1/friends/invites/{code}/accept":    invited("user_f1", "user_f28"),
	} {
		addresses++
		address := "192.0.2." + string(rune('0'+addresses/10)) + string(rune('0'+addresses%10)) + ":1"
		all[pattern+" 400"] = scenario{call: func(s *stack) call {
			made := c(s)
			made.target += "?unknown=1"
			return made
		}, kind: "invalid-request"}
		all[pattern+" 401"] = scenario{call: func(s *stack) call {
			made := c(s)
			delete(made.header, "Authorization")
			return made
		}, kind: "unauthenticated"}
		all[pattern+" 429"] = scenario{call: func(s *stack) call { return from(address, c(s))(s) }, kind: "rate-limited"}
		if pattern != "GET /v1/leaderboards/{mode}/friends" {
			all[pattern+" 501"] = scenario{call: without(func(s *stack) call {
				switch {
				case strings.HasSuffix(pattern, "{code}"):
					return s.as("user_f1", get(invitesPath+"/"+none))
				case strings.HasSuffix(pattern, "{code}/accept"):
					return s.as("user_f1", post(invitesPath+"/"+none+"/accept", ""))
				}
				return c(s)
			}), kind: "no-database"}
		}
		for status, fault := range map[string]upstashtest.Fault{" 500": refusedCommand, " 503": redisDown} {
			kind := "internal"
			if status == " 503" {
				kind = "temporarily-unavailable"
			}
			all[pattern+status] = scenario{call: c, fault: fault, kind: kind}
		}
	}
	// These can do with Postgres alone.
	for pattern, c := range map[string]func(*stack) call{
		"GET /v1/friends": as("user_f27", get(friendsPath)), "POST /v1/friends/invites": as("user_f27", post(invitesPath, "")),
		"GET /v1/friends/invites/{code}": as("user_f27", get(invitesPath+"/"+none)),
	} {
		all[pattern+" 500"] = scenario{call: withoutRights(c), kind: "internal"}
		all[pattern+" 503"] = scenario{call: over("127.0.0.1:1/nothing", c), kind: "temporarily-unavailable"}
	}
	return all
}
