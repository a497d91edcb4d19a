package host_test

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/framedle/leaderboards/internal/platform/host"
)

func ExampleAdapter() {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s", r.URL.Path[1:])
	})
	event := `{"version":"2.0","rawPath":"/ana","requestContext":{"requestId":"r-1","http":{"method":"GET"}}}`
	answer, err := host.Adapter(hello, io.Discard).Invoke(context.Background(), []byte(event))
	fmt.Println(string(answer), err)
	// Output: {"statusCode":200,"headers":{"Content-Length":"9","Content-Type":"text/plain; charset=utf-8","X-Content-Type-Options":"nosniff","X-Request-Id":"r-1"},"body":"hello ana","isBase64Encoded":false} <nil>
}

func ExampleRun() {
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	if err := host.Run(context.Background(), hello, nil); err != nil {
		fmt.Println(err)
	}
}
