package functions_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

// folder is where tests of this package put the programs that they build.
var folder string

func TestMain(m *testing.M) { os.Exit(inFolder(m.Run)) }

func inFolder(run func() int) int {
	var err error
	if folder, err = os.MkdirTemp("", "functions-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	return run()
}

// programs has a function for each program that builds it once and returns its path.
var programs sync.Map

func built(t *testing.T, name string, build func(out string) error) string {
	t.Helper()
	out := filepath.Join(folder, strings.NewReplacer("/", "_", " ", "_").Replace(name))
	once, _ := programs.LoadOrStore(name, sync.OnceValue(func() error { return build(out) }))
	require.NoError(t, once.(func() error)())
	return out
}

// forLambda builds a function as Lambda runs it.
func forLambda(t *testing.T, name string) string {
	t.Helper()
	return built(t, "lambda "+name, func(out string) error {
		return lambdatest.Build(context.Background(), "..", "./functions/"+name, out)
	})
}

// forAnyHost builds a program as a host of containers runs it, with further arguments of
// go build.
func forAnyHost(t *testing.T, name string, more ...string) string {
	t.Helper()
	return built(t, strings.Join(append([]string{name}, more...), " "), func(out string) error {
		args := append([]string{"build", "-o", out}, more...)
		if said, err := exec.Command("go", append(args, "./"+name)...).CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", name, err, said)
		}
		return nil
	})
}
