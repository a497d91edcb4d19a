package friend_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"strings"
	"testing"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// full has a player's lists be full.
func full(player string, c func(*apitest.Stack) apitest.Call) func(*apitest.Stack) apitest.Call {
	return func(s *apitest.Stack) apitest.Call {
		made := c(s)
		s.InDatabase(`INSERT INTO friend_players (player, friends, asked, blocked) VALUES ($1, 500, 500, 500)
			ON CONFLICT (player) DO UPDATE SET friends = 500, asked = 500, blocked = 500`, player)
		return made
	}
}

// friendsScenarios are those of friends and webhooks.
func friendsScenarios() map[string]apitest.Scenario {
	const (
		ask    = `{"player":"user_f2"}`
		accept = apitest.RequestsPath + "/user_f1/accept"
		none   = "abcdefghijklmnopqrstuvwxyz"
	)
	large := strings.Repeat(" ", 64<<10) + "{}"
	all := map[string]apitest.Scenario{
		"GET /v1/leaderboards/{mode}/friends 200": {Call: apitest.As("user_a", apitest.Get(apitest.FriendsBoard))},
		"GET /v1/leaderboards/{mode}/friends 304": {Call: func(s *apitest.Stack) apitest.Call {
			return apitest.Known(s.As("user_a", apitest.Get(apitest.FriendsBoard)))(s)
		}},
		"GET /v1/leaderboards/{mode}/friends 404": {Call: apitest.As("user_a", apitest.Get("/v1/leaderboards/nothing/friends")), Kind: "unknown-mode"},
		"GET /v1/friends 200":                     {Call: apitest.As("user_f1", apitest.Get(apitest.FriendsPath))},
		"POST /v1/friends/requests 422":           {Call: apitest.Reused(apitest.As("user_f1", apitest.Post(apitest.RequestsPath, `{"player":"user_f31"}`)), `{"player":"user_f32"}`), Kind: "idempotency-key-reused"},
		"POST /v1/friends/invites 409":            {Call: apitest.Running(apitest.As("user_f1", apitest.Post(apitest.InvitesPath, ""))), Kind: "idempotency-key-in-use"},
		"POST /v1/friends/invites 422":            {Call: apitest.Reused(apitest.As("user_f1", apitest.Post(apitest.InvitesPath, `{"uses":2}`)), `{"uses":3}`), Kind: "idempotency-key-reused"},
		"POST /v1/friends/requests 201":           {Call: apitest.As("user_f1", apitest.Post(apitest.RequestsPath, ask))},
		"POST /v1/friends/requests 200": {Call: func(s *apitest.Stack) apitest.Call {
			c := s.As("user_f3", apitest.Post(apitest.RequestsPath, ask))
			s.Send(c)
			return c
		}},
		"POST /v1/friends/requests 409": {Call: func(s *apitest.Stack) apitest.Call {
			s.Want(204, s.As("user_f4", apitest.Put(apitest.BlocksPath+"/user_f2", "")))
			return s.As("user_f4", apitest.Post(apitest.RequestsPath, ask))
		}, Kind: "player-blocked"},
		"POST /v1/friends/requests 413":                 {Call: apitest.As("user_f1", apitest.Post(apitest.RequestsPath, large)), Kind: "too-large"},
		"POST /v1/friends/requests 415":                 {Call: apitest.As("user_f1", apitest.Post(apitest.RequestsPath, ask).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"POST /v1/friends/requests/{player}/accept 200": {Call: apitest.Asked("user_f1", "user_f5", apitest.Post(accept, ""))},
		"POST /v1/friends/requests/{player}/accept 404": {Call: apitest.As("user_f6", apitest.Post(accept, "")), Kind: "no-request"},
		"POST /v1/friends/requests/{player}/accept 409": {Call: full("user_f7", apitest.Asked("user_f1", "user_f7", apitest.Post(accept, ""))), Kind: "list-full"},
		"POST /v1/friends/requests/{player}/accept 413": {Call: apitest.As("user_f1", apitest.Post(accept, large)), Kind: "too-large"},
		"POST /v1/friends/requests/{player}/accept 415": {Call: apitest.As("user_f1", apitest.Post(accept, "x").With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"DELETE /v1/friends/requests/{player} 204":      {Call: apitest.As("user_f1", apitest.Remove(apitest.RequestsPath+"/user_f8", ""))},
		"DELETE /v1/friends/{player} 204":               {Call: apitest.As("user_f1", apitest.Remove(apitest.FriendsPath+"/user_f8", ""))},
		"PUT /v1/friends/blocks/{player} 204":           {Call: apitest.As("user_f1", apitest.Put(apitest.BlocksPath+"/user_f9", ""))},
		"PUT /v1/friends/blocks/{player} 409":           {Call: full("user_f10", apitest.As("user_f10", apitest.Put(apitest.BlocksPath+"/user_f9", ""))), Kind: "list-full"},
		"DELETE /v1/friends/blocks/{player} 204":        {Call: apitest.As("user_f1", apitest.Remove(apitest.BlocksPath+"/user_f9", ""))},
		"POST /v1/friends/invites 201":                  {Call: apitest.As("user_f1", apitest.Post(apitest.InvitesPath, ""))},
		"POST /v1/friends/invites 413":                  {Call: apitest.As("user_f1", apitest.Post(apitest.InvitesPath, large)), Kind: "too-large"},
		"POST /v1/friends/invites 415":                  {Call: apitest.As("user_f1", apitest.Post(apitest.InvitesPath, "{}").With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"GET /v1/friends/invites/{code} 200":            {Call: apitest.Seen("user_f1", "user_f11")},
		"GET /v1/friends/invites/{code} 404":            {Call: apitest.As("user_f1", apitest.Get(apitest.InvitesPath+"/"+none)), Kind: "no-invite"},
		"POST /v1/friends/invites/{code}/accept 200":    {Call: apitest.Invited("user_f1", "user_f11")},
		"POST /v1/friends/invites/{code}/accept 404":    {Call: apitest.As("user_f1", apitest.Post(apitest.InvitesPath+"/"+none+"/accept", "")), Kind: "no-invite"},
		"POST /v1/friends/invites/{code}/accept 409":    {Call: full("user_f12", apitest.Invited("user_f1", "user_f12")), Kind: "list-full"},
		"POST /v1/friends/invites/{code}/accept 413":    {Call: apitest.As("user_f1", apitest.Post(apitest.InvitesPath+"/"+none+"/accept", large)), Kind: "too-large"},
		"POST /v1/friends/invites/{code}/accept 415":    {Call: apitest.As("user_f1", apitest.Post(apitest.InvitesPath+"/"+none+"/accept", "x").With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
	}
	// What every endpoint of friends has alike. Those that change nothing in
	// Redis when there is nothing to change are given something.
	addresses := 30
	for pattern, c := range map[string]func(*apitest.Stack) apitest.Call{
		"GET /v1/leaderboards/{mode}/friends":       apitest.As("user_c", apitest.Get(apitest.FriendsBoard)),
		"GET /v1/friends":                           apitest.Asked("user_f1", "user_f20", apitest.Get(apitest.FriendsPath)),
		"POST /v1/friends/requests":                 apitest.As("user_f21", apitest.Post(apitest.RequestsPath, ask)),
		"POST /v1/friends/requests/{player}/accept": apitest.Asked("user_f1", "user_f22", apitest.Post(accept, "")),
		"DELETE /v1/friends/requests/{player}":      apitest.Asked("user_f1", "user_f23", apitest.Remove(apitest.RequestsPath+"/user_f1", "")),
		"DELETE /v1/friends/{player}":               apitest.Asked("user_f1", "user_f24", apitest.Remove(apitest.FriendsPath+"/user_f1", "")),
		"PUT /v1/friends/blocks/{player}":           apitest.As("user_f25", apitest.Put(apitest.BlocksPath+"/user_f1", "")),
		"DELETE /v1/friends/blocks/{player}":        apitest.Asked("user_f1", "user_f26", apitest.Remove(apitest.BlocksPath+"/user_f1", "")),
		"POST /v1/friends/invites":                  apitest.As("user_f27", apitest.Post(apitest.InvitesPath, "")),
		"GET /v1/friends/invites/{code}":            apitest.Seen("user_f1", "user_f29"),
		"POST /v1/friends/invites/{code}/accept":    apitest.Invited("user_f1", "user_f28"),
	} {
		addresses++
		address := "192.0.2." + string(rune('0'+addresses/10)) + string(rune('0'+addresses%10)) + ":1"
		all[pattern+" 400"] = apitest.Scenario{Call: func(s *apitest.Stack) apitest.Call {
			made := c(s)
			made.Target += "?unknown=1"
			return made
		}, Kind: "invalid-request"}
		all[pattern+" 401"] = apitest.Scenario{Call: func(s *apitest.Stack) apitest.Call {
			made := c(s)
			delete(made.Header, "Authorization")
			return made
		}, Kind: "unauthenticated"}
		all[pattern+" 429"] = apitest.Scenario{Call: func(s *apitest.Stack) apitest.Call { return apitest.From(address, c(s))(s) }, Kind: "rate-limited"}
		if pattern != "GET /v1/leaderboards/{mode}/friends" {
			all[pattern+" 501"] = apitest.Scenario{Call: apitest.Without(func(s *apitest.Stack) apitest.Call {
				switch {
				case strings.HasSuffix(pattern, "{code}"):
					return s.As("user_f1", apitest.Get(apitest.InvitesPath+"/"+none))
				case strings.HasSuffix(pattern, "{code}/accept"):
					return s.As("user_f1", apitest.Post(apitest.InvitesPath+"/"+none+"/accept", ""))
				}
				return c(s)
			}), Kind: "no-database"}
		}
		for status, fault := range map[string]upstashtest.Fault{" 500": apitest.RefusedCommand, " 503": apitest.RedisDown} {
			kind := "internal"
			if status == " 503" {
				kind = "temporarily-unavailable"
			}
			all[pattern+status] = apitest.Scenario{Call: c, Fault: fault, Kind: kind}
		}
	}
	// These can do with Postgres alone.
	for pattern, c := range map[string]func(*apitest.Stack) apitest.Call{
		"GET /v1/friends": apitest.As("user_f27", apitest.Get(apitest.FriendsPath)), "POST /v1/friends/invites": apitest.As("user_f27", apitest.Post(apitest.InvitesPath, "")),
		"GET /v1/friends/invites/{code}": apitest.As("user_f27", apitest.Get(apitest.InvitesPath+"/"+none)),
	} {
		all[pattern+" 500"] = apitest.Scenario{Call: apitest.WithoutRights(c), Kind: "internal"}
		all[pattern+" 503"] = apitest.Scenario{Call: apitest.Over("127.0.0.1:1/nothing", c), Kind: "temporarily-unavailable"}
	}
	return all
}

func TestEveryStatusOfFriendsHappens(t *testing.T) { apitest.EachStatus(t, friendsScenarios()) }
