package upstashtest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/upstash/upstashtest"
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
