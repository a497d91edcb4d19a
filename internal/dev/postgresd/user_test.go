//go:build unix

package postgresd_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
)

func TestTheServerRunsAsAnybodyButRoot(t *testing.T) {
	dir := t.TempDir() // below a folder that no other user may enter
	start(t, postgresd.Options{Dir: dir, NoSync: true})
	made, err := os.Stat(filepath.Join(dir, "cluster", "PG_VERSION"))
	require.NoError(t, err)
	if os.Geteuid() == 0 {
		require.NotZero(t, made.Sys().(*syscall.Stat_t).Uid)
	} else {
		require.EqualValues(t, os.Geteuid(), made.Sys().(*syscall.Stat_t).Uid)
	}
}
