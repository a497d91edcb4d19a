package postgresd

import (
	"fmt"
	"syscall"
	"time"
)

// Each way to stop gets this long before the next, harsher one.
const stopTimeout = 10 * time.Second

// end stops a server in Postgres' fast way: transactions are rolled back and
// everything is written; then at once, with recovery at the next start; then by
// force.
func (p *process) end() error {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		if p.Ends(signal, stopTimeout) {
			return nil
		}
	}
	p.End()
	return fmt.Errorf("postgresd: process %d did not stop within %v and was killed", p.Pid, 2*stopTimeout)
}
