package stage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/lab/stage"
)

func TestConnectionCommandsAreNotCounted(t *testing.T) {
	for name, want := range map[string]bool{"info": true, "config|resetstat": true, "client|setinfo": true, "hello": true, "ping": true,
		"zadd": false, "zrevrank": false, "script|load": false, "evalsha": false} {
		require.Equal(t, want, stage.Free(name), name)
	}
}
