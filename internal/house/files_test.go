package house_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only operators use files of closed boards, so no function and not the local product
// links the code for Parquet and for buckets.
func TestNoFunctionLinksParquet(t *testing.T) {
	deps := func(pattern string) string {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", pattern)
		list.Dir = "../.."
		out, err := list.Output()
		require.NoError(t, err)
		return string(out)
	}
	const parquet, bucket = "github.com/parquet-go/parquet-go", "github.com/aws/aws-sdk-go-v2/service/s3\n"
	require.Contains(t, deps("./cmd/lbctl"), parquet)
	require.Contains(t, deps("./cmd/lbctl"), bucket)
	for _, pattern := range []string{"./functions/...", "./cmd/local"} {
		all := deps(pattern)
		require.NotContains(t, all, parquet, pattern)
		require.NotContains(t, all, bucket, pattern)
		for _, own := range []string{"feature/coldstorage", "feature/backup"} {
			require.False(t, strings.Contains(all, "/internal/"+own+"\n"), "%s links %s", pattern, own)
		}
	}
}

// Other programs use the clients, so these bring nothing along: only the standard library and
// this module.
func TestTheClientsNeedTheStandardLibraryAlone(t *testing.T) {
	for _, client := range []string{"./client/...", "./upstash"} {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", client)
		list.Dir = "../.."
		out, err := list.Output()
		require.NoError(t, err)
		require.NotEmpty(t, out)
		for dep := range strings.FieldsSeq(string(out)) {
			require.True(t, strings.HasPrefix(dep, "github.com/framedle/leaderboards/"), "%s needs %s", client, dep)
		}
	}
}
