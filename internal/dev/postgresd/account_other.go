//go:build !unix

package postgresd

import "syscall"

// supported says that this system can start servers. It cannot, so Find finds none: signals
// and users work differently here.
const supported = false

type account struct{ other bool }

func accountFor(string) (account, error) { return account{}, nil }

func (account) own(string) error { return nil }

func (account) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
