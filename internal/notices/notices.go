// Package notices has what every process of a game must know: who is banned, by which rules the
// boards are kept, whether writes must wait, and which Redis this is. A process that finds out
// that Redis was lost forgets what it remembers, and sets expiry and index again for the keys
// that it has written to.
package notices

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game/ruleset"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Notices are what every process of a game must know: who is banned, by which rules the boards
// are kept, whether writes must wait, which Redis this is, and which boards other processes have
// seen to. All of it is in one set, the set of bans, which a process reads at its start, and
// every 15 minutes if it writes. It is safe for concurrent use.
type Notices struct {
	Keys    *Keys
	Begun   *Begun
	Removed Removed

	db    *rdb.DB
	rules func() ruleset.Rules // computes them at its first call, not while a process starts
	later func(time.Duration, func())

	writes     atomic.Bool // Redis has taken a write of this process
	remembered remembered
	epoch      *epoch
	forgets    []func() // see OnLoss
}

// New makes Notices. Later calls a function after some time, in processes that live on between
// requests; nil in others. If maintenance is not empty, nothing may be written for that reason,
// whatever Redis says.
func New(db *rdb.DB, later func(time.Duration, func()), maintenance string) *Notices {
	ns := &Notices{db: db, rules: sync.OnceValue(func() ruleset.Rules { return ruleset.Of(db.Game) }), later: later, epoch: newEpoch()}
	if maintenance != "" {
		ns.remembered.stopped = &MaintenanceError{Maintenance: Maintenance{Reason: maintenance}}
	}
	ns.Keys = &Keys{db: db, notices: ns, epoch: ns.epoch}
	ns.Begun = &Begun{db: db}
	ns.OnLoss(db.Expiring.Purge)
	ns.OnLoss(ns.Begun.forget)
	return ns
}
