package lambdatest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Build compiles the main package pkg (an import path or a folder such as
// ./functions/submit, seen from dir, or from the working directory when dir is
// empty) to the file out, for this machine and otherwise with the flags of a
// deployment.
func Build(ctx context.Context, dir, pkg, out string) error {
	cmd := exec.CommandContext(ctx, "go", "build",
		"-tags", "lambda.norpc,lambda", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", out, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=", "GOARCH=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, output)
	}
	return nil
}
