package api_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/auth"
)

func TestEveryKindOfProblemIsExplained(t *testing.T) {
	text, err := os.ReadFile("../../docs/problems.md")
	require.NoError(t, err)
	var explained, kinds []string
	for _, heading := range regexp.MustCompile(`(?m)^## ([a-z-]+)$`).FindAllStringSubmatch(string(text), -1) {
		explained = append(explained, heading[1])
	}
	for kind, title := range api.ProblemTitles() {
		kinds = append(kinds, kind)
		require.NotEmpty(t, title)
	}
	require.ElementsMatch(t, kinds, explained)
}

func TestTheSignatureInTheGuideIsGood(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	found := regexp.MustCompile("under the key `([^`]+)`, at the time (\\d+), `([A-Z]+)` to `([^`]+)` with the body `([^`]+)` has the signature `([0-9a-f]+)`").FindStringSubmatch(string(text))
	require.Len(t, found, 7)
	at, err := strconv.ParseInt(found[2], 10, 64)
	require.NoError(t, err)
	require.Equal(t, "t="+found[2]+",v2="+found[6], auth.SignRequest(found[1], time.Unix(at, 0), auth.Request{Method: found[3], Path: found[4], Body: []byte(found[5])}))
}

// Links into the explanation must have the form that a heading's anchor has.
func TestProblemTypesAreAnchors(t *testing.T) {
	require.Regexp(t, `^https://[^#]+/docs/problems\.md#$`, api.ProblemBase)
}
