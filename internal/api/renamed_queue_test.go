package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/apitest"
)

// A score that waited in the queue while its mode was renamed is written.
func TestAScoreThatWaitsWhileItsModeIsRenamedIsWritten(t *testing.T) {
	s := apitest.NewStack(t)
	waiting := &apitest.Pending{}
	s.Game = namedWord
	s.QueuesInto(waiting)
	s.Want(http.StatusAccepted, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"word","score":8}`)))
	s.Game = strings.Replace(s.Game, "word: {max: 100", "letters: {"+namedLetters, 1)
	s.Handler = s.Process()
	answer := s.Want(http.StatusAccepted, s.As("user_b", apitest.Post(apitest.Scores, `{"mode":"word","score":9}`)))
	require.Contains(t, string(answer.Body), `"mode":"letters"`)
	s.Want(http.StatusAccepted, s.As("user_c", apitest.Post(apitest.Scores, `{"mode":"letters","score":7}`)))
	require.Len(t, waiting.Messages, 3)
	s.IngestAll(waiting)
	require.Len(t, s.Page("/v1/leaderboards/letters").Entries, 3)
}
