package functions_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Functions that only write to Redis link no driver for Postgres, and stay small: each start
// loads the program.
func TestFunctionsAreSmall(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return // elsewhere programs have another format and size; for arm64 they are smaller
	}
	const most = 12 << 20 // as scripts/test.sh asserts for arm64, which is deployed: there they are a twelfth smaller
	for _, name := range takers {
		t.Run(name, func(t *testing.T) {
			program, err := os.Stat(forLambda(t, name))
			require.NoError(t, err)
			require.LessOrEqual(t, program.Size(), int64(most), "see what is new: go tool nm -size -sort size")
		})
	}
}
