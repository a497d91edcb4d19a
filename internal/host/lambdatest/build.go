package lambdatest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Tags are those that functions for Lambda are built with; the Makefile has them too.
// aws-lambda-go leaves out the RPC of a retired runtime, the product what Lambda has no
// use for, and net/http the HTTP/2 that a function speaks with nobody.
const Tags = "lambda.norpc,lambda,nethttpomithttp2"

const (
	// Threads is how many threads of Go template.yaml has in a function.
	Threads = "GOMAXPROCS=1"
	// AllThreads has as many as there are processors, as in a function of anybody's.
	AllThreads = "GOMAXPROCS="
)

// Build compiles the main package pkg (an import path or a folder such as
// ./functions/submit, seen from dir, or from the working directory when dir is
// empty) to the file out, for this machine and otherwise with the flags of a
// deployment to Lambda.
func Build(ctx context.Context, dir, pkg, out string) error {
	return build(ctx, dir, pkg, out, Tags)
}

// BuildAnywhere is Build for a program that serves plain HTTP too, as it is built for
// hosts other than Lambda.
func BuildAnywhere(ctx context.Context, dir, pkg, out string) error {
	return build(ctx, dir, pkg, out, "lambda.norpc")
}

func build(ctx context.Context, dir, pkg, out, tags string) error {
	cmd := exec.CommandContext(ctx, "go", "build",
		"-tags", tags, "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", out, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=", "GOARCH=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, output)
	}
	return nil
}
