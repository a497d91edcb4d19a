package lambdatest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Tags are the build tags of functions; the Makefile has the same. With them aws-lambda-go
// leaves out the RPC of a retired runtime, and net/http leaves out HTTP/2, which functions do
// not speak.
const Tags = "lambda.norpc,nethttpomithttp2"

const (
	// Threads sets the number of Go threads that template.yaml gives a function.
	Threads = "GOMAXPROCS=1"
	// AllThreads sets no number: as many threads as processors, Go's default.
	AllThreads = "GOMAXPROCS="
)

// Build compiles the main package pkg to the file out, for this machine but otherwise with
// the flags of a deployment. pkg is an import path or a folder such as
// ./functions/submit, relative to dir, or to the working directory if dir is empty.
func Build(ctx context.Context, dir, pkg, out string) error {
	cmd := exec.CommandContext(ctx, "go", "build",
		"-tags", Tags, "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", out, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=", "GOARCH=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, output)
	}
	return nil
}
