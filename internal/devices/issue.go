package devices

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/problem"
)

// deviceAnswer is what a device has to store.
type deviceAnswer struct {
	Player string `json:"player"`
	Token  string `json:"token"`
}

// issuing is the endpoint that makes anonymous players.
type issuing struct {
	gate   *gate.Keeper
	tokens Tokens
}

// postDevice makes an anonymous player, or renews the token of one: POST /v1/devices.
func (i issuing) postDevice(w http.ResponseWriter, r *gate.Request) error {
	if err := cmp.Or(fields.OpenQuery(r.URL).Done(), fields.Open(r.Sent, "").Done()); err != nil {
		return err
	}
	status, device := http.StatusOK, auth.Device{}
	if strings.TrimSpace(r.Header.Get("Authorization")) != "" {
		var err error
		if device, err = i.renewDevice(r); err != nil {
			return err
		}
	}
	if err := i.gate.Count(w, r); err != nil {
		return err
	}
	if device.ID == "" {
		var err error
		status = http.StatusCreated
		if device, err = i.tokens.Issue(rand.Reader); err != nil {
			return err
		}
	}
	return answers.JSON(w, r.Request, status, deviceAnswer{device.ID, device.Token})
}

// renewDevice gives a device the token to use from now on.
func (i issuing) renewDevice(r *gate.Request) (auth.Device, error) {
	player, err := i.gate.Anyone(r.Request)
	if err != nil {
		return auth.Device{}, err
	}
	if !auth.IsDevice(player.ID) {
		return auth.Device{}, problem.Forbidden("who has signed in needs no device token")
	}
	token, _ := auth.Bearer(r.Header.Get("Authorization"))
	return i.tokens.Verify(token)
}
