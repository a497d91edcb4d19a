package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/stretchr/testify/require"
)

// claimsADevice has a device play, and a player claim it.
func (d *drillProduct) claimsADevice() {
	d.Helper()
	var device struct{ Player, Token string }
	require.NoError(d, json.Unmarshal([]byte(d.must("nobody", http.MethodPost, "/v1/devices", "{}")), &device))
	if !d.outbox { // where submissions are archived, a device has its plays of open days until it is claimed again
		d.must(device.Token, http.MethodPost, "/v1/scores", `{"mode":"longest","score":777}`)
	}
	d.must("user_new", http.MethodPost, "/v1/me/claim", fmt.Sprintf(`{"device_token":%q}`, device.Token))
}
