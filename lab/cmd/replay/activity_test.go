package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessagesAreReplayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "messages.txt")
	require.NoError(t, os.WriteFile(path, []byte("1 2 1082008561\n2 1 1082095000\n3 1 1082095001\n"), 0o600))
	status, stdout, stderr := play(t, "activity", "-again", "0", path)
	require.Equal(t, statusRight, status, stderr)
	require.Contains(t, stdout, "3 events, told 3 times")
	require.Contains(t, stdout, "every pillar, streak and week is the model's")
}
