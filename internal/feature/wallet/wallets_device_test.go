package wallet_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhoIsBannedOrADeviceDoesNotSpend(t *testing.T) {
	s := apitest.NewEarningStack(t)
	device := s.Device()
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(device.Token))
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.WalletsPath).Bearer(device.Token)).Body), `"earned":20`)
	s.Want(http.StatusForbidden, apitest.Post(apitest.SpendPath, `{"amount":1}`).With("Idempotency-Key", "k").Bearer(device.Token))
	commands, _ := s.Spent(func() {
		p := s.Want(http.StatusBadRequest, apitest.Post(apitest.SpendPath, fmt.Sprintf(`{"player":%q,"amount":1}`, device.Player)).With("Idempotency-Key", "k").Signed()).Problem(t, "invalid-request")
		require.Equal(t, "/player", p.Errors[0].Pointer)
	})
	require.Zero(t, commands)

	s.Play("user_a", "longest", "5")
	s.Want(http.StatusOK, s.As("user_a", s.Claim(device)))
	require.Contains(t, string(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath))).Body), `"earned":25`, "a device's owner has what it has earned")

	s.Want(http.StatusOK, operatorCall(apitest.Put("/v1/ops/bans/user_a", `{"reason":"a script"}`)))
	s.Want(http.StatusForbidden, s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":1}`)).With("Idempotency-Key", "k")).Problem(t, "banned")
}
