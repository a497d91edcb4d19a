package api_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

func TestTheSignatureInTheGuideIsGood(t *testing.T) {
	text, err := os.ReadFile("../../docs/build/api.md")
	require.NoError(t, err)
	found := regexp.MustCompile("under the key `([^`]+)`, at the time (\\d+), `([A-Z]+)` to `([^`]+)` with the body `([^`]+)` has the signature `([0-9a-f]+)`").FindStringSubmatch(string(text))
	require.Len(t, found, 7)
	at, err := strconv.ParseInt(found[2], 10, 64)
	require.NoError(t, err)
	require.Equal(t, "t="+found[2]+",v2="+found[6], auth.SignRequest(found[1], time.Unix(at, 0), auth.Request{Method: found[3], Path: found[4], Body: []byte(found[5])}))
}
