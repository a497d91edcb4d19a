//go:build unix

package postgresd

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// supported says that this system can start servers.
const supported = true

// account is the user that the server runs as. The zero account is the one that
// this process runs as.
type account struct {
	other    bool
	uid, gid uint32
}

// accountFor chooses the user for a directory: Postgres refuses to run as root,
// so root hands it to the directory's owner, or to nobody where that is root.
func accountFor(dir string) (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return account{}, fmt.Errorf("postgresd: data directory: %w", err)
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
		return account{true, owner.Uid, owner.Gid}, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return account{}, fmt.Errorf("postgresd: Postgres does not run as root, and there is no user nobody to run it as: %w", err)
	}
	uid, uidErr := strconv.ParseInt(nobody.Uid, 10, 64)
	gid, gidErr := strconv.ParseInt(nobody.Gid, 10, 64)
	if uidErr != nil || gidErr != nil {
		return account{}, fmt.Errorf("postgresd: the user nobody has the ids %s and %s: want numbers", nobody.Uid, nobody.Gid)
	}
	return account{true, uint32(uid), uint32(gid)}, nil // macOS writes -2
}

// own hands a file or folder to the account.
func (a account) own(path string) error {
	if !a.other {
		return nil
	}
	if err := os.Lchown(path, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("postgresd: handing %s to the server's user: %w", path, err)
	}
	return nil
}

// attributes make a process run as the account, in a process group of its own: otherwise an
// interrupt from the terminal would also end the server, which this process still needs in
// order to stop it properly.
func (a account) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if a.other {
		attributes.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attributes
}
