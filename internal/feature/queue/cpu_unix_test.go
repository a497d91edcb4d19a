//go:build unix

package queue_test

import (
	"context"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cpu is the time that this process, with the REST server in it, and Redis have
// spent. On a machine that others use it says more than the clock does.
func (k *kit) cpu(tb testing.TB) (own, redis time.Duration) {
	tb.Helper()
	var usage syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	info, err := k.Server.Redis().Do(context.Background(), "INFO", "cpu")
	require.NoError(tb, err)
	for _, match := range regexp.MustCompile(`used_cpu_(?:sys|user):([0-9.]+)`).FindAllStringSubmatch(info.(string), -1) {
		seconds, err := strconv.ParseFloat(match[1], 64)
		require.NoError(tb, err)
		redis += time.Duration(seconds * float64(time.Second))
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), redis
}
