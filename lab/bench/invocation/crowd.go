package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/lab/clerk"
)

// crowd are players with session tokens.
type crowd struct {
	clerk  *clerk.Clerk
	tokens map[int]string // by number, of the players who have played
}

func newCrowd() (*crowd, error) {
	signer, err := clerk.New()
	if err != nil {
		return nil, err
	}
	return &crowd{signer, map[int]string{}}, nil
}

func (c *crowd) env() []string { return append(c.clerk.Env(), "GAME=framedle", "METRICS=lean") }

func player(i int) string { return fmt.Sprintf("user_%027d", i) }

// token is a session token with a name and a country, which the game uses.
func (c *crowd) token(i int) (text string, err error) {
	if c.tokens[i] == "" {
		c.tokens[i], err = c.clerk.Token(player(i), fmt.Sprint("Player ", i), time.Now())
	}
	return c.tokens[i], err
}

// event is a request as an HTTP API passes it to a function. If signedIn is true it
// has the player's token; otherwise only the address shows who sends it.
func (c *crowd) event(method, path, body string, by int, signedIn bool) ([]byte, error) {
	path, query, _ := strings.Cut(path, "?")
	headers := map[string]string{"host": "api.example.com", "user-agent": "Mozilla/5.0", "accept": "application/json"}
	if body != "" {
		headers["content-type"] = "application/json"
	}
	address := fmt.Sprintf("10.%d.%d.%d", by>>16&255, by>>8&255, by&255)
	if signedIn {
		token, err := c.token(by)
		if err != nil {
			return nil, err
		}
		headers["authorization"] = "Bearer " + token
	}
	return json.Marshal(map[string]any{
		"version": "2.0", "routeKey": method + " " + path, "rawPath": path, "rawQueryString": query, "headers": headers, "body": body,
		"requestContext": map[string]any{
			"accountId": "123456789012", "apiId": "api", "domainName": "api.example.com", "requestId": "JKJaXmPLvHcESHA=", "stage": "$default",
			"http": map[string]any{"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": address, "userAgent": "Mozilla/5.0"},
		},
	})
}

// routes are the routes of a player's day, in an order in which each finds the data that
// it reads.
func (c *crowd) routes() []route {
	by := func(method, path, body string) func(int) ([]byte, error) {
		return func(i int) ([]byte, error) {
			return c.event(method, path, strings.ReplaceAll(body, "{score}", fmt.Sprint(i*7919%1000+1)), i, true)
		}
	}
	page := func(path string, signedIn bool) func(int) ([]byte, error) {
		return func(i int) ([]byte, error) {
			return c.event("GET", strings.ReplaceAll(path, "{i}", fmt.Sprint(i%900)), "", i, signedIn)
		}
	}
	const board = "/v1/leaderboards/daily_frame"
	return []route{
		{"hello", "nothing", func(int) ([]byte, error) { return c.event("GET", "/", "", 0, false) }, 0},
		{"submit", "POST /v1/scores", by("POST", "/v1/scores", `{"mode":"daily_frame","score":{score}}`), 201},
		{"leaderboard", "top 100, cached", page(board+"?limit=100", false), 200},
		{"leaderboard", "page of 100, read anew", page(board+"?limit=100&offset={i}", true), 200},
		{"leaderboard", "around me", by("GET", board+"/around/me", ""), 200},
		{"leaderboard", "card", by("GET", board+"/players/me", ""), 200},
		{"leaderboard", "own card of the week", by("GET", board+"/players/me?period=week", ""), 200},
		{"leaderboard", "board of 20 friends", by("GET", board+"/friends", ""), 200},
		{"me", "GET /v1/me", by("GET", "/v1/me", ""), 200},
	}
}

// answerOf reads a function's answer.
func answerOf(payload []byte) (status int, body string, err error) {
	var answer struct {
		StatusCode      int    `json:"statusCode"`
		Body            string `json:"body"`
		IsBase64Encoded bool   `json:"isBase64Encoded"`
	}
	if err := json.Unmarshal(payload, &answer); err != nil {
		return 0, "", fmt.Errorf("read an answer: %w", err)
	}
	if answer.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(answer.Body)
		return answer.StatusCode, string(decoded), err
	}
	return answer.StatusCode, answer.Body, nil
}
