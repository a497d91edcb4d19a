package redisd

import (
	"runtime"
	"syscall"
)

const terminate = syscall.SIGTERM

// launch starts the child so that the kernel ends it with this process. The
// parent-death signal is bound to the starting thread, not to the process, so
// one goroutine keeps its thread until the child is gone.
func (s *Server) launch() error {
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := s.cmd.Start()
		started <- err
		if err == nil {
			s.waitErr = s.cmd.Wait()
			close(s.exited)
		}
	}()
	return <-started
}
