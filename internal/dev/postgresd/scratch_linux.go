package postgresd

import (
	"os"
	"syscall"
)

const (
	memoryDir  = "/dev/shm"
	roomy      = 4 << 30    // bytes: tests fill a cluster with some hundred MB
	tmpfsMagic = 0x01021994 // TMPFS_MAGIC of linux/magic.h
)

// scratchParent is where temporary directories go: into memory where there is
// plenty, unless $TMPDIR says otherwise. On a busy disk a server takes twice as
// long to make, and a copy of a database ten times.
func scratchParent() string {
	var s syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(memoryDir, &s) != nil || s.Type != tmpfsMagic {
		return ""
	}
	if s.Bavail*uint64(s.Bsize) < roomy {
		return ""
	}
	return memoryDir
}
