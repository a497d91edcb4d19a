package activity

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Rules say how players get points for what they do besides playing. Events add to
// counters, and formulas make points of a day's counters. The points are the day's scores of
// modes to which nobody submits scores.
type Rules struct {
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
	Title   string
	Titles  map[string]string // by language, as of a mode
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
func (a *Rules) Event(name string) (*EventRule, bool) {
	i := slices.IndexFunc(a.Events, func(r EventRule) bool { return r.Name == name })
	if i < 0 {
		return nil, false
	}
	return &a.Events[i], true
}

// Zone is the name of a group's time zone.
func (a *Rules) Zone(group string) string {
	if zone := a.Zones[group]; zone != "" {
		return zone
	}
	return "UTC"
}

// Today is the date in a group's time zone; the date in UTC if this machine does not know
// the zone.
func (a *Rules) Today(group string, now time.Time) game.Date {
	zone, err := time.LoadLocation(a.Zone(group))
	if err != nil {
		zone = time.UTC
	}
	year, month, day := now.In(zone).Date()
	return game.NewDate(year, month, day)
}

// Knows reports whether events may come from a group.
func (a *Rules) Knows(group string) bool {
	return game.ValidGroup(group) && (len(a.Groups) == 0 || slices.Contains(a.Groups, group))
}

// Named are the groups that the game file names, ascending by id.
func (a *Rules) Named() []string {
	named := slices.Concat(a.Groups, slices.Collect(maps.Keys(a.Zones)))
	slices.Sort(named)
	return slices.Compact(named)
}

// Modes are the names of the modes that activity gives scores, in the order of the
// file.
func (a *Rules) Modes() []string {
	names := make([]string, 0, len(a.Pillars)+1)
	for _, p := range a.Pillars {
		names = append(names, p.Mode)
	}
	if a.Overall.Mode != "" {
		names = append(names, a.Overall.Mode)
	}
	return names
}

// RulesOf returns the rules of a game, nil if it has none.
func RulesOf(g *game.Game) *Rules { return game.RulesOf[*Rules](g) }

// Complete marks the modes whose scores activity computes.
func (a *Rules) Complete(g *game.Game) game.FeatureRules {
	for _, m := range g.Modes {
		m.Computed = slices.Contains(a.Modes(), m.Called())
	}
	return a
}

// PlayerKeys are the sets of who was active.
func (a *Rules) PlayerKeys(days []game.Date, _ time.Time) []string {
	keys := make([]string, len(days))
	for i, d := range days {
		keys[i] = ActiveKey(d)
	}
	return keys
}

// Points are what a day's counters give, exactly, in the mode's own scale. They do not leave
// the mode's bounds.
func (p *Pillar) Points(m *game.Mode, counted func(counter string) int64) game.Score {
	unit := int64(1)
	for range weightDecimals - m.Decimals {
		unit *= 10
	}
	var points game.Score
	for _, t := range p.Terms {
		n := min(counted(t.Counter), mostCounted)
		if t.Cap > 0 {
			n = min(n, t.Cap)
		}
		points += game.Score(n * (t.Weight / unit))
	}
	return min(max(points, m.Min), m.Max)
}

// Of is what points become by a streak of so many days, 1 or more. Points are not negative.
// They are multiplied by 1 on the first day, by Times from day Days on, and in between by a
// factor that grows evenly. The result is rounded to the scale of the points, halves upwards.
func (o Overall) Of(points game.Score, streak int) game.Score {
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
	return game.Score(quotient)
}

// Limits of the rules of activity.
const (
	mostEvents   = 100
	mostTerms    = 50
	mostBurst    = 1000
	longestBurst = time.Minute
	mostWeight   = 10_000 * one
	mostCap      = mostCounted
	longestBonus = 366 // days of a streak
	mostTimes    = 10 * one
	mostEventTag = 60 // bytes of the name of a type

	mostStreams   = 20
	longestStream = 80 // bytes of a key: together with an entry's id, it is the id of an event
)

const activityPath = "activity"

// checker collects what is wrong with the rules of activity.
type checker struct{ *game.Checker }

// Check reports what is wrong with the rules.
func (a *Rules) Check(g *game.Game, to *game.Checker) {
	c := checker{to}
	c.groupsAndZones(g, a)
	c.burst(a)
	counters := c.events(a)
	c.streams(a)
	for i := range a.Pillars {
		c.pillar(g, &a.Pillars[i], counters)
	}
	if len(a.Pillars) == 0 {
		c.Add(activityPath+".pillars", "there are none", "declare at least one formula, by the name of its mode")
	}
	c.overall(g, a)
}

func (c checker) groupsAndZones(g *game.Game, a *Rules) {
	for i, group := range a.Groups {
		path := fmt.Sprintf("%s.groups[%d]", activityPath, i)
		if !game.ValidGroup(group) {
			c.Add(path, fmt.Sprintf("%.80q is not a group", group), "use 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
		} else if slices.Contains(a.Groups[:i], group) {
			c.Add(path, fmt.Sprintf("%q is declared twice", group), "keep one of them")
		}
	}
	for group := range a.Zones {
		path := activityPath + ".zones." + group
		switch {
		case !game.ValidGroup(group):
			c.Add(path, "it is not a group", "use 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
		case len(a.Groups) > 0 && !slices.Contains(a.Groups, group):
			c.Add(path, "there is no such group", "add it to the groups", activityPath+".groups")
		case a.Zone(group) != "UTC" && g.Day != game.Local:
			c.Add(path, "a day of the game ends at midnight UTC for everybody", "set day: local", "day")
		}
	}
}

func (c checker) burst(a *Rules) {
	b := a.Burst
	if b == (Burst{}) {
		return
	}
	c.Within(activityPath+".burst.most", float64(b.Most), 1, mostBurst)
	c.Duration(activityPath+".burst.within", b.Within, time.Second, longestBurst)
}

// events checks the types, and returns the counters that they add to.
func (c checker) events(a *Rules) map[string]bool {
	counters := map[string]bool{}
	path := activityPath + ".events"
	if len(a.Events) == 0 || len(a.Events) > mostEvents {
		c.Add(path, fmt.Sprintf("there are %d", len(a.Events)), fmt.Sprintf("declare 1 to %d types", mostEvents))
	}
	for i := range a.Events {
		c.event(path+"."+a.Events[i].Name, &a.Events[i], counters)
	}
	return counters
}

func (c checker) event(path string, r *EventRule, counters map[string]bool) {
	if !validEvent(r.Name) {
		c.Add(path, "it is not a type of event", fmt.Sprintf("use a letter a-z and up to %d more of a-z, 0-9, _ and .", mostEventTag-1))
	}
	who := path + ".who"
	switch {
	case slices.Equal(r.Who, []Role{From, To}), slices.Equal(r.Who, []Role{User}), slices.Equal(r.Who, []Role{Users}):
	default:
		c.Add(who, "an event has not these players", "use [from, to], [user] or [users]")
		return
	}
	for _, n := range r.Counts {
		at := path + ".count." + n.Counter
		c.counter(at, n.Counter, counters)
		if !r.has(n.Role) {
			c.Add(at, fmt.Sprintf("the event has no %s", n.Role), "use "+r.roles(), who)
		}
	}
	for _, d := range r.Distinct {
		at := path + ".distinct." + d.Counter
		c.counter(at, d.Counter, counters)
		if !slices.Equal(r.Who, []Role{From, To}) || d.Of == d.By || !slices.Contains(r.Who, d.Of) || !slices.Contains(r.Who, d.By) {
			c.Add(at, "different players are counted between from and to", "use {of: to, by: from} or {of: from, by: to}, in an event with both", who)
		}
	}
	if r.Message && r.Who[0] == Users {
		c.Add(path+".message", "it has no sender", "leave it out, or use [from, to] or [user]", who)
	}
}

// streams checks where events come from, and that each has its rule.
func (c checker) streams(a *Rules) {
	if len(a.Streams) > mostStreams {
		c.Add(activityPath+".streams", fmt.Sprintf("%d are too many", len(a.Streams)), fmt.Sprintf("use up to %d", mostStreams))
	}
	for _, s := range a.Streams {
		path := activityPath + ".streams." + s.Key
		if len(s.Key) > longestStream || game.ValidID(s.Key) != nil {
			c.Add(path, "it is not the key of a stream", fmt.Sprintf("use 1 to %d characters of A-Z, a-z, 0-9, _ . : @ and -", longestStream))
		}
		for event, name := range s.Types {
			at := path
			if event != "" {
				at += "." + event
			}
			if _, known := a.Event(name); !known {
				c.Add(at, fmt.Sprintf("%.80q is not a type of event", name), "use one of the events", activityPath+".events")
			}
		}
	}
}

// counter notes a counter. A counter that some types count and other types count distinct
// would be neither.
func (c checker) counter(path, name string, counters map[string]bool) {
	if !game.ValidName(name) {
		c.Add(path, "it is not the name of a counter", game.NameForm)
	}
	counters[name] = true
}

// has reports whether a player of the event can have the role.
func (r *EventRule) has(role Role) bool {
	return slices.Contains(r.Who, role) || role == Winner && r.Who[0] == Users
}

func (r *EventRule) roles() string {
	switch r.Who[0] {
	case From:
		return "from or to"
	case User:
		return "user"
	}
	return "users or winner"
}

func validEvent(name string) bool {
	if len(name) < 1 || len(name) > mostEventTag || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for i := range len(name) {
		if ch := name[i]; (ch < 'a' || ch > 'z') && (ch < '0' || ch > '9') && ch != '_' && ch != '.' {
			return false
		}
	}
	return true
}

// computed checks a mode that activity gives scores, and returns it; nil if there is none.
func (c checker) computed(g *game.Game, path, name string) *game.Mode {
	m, ok := g.ModeCalled(name)
	if !ok || m.Called() != name {
		c.Add(path, fmt.Sprintf("%.50q is not a mode", name), "use a name among the modes", "modes")
		return nil
	}
	mode := func(key string) string { return game.ModePath(m, key) }
	if m.Policy != game.Latest {
		c.Add(mode("policy"), "the scores of "+name+" are computed, and computed again", "use latest", path)
	}
	if m.Order != game.Desc {
		c.Add(mode("order"), "the scores of "+name+" are points", "use desc", path)
	}
	if m.Min != 0 {
		c.Add(mode("min"), "active players have at least 0 points", "use 0", path)
	}
	if m.Aggregate != game.Sum {
		c.Add(mode("aggregate"), "points of days are added up", "use sum", path)
	}
	return m
}

func (c checker) pillar(g *game.Game, p *Pillar, counters map[string]bool) {
	path := activityPath + ".pillars." + p.Mode
	m := c.computed(g, path, p.Mode)
	if len(p.Terms) == 0 || len(p.Terms) > mostTerms {
		c.Add(path, fmt.Sprintf("there are %d counters in it", len(p.Terms)), fmt.Sprintf("use 1 to %d", mostTerms))
	}
	for _, t := range p.Terms {
		at := path + "." + t.Counter
		if !counters[t.Counter] {
			c.Add(at, "no event adds to it", "use a counter of an event", activityPath+".events")
		}
		if t.Weight <= 0 || t.Weight > mostWeight {
			c.Add(at+".weight", game.FormatScaled(game.Score(t.Weight), weightDecimals)+" is out of range", "use more than 0, up to "+game.FormatScaled(mostWeight, weightDecimals))
		} else if m != nil && m.Decimals >= 0 && m.Decimals <= game.MaxDecimals {
			unit := int64(1)
			for range weightDecimals - m.Decimals {
				unit *= 10
			}
			if t.Weight%unit != 0 {
				c.Add(at+".weight", fmt.Sprintf("%s is finer than the %d decimals of the mode", game.FormatScaled(game.Score(t.Weight), weightDecimals), m.Decimals),
					"use fewer decimals here, or more there", game.ModePath(m, "decimals"))
			}
		}
		if t.Cap < 0 || t.Cap > mostCap {
			c.Add(at+".cap", fmt.Sprintf("%d is out of range", t.Cap), fmt.Sprintf("use 1 to %d", int64(mostCap)))
		}
		if t.Title != "" && !game.ValidTitle(t.Title) {
			c.Add(at+".title", fmt.Sprintf("%.50q is not a title", t.Title), fmt.Sprintf("use 1 to %d bytes of printable text", game.MaxTitle))
		}
		c.Titles(at+".titles", t.Titles)
	}
}

func (c checker) overall(g *game.Game, a *Rules) {
	o := a.Overall
	if o.Mode == "" {
		return
	}
	path := activityPath + ".overall"
	if slices.ContainsFunc(a.Pillars, func(p Pillar) bool { return p.Mode == o.Mode }) {
		c.Add(path+".mode", "it is one of the pillars", "use a mode of its own")
		return
	}
	m := c.computed(g, path+".mode", o.Mode)
	if o.Days != 0 {
		c.Within(path+".streak.days", float64(o.Days), 2, longestBonus)
		if o.Times < one || o.Times > mostTimes {
			c.Add(path+".streak.times", game.FormatScaled(game.Score(o.Times), weightDecimals)+" is out of range", "use 1 to "+game.FormatScaled(mostTimes, weightDecimals))
		}
	}
	if m == nil {
		return
	}
	var most game.Score
	for _, p := range a.Pillars {
		pillar, ok := g.ModeCalled(p.Mode)
		if !ok {
			return
		}
		if pillar.Decimals != m.Decimals {
			c.Add(game.ModePath(m, "decimals"), fmt.Sprintf("%s has %d", p.Mode, pillar.Decimals), "use the same in all pillars and their sum", path, game.ModePath(pillar, "decimals"))
			return
		}
		if pillar.Max > (1<<53)/(mostTimes/one)-most {
			return // its own bound is reported
		}
		most += max(pillar.Max, 0)
	}
	valid := o.Days >= 2 && o.Days <= longestBonus && o.Times >= one && o.Times <= mostTimes
	if o.Days == 0 || valid {
		if most = o.Of(most, longestBonus); m.Max < most {
			c.Add(game.ModePath(m, "max"), fmt.Sprintf("%s is less than all pillars together can give", m.FormatScore(m.Max)), "use "+m.FormatScore(most)+" or more", path)
		}
	}
}
