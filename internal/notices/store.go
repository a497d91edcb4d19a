// Package notices is what Redis tells every process of a game: who is banned, by which rules
// the boards are kept, whether writes wait, and which Redis this is. A process that finds
// Redis to be another one forgets what it remembers, and sets expiry and index once more for
// the keys that it has written to.
package notices

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game/ruleset"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Notices are what Redis tells every process of a game: who is banned, by which rules the
// boards are kept, whether writes must wait, which Redis this is, who costs much, whether a
// process wants to hear of changes, and what other processes found out. All of it stands in
// one set, which a process reads every 15 minutes. It is safe for concurrent use.
type Notices struct {
	Keys     *Keys
	Spenders *Spenders
	Deaf     *Deaf
	Begun    *Begun

	db    *rdb.DB
	rules func() ruleset.Rules // worked out when they are first asked for, not while a process starts
	later func(time.Duration, func())

	writes  atomic.Bool // Redis has taken a write of this process
	bans    bans
	epoch   *epoch
	forgets []func() // see OnLoss
}

// New makes Notices. Later calls a function after a while, in processes that live on; nil:
// never. Maintenance is the reason why nothing may be written, whatever Redis says; empty: it
// may.
func New(db *rdb.DB, later func(time.Duration, func()), maintenance string) *Notices {
	ns := &Notices{db: db, rules: sync.OnceValue(func() ruleset.Rules { return ruleset.Of(db.Game) }), later: later, epoch: newEpoch()}
	if maintenance != "" {
		ns.bans.stopped = &MaintenanceError{Maintenance: Maintenance{Reason: maintenance}}
	}
	ns.Keys = &Keys{db: db, notices: ns, epoch: ns.epoch}
	ns.Spenders = &Spenders{notices: ns, until: map[string]spending{}}
	ns.Deaf = &Deaf{db: db}
	ns.Begun = &Begun{db: db, notices: ns}
	ns.OnLoss(db.Expiring.Purge)
	ns.OnLoss(ns.Begun.forget)
	return ns
}
