package device

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// deviceAnswer is what a device has to store.
type deviceAnswer struct {
	Player string `json:"player"`
	Token  string `json:"token"`
}

// PostDevice makes an anonymous player, or renews the token of one: POST /v1/devices.
func (e Endpoints) PostDevice(w http.ResponseWriter, r *gate.Request) error {
	if err := decode.Open(r.Sent, "").Done(); err != nil {
		return err
	}
	status, device := http.StatusOK, auth.Device{}
	if strings.TrimSpace(r.Header.Get("Authorization")) != "" {
		var err error
		if device, err = e.renewDevice(r); err != nil {
			return err
		}
	}
	if err := e.Gate.Count(w, r); err != nil {
		return err
	}
	if device.ID == "" {
		var err error
		status = http.StatusCreated
		if device, err = e.Tokens.Issue(rand.Reader); err != nil {
			return err
		}
	}
	return respond.JSON(w, r.Request, status, deviceAnswer{device.ID, device.Token})
}

// renewDevice gives a device the token to use from now on.
func (e Endpoints) renewDevice(r *gate.Request) (auth.Device, error) {
	player, err := e.Gate.Anyone(r.Request)
	if err != nil {
		return auth.Device{}, err
	}
	if !auth.IsDevice(player.ID) {
		return auth.Device{}, problem.Forbidden("signed-in players don't need a device token")
	}
	token, _ := auth.Bearer(r.Header.Get("Authorization"))
	return e.Tokens.Verify(token)
}
