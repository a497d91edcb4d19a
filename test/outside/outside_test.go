// Package outside_test uses the public packages as another module does: the test that
// upstash/README.md shows, and a game server, are put into modules of their own and run.
package outside_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheUpstashReadmesTestRunsInAnotherModule(t *testing.T) {
	page, err := os.ReadFile("../../upstash/README.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```go\n(package yours_test\n.*?)```").FindSubmatch(page)
	require.NotNil(t, shown, "upstash/README.md shows no test of package yours_test")
	run := module(t, "yours_test.go", string(shown[1]))
	require.Contains(t, run("test", "-count=1", "-v", "./..."), "--- PASS: TestVisits")
}

const server = `package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/framedle/leaderboards/client"
)

func main() {
	api := httptest.NewServer(http.NotFoundHandler())
	defer api.Close()
	lb, err := client.New(client.Config{URL: api.URL, SigningKey: strings.Repeat("k", 32)})
	if err != nil {
		panic(err)
	}
	_, err = lb.Submit(context.Background(), client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800})
	var problem *client.Problem
	fmt.Println(errors.As(err, &problem), problem.Status)
}
`

// A game server takes the client along, and no other module with it.
func TestAGameServerBuildsWithTheClientAlone(t *testing.T) {
	run := module(t, "main.go", server)
	require.Contains(t, run("run", "."), "true 404\n")
	for path := range strings.FieldsSeq(run("list", "-deps", ".")) {
		first, _, outside := strings.Cut(path, "/")
		if outside && strings.Contains(first, ".") && path != "example.com/yours" {
			require.Equal(t, "github.com/framedle/leaderboards/client", path)
		}
	}
}

// module makes a module of one file that requires this one, and returns what runs go
// in it.
func module(t *testing.T, name, content string) (run func(args ...string) string) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	run = func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run("mod", "init", "example.com/yours")
	run("mod", "edit", "-require=github.com/framedle/leaderboards@v0.0.0", "-replace=github.com/framedle/leaderboards="+root)
	return run
}
