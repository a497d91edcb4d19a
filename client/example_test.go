package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/framedle/leaderboards/client"
)

// product stands in for a deployment.
func product(answer func(r *http.Request, body string) (int, string)) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status, text := answer(r, string(body))
		say(w, status, text)
	}))
}

func Example() {
	deployment := product(func(*http.Request, string) (int, string) { return http.StatusCreated, acceptedScore })
	defer deployment.Close()

	lb, err := client.New(client.Config{
		URL:        deployment.URL, // https://api.example.com
		SigningKey: strings.Repeat("k", 32),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer lb.Close()
	result, err := lb.Submit(context.Background(), client.Submission{
		Mode: "daily_frame", Player: "user_ana", Score: 800, Country: "BR", Details: map[string]any{"guesses": 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Player, result.Status, "rank", result.Rank)
	// Output: user_ana accepted rank 1
}

func ExampleClient_SubmitBatch() {
	deployment := product(func(*http.Request, string) (int, string) {
		return http.StatusOK, `{"results":[` + acceptedScore + `,{"problem":{"code":"score-out-of-bounds","title":"Score out of bounds","status":422,"detail":"-1 is outside the bounds; use 0 to 1000"}}]}`
	})
	defer deployment.Close()
	lb, err := client.New(client.Config{URL: deployment.URL, SigningKey: strings.Repeat("k", 32)})
	if err != nil {
		log.Fatal(err)
	}
	defer lb.Close()

	results, err := lb.SubmitBatch(context.Background(), client.Batch{Scores: []client.Submission{
		{Mode: "daily_frame", Player: "user_ana", Score: 800},
		{Mode: "daily_frame", Player: "user_bo", Score: -1},
	}})
	if err != nil {
		log.Fatal(err) // none of them, as far as anybody knows: send the same batch again
	}
	for _, r := range results {
		if r.Problem != nil {
			fmt.Println(r.Problem.Detail)
			continue
		}
		fmt.Println(r.Player, r.Status)
	}
	// Output:
	// user_ana accepted
	// -1 is outside the bounds; use 0 to 1000
}

func ExampleClient_Entries() {
	deployment := product(func(r *http.Request, _ string) (int, string) {
		if r.URL.Query().Get("cursor") == "" {
			return http.StatusOK, `{"total":2,"entries":[{"rank":1,"player":"user_ana","score":800}],"next_cursor":"c"}`
		}
		return http.StatusOK, `{"total":2,"entries":[{"rank":2,"player":"user_bo","score":600}]}`
	})
	defer deployment.Close()
	lb, err := client.New(client.Config{URL: deployment.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer lb.Close()

	for entry, err := range lb.Entries(context.Background(), client.Board{Mode: "daily_frame", Period: "week"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.Rank, entry.Player, entry.Score)
	}
	// Output:
	// 1 user_ana 800
	// 2 user_bo 600
}

func ExampleProblem() {
	deployment := product(func(*http.Request, string) (int, string) {
		return http.StatusUnprocessableEntity, `{"code":"date-closed","title":"The date is not open","status":422,"detail":"2026-11-01 is closed","open_dates":["2026-11-21"]}`
	})
	defer deployment.Close()
	lb, err := client.New(client.Config{URL: deployment.URL, SigningKey: strings.Repeat("k", 32)})
	if err != nil {
		log.Fatal(err)
	}
	defer lb.Close()

	_, err = lb.Submit(context.Background(), client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800, Date: "2026-11-01"})
	var problem *client.Problem
	if errors.As(err, &problem) && problem.Code == client.CodeDateClosed {
		fmt.Println("open:", problem.OpenDates)
	}
	// Output: open: [2026-11-21]
}

func ExampleOps_Ban() {
	deployment := product(func(r *http.Request, body string) (int, string) {
		fmt.Println(r.Method, r.URL.Path, body)
		return http.StatusOK, `{"player":"user_x","boards":12,"results":2,"left":[]}`
	})
	defer deployment.Close()
	lb, err := client.New(client.Config{URL: deployment.URL, OpsToken: "ops-token"})
	if err != nil {
		log.Fatal(err)
	}
	defer lb.Close()

	removed, err := lb.Ops().Ban(context.Background(), "user_x", "plays with a script")
	fmt.Println(removed.Boards, err)
	// Output:
	// PUT /v1/ops/bans/user_x {"reason":"plays with a script"}
	// 12 <nil>
}
