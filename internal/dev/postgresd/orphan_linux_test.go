package postgresd_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
)

// parentOf makes this test binary play a parent that is killed: it starts a
// server on the directory, prints its address and waits for the end.
const parentOf = "POSTGRESD_TEST_PARENT_OF"

func TestMain(m *testing.M) {
	dir, parent := os.LookupEnv(parentOf)
	if !parent {
		os.Exit(m.Run())
	}
	s, err := postgresd.Start(context.Background(), postgresd.Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.Addr())
	select {}
}

// killedParent runs and kills a parent, and tells where its server was.
func killedParent(t *testing.T, dir string, env ...string) (addr string) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	parent := exec.CommandContext(t.Context(), exe)
	parent.Env = append(append(os.Environ(), parentOf+"="+dir), env...)
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	addr, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	addr = strings.TrimSpace(addr)
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err, addr)
	require.NoError(t, c.Close())
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	return addr
}

func TestAServerEndsWithItsKilledParent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	addr := killedParent(t, dir)
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, time.Minute, 10*time.Millisecond)
}

func TestTheNextStartNeedNotWaitForTheEndOfAKilledParent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	killedParent(t, dir)
	s := start(t, postgresd.Options{Dir: dir})
	require.Equal(t, "1", ask(t, s, "SELECT '1'"))
}

func TestAKilledParentLeavesNoTemporaryFolder(t *testing.T) {
	parent := t.TempDir()
	killedParent(t, "", "TMPDIR="+parent)
	require.Eventually(t, func() bool {
		left, err := os.ReadDir(parent)
		return err == nil && len(left) == 0
	}, time.Minute, 10*time.Millisecond)
}
