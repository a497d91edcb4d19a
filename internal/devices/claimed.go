package devices

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/problem"
)

// claimFresh is how old a process lets become what it knows of whether a device
// has been claimed: as long as this a device that was claimed elsewhere may
// still play here.
const claimFresh = 10 * time.Minute

// ClaimRecords knows which devices have been claimed.
type ClaimRecords interface {
	IsClaimed(ctx context.Context, device string) (bool, error)
}

// remembered bounds the devices that a process knows of, at about 200 bytes each.
const remembered = 16_384

// Claimed are the devices that somebody has claimed, as far as this process
// knows.
type Claimed struct {
	records ClaimRecords
	now     func() time.Time
	known   *lru.Cache[string, deviceState]
}

// NewClaimed knows of none yet.
func NewClaimed(records ClaimRecords, now func() time.Time) Claimed {
	known := lru.New[string, deviceState](remembered)
	return Claimed{records, now, known}
}

// claim notes that a device has been claimed here.
func (c Claimed) claim(device string) { c.known.Add(device, deviceState{claimed: true}) }

// Check refuses a device that somebody has claimed.
//
// Cost: 1 billed command in 1 round trip, at most every 10 minutes for a device.
func (c Claimed) Check(ctx context.Context, who gate.Caller) error {
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
