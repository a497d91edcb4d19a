package upstashtest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func Example() {
	s, err := upstashtest.New(upstashtest.Options{Token: "secret"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	post := func(path, body string) {
		r, _ := http.NewRequest(http.MethodPost, s.URL()+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+s.Token())
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			fmt.Println("connection closed")
			return
		}
		defer resp.Body.Close()
		answer, _ := io.ReadAll(resp.Body)
		fmt.Println(resp.StatusCode, string(answer))
	}
	post("/", `["ZADD","board",800,"ana"]`)
	post("/pipeline", `[["ZADD","board",900,"bo"],["ZREVRANK","board","ana","WITHSCORE"]]`)
	// Output:
	// 200 {"result":1}
	// 200 [{"result":1},{"result":[1,"800"]}]
}

func ExampleServer_Inject() {
	s, err := upstashtest.New(upstashtest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	s.Inject(func(r upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{CutAfter: r.Commands[0][0] == "INCR"}
	})
	r, _ := http.NewRequest(http.MethodPost, s.URL(), strings.NewReader(`["INCR","n"]`))
	r.Header.Set("Authorization", "Bearer "+s.Token())
	_, err = http.DefaultClient.Do(r)
	fmt.Println("answer lost:", err != nil)
	n, _ := s.Redis().Do(context.Background(), "GET", "n")
	fmt.Println("effect:", n)
	// Output:
	// answer lost: true
	// effect: 1
}

// A test can ask what its code would have cost.
func ExampleServer_Usage() {
	s, err := upstashtest.New(upstashtest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	body := `[["ZADD","board",800,"ana",900,"bo"],["PING"],["EVAL","return redis.call('ZCARD', KEYS[1])",1,"board"]]`
	r, _ := http.NewRequest(http.MethodPost, s.URL()+"/pipeline", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.Token())
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	u, err := s.Usage(context.Background())
	fmt.Println(u.Commands, u.ByName, err)
	// Output: 3 map[eval:1 zadd:1 zcard:1] <nil>
}

// A subscriber reads server-sent events, the confirmation first.
func ExampleServer_subscribe() {
	s, err := upstashtest.New(upstashtest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	r, _ := http.NewRequest(http.MethodPost, s.URL()+"/subscribe/news", nil)
	r.Header.Set("Authorization", "Bearer "+s.Token())
	r.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Scan()
	fmt.Println(lines.Text())
	n, err := s.Redis().Do(context.Background(), "PUBLISH", "news", "hello")
	fmt.Println("heard by", n, err)
	lines.Scan() // the empty line between events
	lines.Scan()
	fmt.Println(lines.Text())
	// Output:
	// data: subscribe,news,1
	// heard by 1 <nil>
	// data: message,news,hello
}

// A month's commands, used up.
func ExamplePlan() {
	s, err := upstashtest.New(upstashtest.Options{Token: "T", Plan: &upstashtest.Plan{MonthlyCommands: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for range 2 {
		resp, err := http.Get(s.URL() + "/incr/n?_token=T")
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		fmt.Println(resp.StatusCode, string(answer))
	}
	// Output:
	// 200 {"result":1}
	// 400 {"error":"ERR max requests limit exceeded. Limit: 1, Usage: 1. See https://upstash.com/docs/redis/troubleshooting/max_requests_limit for details"}
}
