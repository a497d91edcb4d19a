package child

import (
	"os/exec"
	"runtime"
	"syscall"
)

// launch starts the child so that the kernel signals it when this process ends.
// The parent-death signal is bound to the starting thread, not to the process,
// so one goroutine keeps its thread until the child is gone.
func launch(cmd *exec.Cmd, lastWords syscall.Signal, ended func(error)) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = lastWords
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended(cmd.Wait())
		}
	}()
	return <-started
}
