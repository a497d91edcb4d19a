package device

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lru"
)

func init() {
	problem.Register("device-claimed", problem.Kind{Status: http.StatusForbidden, Title: "Device is linked to an account"})
}

// claimFresh is how long a process trusts its knowledge that a device is unclaimed. For as
// long, a device that was claimed in another process may still play here.
const claimFresh = 10 * time.Minute

// remembered bounds how many devices a process remembers, at about 200 bytes each.
const remembered = 16_384

// ClaimedDevices remembers which devices were claimed, as far as this process knows.
type ClaimedDevices struct {
	records *lifecycle.Repair
	now     func() time.Time
	known   *lru.Cache[string, deviceState]
}

// NewClaimedDevices makes a Claimed that remembers no device yet.
func NewClaimedDevices(records *lifecycle.Repair, now func() time.Time) ClaimedDevices {
	known := lru.New[string, deviceState](remembered)
	return ClaimedDevices{records, now, known}
}

// claim remembers that a device was claimed in this process.
func (c ClaimedDevices) claim(device string) { c.known.Add(device, deviceState{claimed: true}) }

// Check refuses a device that was claimed.
//
// Cost: 1 billed command in 1 round trip, at most every 10 minutes for a device.
func (c ClaimedDevices) Check(ctx context.Context, who gate.Caller) error {
	if !who.IsDevice() {
		return nil
	}
	now := c.now()
	seen, known := c.known.Get(who.Player.ID)
	if known && (seen.claimed || now.Sub(seen.at) < claimFresh && !now.Before(seen.at)) {
		return seen.refusal()
	}
	claimed, err := c.records.IsClaimed(ctx, who.Player.ID)
	if err != nil {
		return err
	}
	seen = deviceState{claimed, now}
	c.known.Add(who.Player.ID, seen)
	return seen.refusal()
}

// deviceState is what a process remembers of a device. A claim is final.
type deviceState struct {
	claimed bool
	at      time.Time
}

func (s deviceState) refusal() error {
	if !s.claimed {
		return nil
	}
	return problem.New("device-claimed", "this device is linked to an account; sign in as that player")
}
