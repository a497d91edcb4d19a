// Command raw speaks the runtime API by hand, rightly or wrongly as its argument
// in MODE says, so that tests can see the server's side of every call.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const version = "/2018-06-01/runtime/"

var base = "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + version

func main() {
	fmt.Println("standard output")
	mode := os.Getenv("MODE")
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(4)
	case "init":
		post("init/error", `{"errorType":"NoKey","errorMessage":"SIGNING_KEYS is empty"}`)
		time.Sleep(time.Hour)
	case "mute":
		time.Sleep(time.Hour)
	}
	for {
		id, header, event := next()
		answer := "invocation/" + id + "/"
		switch mode {
		case "echo":
			post(answer+"response", event)
		case "headers":
			seen, _ := json.Marshal([]string{
				header.Get("Lambda-Runtime-Deadline-Ms"), header.Get("Lambda-Runtime-Invoked-Function-Arn"),
				header.Get("Lambda-Runtime-Trace-Id"), os.Getenv("AWS_LAMBDA_FUNCTION_NAME"), os.Getenv("HOME"),
			})
			post(answer+"response", string(seen))
		case "error":
			post(answer+"error", `{"errorType":"Oops","errorMessage":"went wrong"}`)
		case "garbage":
			post(answer+"error", `not JSON`)
		case "twice":
			post(answer+"response", `1`)
			fmt.Fprintln(os.Stderr, "again", post(answer+"response", `2`))
			fmt.Fprintln(os.Stderr, "unknown", post("invocation/none/error", `{}`))
			fmt.Fprintln(os.Stderr, "path", post("invocation/none/no", `{}`))
		case "large":
			fmt.Fprintln(os.Stderr, "large", post(answer+"response", strings.Repeat("x", 6<<20+1)))
		case "die":
			os.Exit(5)
		case "hang":
			time.Sleep(time.Hour)
		}
	}
}

func next() (id string, header http.Header, event string) {
	res, err := http.Get(base + "invocation/next")
	if err != nil {
		os.Exit(1)
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	return res.Header.Get("Lambda-Runtime-Aws-Request-Id"), res.Header, string(body)
}

func post(path, body string) int {
	res, err := http.Post(base+path, "application/json", bytes.NewBufferString(body))
	if err != nil {
		os.Exit(1)
	}
	_ = res.Body.Close()
	return res.StatusCode
}
