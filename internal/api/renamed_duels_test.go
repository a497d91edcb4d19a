package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"

	"github.com/stretchr/testify/require"
)

// aboutDuels asks for all that shows duels.
func aboutDuels(s *apitest.Stack) []apitest.Call {
	return []apitest.Call{
		apitest.Get("/v1/leaderboards/duels"),
		s.As("user_1", apitest.Get(apitest.DuelsPath)), s.As("user_1", apitest.Get(apitest.DuelsPath+"/match")),
	}
}

func wordHasDuels(s *apitest.Stack) {
	s.Want(http.StatusCreated, apitest.Post(apitest.DuelsPath, `{"id":"match","players":["user_1","user_2"],"mode":"word"}`).Signed())
	s.Want(http.StatusOK, s.As("user_1", apitest.Post(apitest.QueuePath, `{"mode":"word"}`)))
}

// lettersHaveDuels requires that duels of both names wait in one queue.
func lettersHaveDuels(s *apitest.Stack) {
	met := s.Want(http.StatusOK, s.As("user_2", apitest.Post(apitest.QueuePath, `{"mode":"letters"}`)))
	require.Contains(s, string(met.Body), `"status":"ready"`)
	require.Contains(s, string(met.Body), `"mode":"letters"`)
	left := s.Want(http.StatusOK, s.As("user_2", apitest.Call{Method: http.MethodDelete, Target: apitest.QueuePath + "?mode=word"}))
	require.JSONEq(s, `{"status":"left","mode":"letters"}`, string(left.Body))
}
