package local_test

import (
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/apitest"
)

// claimsADevice has a player claim two: one that has played and one that has not.
func (a *all) claimsADevice(x string) {
	a.t.Helper()
	for _, mode := range []string{"daily", ""} {
		device := a.device()
		if mode != "" {
			a.with(device, "POST", "/v1/scores", `{"mode":"daily","score":3,"details":{"by":"device"}}`)
		}
		a.as(x, "POST", "/v1/me/claim", `{"device_token":"`+device+`"}`)
	}
}

func (a *all) device() string {
	a.t.Helper()
	status, answer := a.do("POST", apitest.DevicesPath, "", nil)
	require.Equal(a.t, 201, status, answer)
	a.devices = append(a.devices, answer["player"].(string))
	return answer["token"].(string)
}
