// Package activity takes in what players do beside playing, and writes what it is
// worth onto boards.
//
// A day keeps its acts, not its counters: each is a member of one sorted set, by its
// id, so an act that is told of twice is there once, whoever tells of it, in whatever
// order, however often, and whatever is cut off on the way. Nothing is read, locked
// or tried again. Boards are computed from all acts of a group's day, by a pure rule
// (package tally): so they say the same in any order too, and an act that comes late
// changes what it would have changed in time.
//
// A write leaves word of the days it changed. A compute takes that word away in the
// step that writes the boards, and writes nothing where none of the word that it saw
// is left: then a later compute has been there, which read no less. What it did not
// read has left word that it did not see, and is computed next time.
//
// It must not know HTTP, or where events come from.
package activity

import (
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
)

// Activity takes events in and computes boards. It is safe for concurrent use.
type Activity struct {
	DB      *rdb.DB
	Totals  *memory.Totals
	Windows *memory.Windows
	Places  *memory.Places
	Notices *notices.Notices
	Rollup  *rollup.Rollup
	Played  *played.Groups

	rules   *game.Activity
	zones   map[string]*time.Location // of groups whose zone is named
	unknown error                     // which of them this machine does not know
	modes   []*game.Mode              // those of the rules, in their order
	present *lru.Cache[string, time.Duration]
	told    *lru.Cache[playerDay, int]
}

// New makes an Activity of its parts; nil for a game without rules of activity.
func New(a Activity) *Activity {
	a.rules = a.DB.Game.Activity
	if a.rules == nil {
		return nil
	}
	a.zones = make(map[string]*time.Location, len(a.rules.Zones))
	for group, name := range a.rules.Zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			a.unknown = fmt.Errorf("the time zone of %s: %w", group, err)
			continue
		}
		a.zones[group] = zone
	}
	for _, m := range a.DB.Game.Modes {
		if a.rules.Computes(m) {
			a.modes = append(a.modes, m)
		}
	}
	names := a.rules.Modes()
	slices.SortFunc(a.modes, func(m, other *game.Mode) int {
		return slices.Index(names, m.Called()) - slices.Index(names, other.Called())
	})
	a.present = lru.New[string, time.Duration](memory.RememberPlayers)
	a.told = lru.New[playerDay, int](memory.RememberPlayers)
	a.Notices.OnLoss(a.present.Purge)
	return &a
}

// Ready reports what keeps this machine from computing days: a time zone of the rules
// that it does not know. Without it nothing is taken in or computed.
func (a *Activity) Ready() error { return a.unknown }

// date is the date at a moment where a group is.
func (a *Activity) date(group string, at time.Time) game.Date {
	zone := a.zones[group]
	if zone == nil {
		zone = time.UTC
	}
	return dateAt(at, zone)
}

func dateAt(at time.Time, zone *time.Location) game.Date {
	year, month, day := at.In(zone).Date()
	return game.NewDate(year, month, day)
}
