//go:build !linux

package redisd

import "os"

// os.Interrupt is the one polite signal that every other platform has.
var terminate = os.Interrupt

// launch starts the child. Without a parent-death signal on this platform, a
// killed parent leaves it running; Stop is the only end.
func (s *Server) launch() error {
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go func() {
		s.waitErr = s.cmd.Wait()
		close(s.exited)
	}()
	return nil
}
