package play_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPlayThatWasHeldEarnsOnceItPasses(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game += apitest.TypedMode + "currencies: {coins: {typed: 4}}\n"
	s.Handler = s.Process()
	earned := func(coins int) {
		t.Helper()
		require.Contains(t, s.Wallet("user_a"), fmt.Sprintf(`"earned":%d,`, coins))
	}
	passes, drops := s.Waiting("user_a"), s.Waiting("user_a")
	earned(0)
	s.Want(http.StatusOK, apitest.Put(apitest.OpsHeld+"/"+passes, "").Bearer(apitest.OpsToken))
	earned(4)
	s.Want(http.StatusNoContent, apitest.Remove(apitest.OpsHeld+"/"+drops, "").Bearer(apitest.OpsToken))
	earned(4)
	s.Want(http.StatusOK, s.As("user_a", s.Typing("user_a", human)))
	earned(8)
}
