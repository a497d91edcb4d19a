package redisd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/dev/child"
)

// mark is a file in every folder in which a server of this package keeps data. A process that
// runs a server on the folder holds a lock on it.
const mark = "redisd.lock"

// ErrInUse is returned if another server runs on the data directory.
var ErrInUse = child.ErrInUse

// claim makes dir if need be, and locks its mark. The lock lasts as long as any process has
// the file open. The server inherits the open file, so the lock holds while the server lives,
// even if its parent was killed. claim refuses a folder with data that no server of this
// package has kept: the server would overwrite it.
func claim(ctx context.Context, dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, mark)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		for _, name := range []string{"dump.rdb", "appendonlydir", "appendonly.aof"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return nil, fmt.Errorf("%s has %s, which is of a Redis that was not started here and would be overwritten: give an empty folder, or touch %s if it may be", dir, name, path)
			}
		}
	}
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := hold(ctx, lock); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

func hold(ctx context.Context, lock *os.File) error {
	giveUp := time.Now().Add(child.InUseWait)
	for {
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return fmt.Errorf("locking %s: %w", lock.Name(), err)
		case time.Now().After(giveUp):
			return fmt.Errorf("%w: %s", ErrInUse, filepath.Dir(lock.Name()))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
