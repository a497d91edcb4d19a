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
	const megabyte = 1e6
	for name, most := range map[string]float64{
		"submit": 12 * megabyte, "enqueue": 12 * megabyte, "events": 12 * megabyte, "ingest": 12 * megabyte,
	} {
		t.Run(name, func(t *testing.T) {
			program, err := os.Stat(forLambda(t, name))
			require.NoError(t, err)
			require.LessOrEqual(t, float64(program.Size()), most, "see what is new: go tool nm -size -sort size")
		})
	}
}
