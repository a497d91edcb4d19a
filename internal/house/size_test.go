package house_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Built programs stay out of the repository, which everybody downloads whole.
func TestNoFileIsLarge(t *testing.T) {
	const most = 1 << 20
	for _, name := range tracked(t) {
		info, err := os.Stat(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), int64(most), name)
	}
}
