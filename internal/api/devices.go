package api

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
)

// Devices makes anonymous players, and verifies their tokens.
type Devices interface {
	Issue(random io.Reader) (auth.Device, error)
	Verify(token string) (auth.Device, error)
}

// claimFresh is how old a process lets become what it knows of whether a device
// has been claimed: as long as this a device that was claimed elsewhere may
// still play here.
const claimFresh = 10 * time.Minute

// deviceAnswer is what a device has to keep.
type deviceAnswer struct {
	Player string `json:"player"`
	Token  string `json:"token"`
}

// takesDevices reports whether devices may play this game here.
func (a *API) takesDevices() bool { return a.Game.Anonymous && a.Devices != nil }

// postDevice makes an anonymous player, or renews the token of one: POST /v1/devices.
func (m me) postDevice(w http.ResponseWriter, r *request) error {
	if err := joined(newQuery(r).done(), object(r.body, "").done()); err != nil {
		return err
	}
	status, device := http.StatusOK, auth.Device{}
	if strings.TrimSpace(r.Header.Get("Authorization")) != "" {
		var err error
		if device, err = m.renewDevice(r); err != nil {
			return err
		}
	}
	if _, err := m.count(w, r, m.counted(r)); err != nil {
		return err
	}
	if device.ID == "" {
		var err error
		status = http.StatusCreated
		if device, err = m.Devices.Issue(rand.Reader); err != nil {
			return err
		}
	}
	return writeJSON(w, r, status, "no-store", deviceAnswer{device.ID, device.Token})
}

// renewDevice gives a device the token that it should keep from now on.
func (m me) renewDevice(r *request) (auth.Device, error) {
	player, err := m.authenticateAnyone(r.Request)
	if err != nil {
		return auth.Device{}, err
	}
	if !auth.IsDevice(player.ID) {
		return auth.Device{}, forbidden("who has signed in needs no device token")
	}
	token, _ := auth.Bearer(r.Header.Get("Authorization"))
	return m.Devices.Verify(token)
}

// checkDevice refuses a device that somebody has claimed.
//
// Cost: 1 billed command in 1 round trip, at most every 10 minutes for a device.
func (a *API) checkDevice(ctx context.Context, who caller) error {
	if !who.isDevice() {
		return nil
	}
	now := a.Now()
	seen, known := a.devices.Get(who.player.ID)
	if known && (seen.claimed || now.Sub(seen.at) < claimFresh && !now.Before(seen.at)) {
		return seen.refusal()
	}
	claimed, err := a.Store.Repair.IsClaimed(ctx, who.player.ID)
	if err != nil {
		return err
	}
	seen = deviceState{claimed, now}
	a.devices.Add(who.player.ID, seen)
	return seen.refusal()
}

// deviceState is what a process knows of a device. A claim is for ever.
type deviceState struct {
	claimed bool
	at      time.Time
}

func (s deviceState) refusal() error {
	if !s.claimed {
		return nil
	}
	return deviceClaimed()
}
