package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"testing"

	"github.com/stretchr/testify/require"
)

func TestANameThatIsThereTwiceIsRefusedInDuels(t *testing.T) {
	s := apitest.NewStack(t)
	commands, _ := s.Spent(func() {
		for _, test := range []struct {
			call    apitest.Call
			pointer string
		}{
			{apitest.Post(apitest.DuelsPath, `{"players":["user_a","user_b"],"id":"d1","id":"d2"}`).Signed(), "/id"},
			{s.As("user_a", apitest.Post(apitest.DuelsPath+"/d1/result", `{"winner":"user_a","winner":"user_b"}`)), "/winner"},
		} {
			got := s.Faults(test.call)
			require.Equal(t, test.pointer, got[0].Pointer, "%s", test.call.Body)
			require.Contains(t, got[0].Detail, "duplicate key")
		}
	})
	require.Zero(t, commands)
}
