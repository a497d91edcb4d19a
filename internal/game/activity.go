package game

import (
	"maps"
	"math/bits"
	"slices"
	"time"
)

// Activity says how players get points for what they do besides playing. Events add to
// counters, and formulas make points of a day's counters. The points are the day's scores of
// modes to which nobody submits scores.
type Activity struct {
	Groups  []string          // the groups that events may come from; empty: any
	Zones   map[string]string // group -> time zone, by its IANA name; UTC if none is named
	Burst   Burst
	Events  []EventRule // ascending by name
	Streams []StreamRule
	Pillars []Pillar // in the order of the file
	Overall Overall
}

// Role is what a player is in an event.
type Role string

// The roles. An event has from and to, or one user, or two users; of two users one
// may be the winner.
const (
	From   Role = "from"
	To     Role = "to"
	User   Role = "user"
	Users  Role = "users"
	Winner Role = "winner"
)

// EventRule is what one type of event adds. Everybody in an event is active that day.
type EventRule struct {
	Name     string
	Who      []Role // from and to, user, or users
	Counts   []CountRule
	Distinct []DistinctRule
	Message  bool // it counts towards bursts, and for nothing within one
}

// CountRule adds one to a counter of the player who has the role.
type CountRule struct {
	Counter string
	Role    Role
}

// DistinctRule counts, for the player who has the role Of, the different players who had the
// role By in events with them.
type DistinctRule struct {
	Counter string
	Of, By  Role
}

// Touches reports whether an event of this type says only who is active.
func (r *EventRule) Touches() bool {
	return len(r.Counts) == 0 && len(r.Distinct) == 0 && !r.Message
}

// StreamRule is a stream of the same Redis whose entries are events.
type StreamRule struct {
	Key   string
	Types map[string]string // what an entry says in its field event -> the type; "" -> that of all entries
}

// Type is the type of an entry's event; false if it says nothing that counts.
func (r StreamRule) Type(event string) (string, bool) {
	if name, all := r.Types[""]; all {
		return name, true
	}
	name, counts := r.Types[event]
	return name, counts
}

// Burst says when messages are too many: if a sender has sent more than Most within the time
// that ends with a message, that message makes its players active and counts for nothing else.
// With the zero Burst there are no bursts.
type Burst struct {
	Most   int           // 1 to 1,000
	Within time.Duration // up to a minute, its begin not included
}

// Pillar is a formula whose points are a day's score of a mode.
type Pillar struct {
	Mode  string
	Terms []Term
}

// Term is one counter of a formula.
type Term struct {
	Counter string
	Weight  int64 // points for each, in millionths
	Cap     int64 // it counts up to here; 0: all
}

// Overall is the mode of all pillars together, multiplied by the streak. The zero
// Overall is none.
type Overall struct {
	Mode  string
	Days  int   // of a streak from which it multiplies by Times; 0: it never does
	Times int64 // millionths, 1,000,000 or more
}

// weightDecimals are the places of weights and of what a streak multiplies by.
const weightDecimals = 6

const one = 1_000_000 // in millionths

// mostCounted is the most of one counter that a formula counts.
const mostCounted = 1_000_000

// Event finds the rule of a type of event.
func (a *Activity) Event(name string) (*EventRule, bool) {
	i := slices.IndexFunc(a.Events, func(r EventRule) bool { return r.Name == name })
	if i < 0 {
		return nil, false
	}
	return &a.Events[i], true
}

// Zone is the name of a group's time zone.
func (a *Activity) Zone(group string) string {
	if zone := a.Zones[group]; zone != "" {
		return zone
	}
	return "UTC"
}

// Today is the date in a group's time zone; the date in UTC if this machine does not know
// the zone.
func (a *Activity) Today(group string, now time.Time) Date {
	zone, err := time.LoadLocation(a.Zone(group))
	if err != nil {
		zone = time.UTC
	}
	year, month, day := now.In(zone).Date()
	return NewDate(year, month, day)
}

// Knows reports whether events may come from a group.
func (a *Activity) Knows(group string) bool {
	return validGroup(group) && (len(a.Groups) == 0 || slices.Contains(a.Groups, group))
}

// Named are the groups that the game file names, ascending by id.
func (a *Activity) Named() []string {
	named := slices.Concat(a.Groups, slices.Collect(maps.Keys(a.Zones)))
	slices.Sort(named)
	return slices.Compact(named)
}

// Modes are the names of the modes that activity gives scores, in the order of the
// file.
func (a *Activity) Modes() []string {
	names := make([]string, 0, len(a.Pillars)+1)
	for _, p := range a.Pillars {
		names = append(names, p.Mode)
	}
	if a.Overall.Mode != "" {
		names = append(names, a.Overall.Mode)
	}
	return names
}

// Computes reports whether activity gives the scores of a mode, so that nobody
// submits any. A nil Activity gives none.
func (a *Activity) Computes(m *Mode) bool {
	return a != nil && slices.Contains(a.Modes(), m.Called())
}

// Points are what a day's counters give, exactly, in the mode's own scale. They do not leave
// the mode's bounds.
func (p *Pillar) Points(m *Mode, counted func(counter string) int64) Score {
	unit := int64(1)
	for range weightDecimals - m.Decimals {
		unit *= 10
	}
	var points Score
	for _, t := range p.Terms {
		n := min(counted(t.Counter), mostCounted)
		if t.Cap > 0 {
			n = min(n, t.Cap)
		}
		points += Score(n * (t.Weight / unit))
	}
	return min(max(points, m.Min), m.Max)
}

// Of is what points become by a streak of so many days, 1 or more. Points are not negative.
// They are multiplied by 1 on the first day, by Times from day Days on, and in between by a
// factor that grows evenly. The result is rounded to the scale of the points, halves upwards.
func (o Overall) Of(points Score, streak int) Score {
	if o.Days < 2 {
		return points
	}
	steps := uint64(o.Days - 1)
	at := uint64(min(max(streak, 1), o.Days) - 1)
	// points · (1 + (times−1)·at/steps), over one denominator.
	factor, whole := steps*one+uint64(o.Times-one)*at, steps*one
	high, low := bits.Mul64(uint64(points), 2*factor)
	low, carry := bits.Add64(low, whole, 0)
	quotient, _ := bits.Div64(high+carry, low, 2*whole)
	return Score(quotient)
}
