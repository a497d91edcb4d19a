//go:build !unix

package postgresd

import "syscall"

// supported says that servers can be started on this system: here Find finds
// none, since its signals and users are others.
const supported = false

type account struct{ other bool }

func accountFor(string) (account, error) { return account{}, nil }

func (account) own(string) error { return nil }

func (account) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
