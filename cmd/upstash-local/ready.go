package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// ready prints how to reach a server that is listening.
type ready func(io.Writer, *upstashtest.Server, upstashtest.Options) error

func readyFrom(name string) (ready, error) {
	switch name {
	case "text":
		return readyText, nil
	case "json":
		return readyJSON, nil
	}
	return nil, fmt.Errorf("-ready %q is unknown; want text or json", name)
}

func readyText(out io.Writer, s *upstashtest.Server, o upstashtest.Options) error {
	_, err := fmt.Fprintf(out, `Local Upstash Redis over %[1]s engine at %[2]s. Reach it with
  export UPSTASH_REDIS_REST_URL=%[2]s
  export UPSTASH_REDIS_REST_TOKEN=%[3]s
  curl -H "Authorization: Bearer $UPSTASH_REDIS_REST_TOKEN" $UPSTASH_REDIS_REST_URL/ping
What it would have cost: the same with /usage.
`, kind(o), s.URL(), s.Token())
	return err
}

// kind describes the engine without the URL, which may contain a password.
func kind(o upstashtest.Options) string {
	if o.Redis == "" {
		return "an embedded"
	}
	return "a given"
}

// readyLine has the field names of @upstash/redis, so that a program can pass the whole
// line to its constructor.
type readyLine struct {
	URL           string `json:"url"`
	Token         string `json:"token"`
	ReadOnlyToken string `json:"read_only_token,omitempty"`
}

// readyJSON prints one line and nothing after it, so that a program that reads a line has
// everything.
func readyJSON(out io.Writer, s *upstashtest.Server, o upstashtest.Options) error {
	return json.NewEncoder(out).Encode(readyLine{s.URL(), s.Token(), o.ReadOnlyToken})
}
