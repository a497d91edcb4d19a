//go:build !linux

package child

import (
	"os/exec"
	"syscall"
)

// launch starts the child. Without a parent-death signal on this platform, a
// killed parent leaves it running; to be stopped is its only end.
func launch(cmd *exec.Cmd, _ syscall.Signal, ended func(error)) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { ended(cmd.Wait()) }()
	return nil
}
