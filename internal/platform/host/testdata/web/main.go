// Command web is a bootstrap for tests: it answers what it was asked, and fails in
// the ways its paths name.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/framedle/leaderboards/internal/platform/host"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/", echo)
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic("secret of the handler") })
	mux.HandleFunc("/exit", func(http.ResponseWriter, *http.Request) { os.Exit(3) })
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/binary", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0xff, 0, 0xfe}) })
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), 7<<20)) })
	ctx := context.Background()
	ending := host.ExpectEnding(ctx).Then(func() { fmt.Fprintln(os.Stderr, "told that it ends") })
	if err := host.Run(ctx, mux, ending); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, deadline := r.Context().Deadline()
	http.SetCookie(w, &http.Cookie{Name: "a", Value: "1"})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"method": r.Method, "path": r.URL.EscapedPath(), "query": r.URL.RawQuery, "host": r.Host,
		"remote": r.RemoteAddr, "id": r.Header.Get("X-Request-Id"), "body": string(body), "deadline": deadline,
	})
}
