package api

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/problem"
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

// devices are the endpoints of anonymous players.
type devices struct {
	kernel
	tokens   Devices
	claims   Claims
	claimed  claimedDevices
	profiles ProfileKeeper
	history  ProfileHistory // nil: none
}

// postDevice makes an anonymous player, or renews the token of one: POST /v1/devices.
func (d devices) postDevice(w http.ResponseWriter, r *gate.Request) error {
	if err := fields.First(fields.OpenQuery(r.URL).Done(), fields.Open(r.Sent, "").Done()); err != nil {
		return err
	}
	status, device := http.StatusOK, auth.Device{}
	if strings.TrimSpace(r.Header.Get("Authorization")) != "" {
		var err error
		if device, err = d.renewDevice(r); err != nil {
			return err
		}
	}
	if err := d.gate.Count(w, r); err != nil {
		return err
	}
	if device.ID == "" {
		var err error
		status = http.StatusCreated
		if device, err = d.tokens.Issue(rand.Reader); err != nil {
			return err
		}
	}
	return answers.JSON(w, r.Request, status, deviceAnswer{device.ID, device.Token})
}

// renewDevice gives a device the token that it should keep from now on.
func (d devices) renewDevice(r *gate.Request) (auth.Device, error) {
	player, err := d.gate.Anyone(r.Request)
	if err != nil {
		return auth.Device{}, err
	}
	if !auth.IsDevice(player.ID) {
		return auth.Device{}, problem.Forbidden("who has signed in needs no device token")
	}
	token, _ := auth.Bearer(r.Header.Get("Authorization"))
	return d.tokens.Verify(token)
}

// DeviceClaims knows which devices have been claimed.
type DeviceClaims interface {
	IsClaimed(ctx context.Context, device string) (bool, error)
}

// claimedDevices are the devices that somebody has claimed, as far as this process
// knows.
type claimedDevices struct {
	claims DeviceClaims
	now    func() time.Time
	known  *lru.Cache[string, deviceState]
}

func newClaimedDevices(claims DeviceClaims, now func() time.Time) claimedDevices {
	known := lru.New[string, deviceState](rememberStandings)
	return claimedDevices{claims, now, known}
}

// claim notes that a device has been claimed here.
func (c claimedDevices) claim(device string) { c.known.Add(device, deviceState{claimed: true}) }

// check refuses a device that somebody has claimed.
//
// Cost: 1 billed command in 1 round trip, at most every 10 minutes for a device.
func (c claimedDevices) check(ctx context.Context, who gate.Caller) error {
	if !who.IsDevice() {
		return nil
	}
	now := c.now()
	seen, known := c.known.Get(who.Player.ID)
	if known && (seen.claimed || now.Sub(seen.at) < claimFresh && !now.Before(seen.at)) {
		return seen.refusal()
	}
	claimed, err := c.claims.IsClaimed(ctx, who.Player.ID)
	if err != nil {
		return err
	}
	seen = deviceState{claimed, now}
	c.known.Add(who.Player.ID, seen)
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
	return problem.DeviceClaimed()
}
