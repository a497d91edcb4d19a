// Package activity takes what players do besides playing, and writes what it is worth to
// boards.
//
// A day stores its acts, not counters. Each act is a member of one sorted set, with its id.
// So an act that arrives several times is stored once, in whatever order and however often it
// is sent, and wherever a write is interrupted. Nothing is read, locked or retried. A pure
// function (act.go) computes the boards from all acts of a group's day. So boards do
// not depend on the order of acts, and a late act changes what it would have changed in time.
//
// A write marks the days that it has changed as due, in one set; the code calls the members
// of that set words. A compute removes the marks that it has seen in the step that writes the
// boards. If none of them is left, it writes nothing, because a later compute has run and has
// read at least as much. An act that a compute did not read has left a mark that it did not
// see either, and is computed next time.
//
// Package activity must not know where events come from.
package activity

import (
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
)

// Activity takes events and computes boards. It is safe for concurrent use.
type Activity struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Windows *derive.Windows
	Places  *derive.Places
	Notices *control.Notices
	Rollup  *derive.Rollup
	Played  *derive.PlayedGroups

	rules   *Rules
	zones   map[string]*time.Location // of groups with a zone of their own
	unknown error                     // an error that names the zones unknown to this machine
	modes   []*game.Mode              // the modes of the rules, in their order
	present *lru.Cache[string, time.Duration]
	sent    *lru.Cache[playerDay, int]
}

// NewIn makes the Activity of a Redis; nil for a game without rules of activity.
func NewIn(p *lifecycle.Parts) *Activity {
	return New(Activity{DB: p.DB, Totals: p.Totals, Windows: p.Windows, Places: p.Places, Notices: p.Notices, Rollup: p.Rollup, Played: p.Played})
}

// New completes an Activity that has its parts; nil for a game without rules of activity.
func New(a Activity) *Activity {
	a.rules = RulesOf(a.DB.Game)
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
		if m.Computed {
			a.modes = append(a.modes, m)
		}
	}
	names := a.rules.Modes()
	slices.SortFunc(a.modes, func(m, other *game.Mode) int {
		return slices.Index(names, m.Called()) - slices.Index(names, other.Called())
	})
	a.present = lru.New[string, time.Duration](derive.RememberPlayers)
	a.sent = lru.New[playerDay, int](derive.RememberPlayers)
	a.Notices.OnLoss(a.present.Purge)
	return &a
}

// Ready returns why this machine cannot compute days: it does not know a time zone of the
// rules. Then nothing is taken or computed.
func (a *Activity) Ready() error { return a.unknown }

// date is the date at a moment in the group's time zone.
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
