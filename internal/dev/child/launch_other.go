//go:build !linux

package child

import (
	"os/exec"
	"syscall"
)

// launch starts the child. This platform has no parent-death signal: if the parent is killed,
// the child runs until somebody stops it.
func launch(cmd *exec.Cmd, _ syscall.Signal, ended func(error)) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { ended(cmd.Wait()) }()
	return nil
}
