package game

import (
	"fmt"
	"slices"
	"time"
)

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

// activityChecker collects what is wrong with the rules of activity.
type activityChecker struct{ *checker }

// check checks the rules against the game that they are part of.
func (c activityChecker) check(g *Game) {
	a := g.Activity
	if a == nil {
		return
	}
	c.groupsAndZones(g)
	c.burst(a)
	counters := c.events(a)
	c.streams(a)
	for i := range a.Pillars {
		c.pillar(g, &a.Pillars[i], counters)
	}
	if len(a.Pillars) == 0 {
		c.add(activityPath+".pillars", "there are none", "declare at least one formula, by the name of its mode")
	}
	c.overall(g)
}

func (c activityChecker) groupsAndZones(g *Game) {
	a := g.Activity
	for i, group := range a.Groups {
		path := fmt.Sprintf("%s.groups[%d]", activityPath, i)
		if !validGroup(group) {
			c.add(path, fmt.Sprintf("%.80q is not a group", group), "use 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
		} else if slices.Contains(a.Groups[:i], group) {
			c.add(path, fmt.Sprintf("%q is declared twice", group), "keep one of them")
		}
	}
	for group := range a.Zones {
		path := activityPath + ".zones." + group
		switch {
		case !validGroup(group):
			c.add(path, "it is not a group", "use 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
		case len(a.Groups) > 0 && !slices.Contains(a.Groups, group):
			c.add(path, "there is no such group", "add it to the groups", activityPath+".groups")
		case a.Zone(group) != "UTC" && g.Day != Local:
			c.add(path, "a day of the game ends at midnight UTC for everybody", "set day: local", "day")
		}
	}
}

func (c activityChecker) burst(a *Activity) {
	b := a.Burst
	if b == (Burst{}) {
		return
	}
	c.within(activityPath+".burst.most", float64(b.Most), 1, mostBurst)
	c.duration(activityPath+".burst.within", b.Within, time.Second, longestBurst)
}

// events checks the types, and returns the counters that they add to.
func (c activityChecker) events(a *Activity) map[string]bool {
	counters := map[string]bool{}
	path := activityPath + ".events"
	if len(a.Events) == 0 || len(a.Events) > mostEvents {
		c.add(path, fmt.Sprintf("there are %d", len(a.Events)), fmt.Sprintf("declare 1 to %d types", mostEvents))
	}
	for i := range a.Events {
		c.event(path+"."+a.Events[i].Name, &a.Events[i], counters)
	}
	return counters
}

func (c activityChecker) event(path string, r *EventRule, counters map[string]bool) {
	if !validEvent(r.Name) {
		c.add(path, "it is not a type of event", fmt.Sprintf("use a letter a-z and up to %d more of a-z, 0-9, _ and .", mostEventTag-1))
	}
	who := path + ".who"
	switch {
	case slices.Equal(r.Who, []Role{From, To}), slices.Equal(r.Who, []Role{User}), slices.Equal(r.Who, []Role{Users}):
	default:
		c.add(who, "an event has not these players", "use [from, to], [user] or [users]")
		return
	}
	for _, n := range r.Counts {
		at := path + ".count." + n.Counter
		c.counter(at, n.Counter, counters)
		if !r.has(n.Role) {
			c.add(at, fmt.Sprintf("the event has no %s", n.Role), "use "+r.roles(), who)
		}
	}
	for _, d := range r.Distinct {
		at := path + ".distinct." + d.Counter
		c.counter(at, d.Counter, counters)
		if !slices.Equal(r.Who, []Role{From, To}) || d.Of == d.By || !slices.Contains(r.Who, d.Of) || !slices.Contains(r.Who, d.By) {
			c.add(at, "different players are counted between from and to", "use {of: to, by: from} or {of: from, by: to}, in an event with both", who)
		}
	}
	if r.Message && r.Who[0] == Users {
		c.add(path+".message", "it has no sender", "leave it out, or use [from, to] or [user]", who)
	}
}

// streams checks where events come from, and that each has its rule.
func (c activityChecker) streams(a *Activity) {
	if len(a.Streams) > mostStreams {
		c.add(activityPath+".streams", fmt.Sprintf("%d are too many", len(a.Streams)), fmt.Sprintf("use up to %d", mostStreams))
	}
	for _, s := range a.Streams {
		path := activityPath + ".streams." + s.Key
		if len(s.Key) > longestStream || ValidID(s.Key) != nil {
			c.add(path, "it is not the key of a stream", fmt.Sprintf("use 1 to %d characters of A-Z, a-z, 0-9, _ . : @ and -", longestStream))
		}
		for event, name := range s.Types {
			at := path
			if event != "" {
				at += "." + event
			}
			if _, known := a.Event(name); !known {
				c.add(at, fmt.Sprintf("%.80q is not a type of event", name), "use one of the events", activityPath+".events")
			}
		}
	}
}

// counter notes a counter. A counter that some types count and other types count distinct
// would be neither.
func (c activityChecker) counter(path, name string, counters map[string]bool) {
	if !validName(name) {
		c.add(path, "it is not the name of a counter", nameForm)
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
	if len(name) < 1 || len(name) > mostEventTag || !lower(name[0]) {
		return false
	}
	for i := range len(name) {
		if ch := name[i]; !lower(ch) && !digit(ch) && ch != '_' && ch != '.' {
			return false
		}
	}
	return true
}

// computed checks a mode that activity gives scores, and returns it; nil if there is none.
func (c activityChecker) computed(g *Game, path, name string) *Mode {
	m, ok := g.ModeCalled(name)
	if !ok || m.Called() != name {
		c.add(path, fmt.Sprintf("%.50q is not a mode", name), "use a name among the modes", "modes")
		return nil
	}
	mode := func(key string) string { return modePath(m, key) }
	if m.Policy != Latest {
		c.add(mode("policy"), "the scores of "+name+" are computed, and computed again", "use latest", path)
	}
	if m.Order != Desc {
		c.add(mode("order"), "the scores of "+name+" are points", "use desc", path)
	}
	if m.Min != 0 {
		c.add(mode("min"), "who was active has 0 points at least", "use 0", path)
	}
	if m.Aggregate != Sum {
		c.add(mode("aggregate"), "points of days are added up", "use sum", path)
	}
	return m
}

func (c activityChecker) pillar(g *Game, p *Pillar, counters map[string]bool) {
	path := activityPath + ".pillars." + p.Mode
	m := c.computed(g, path, p.Mode)
	if len(p.Terms) == 0 || len(p.Terms) > mostTerms {
		c.add(path, fmt.Sprintf("there are %d counters in it", len(p.Terms)), fmt.Sprintf("use 1 to %d", mostTerms))
	}
	for _, t := range p.Terms {
		at := path + "." + t.Counter
		if !counters[t.Counter] {
			c.add(at, "no event adds to it", "use a counter of an event", activityPath+".events")
		}
		if t.Weight <= 0 || t.Weight > mostWeight {
			c.add(at+".weight", FormatScaled(Score(t.Weight), weightDecimals)+" is out of range", "use more than 0, up to "+FormatScaled(mostWeight, weightDecimals))
		} else if m != nil && m.Decimals >= 0 && m.Decimals <= MaxDecimals {
			unit := int64(1)
			for range weightDecimals - m.Decimals {
				unit *= 10
			}
			if t.Weight%unit != 0 {
				c.add(at+".weight", fmt.Sprintf("%s is finer than the %d decimals of the mode", FormatScaled(Score(t.Weight), weightDecimals), m.Decimals),
					"use fewer decimals here, or more there", modePath(m, "decimals"))
			}
		}
		if t.Cap < 0 || t.Cap > mostCap {
			c.add(at+".cap", fmt.Sprintf("%d is out of range", t.Cap), fmt.Sprintf("use 1 to %d", int64(mostCap)))
		}
	}
}

func (c activityChecker) overall(g *Game) {
	a := g.Activity
	o := a.Overall
	if o.Mode == "" {
		return
	}
	path := activityPath + ".overall"
	if slices.ContainsFunc(a.Pillars, func(p Pillar) bool { return p.Mode == o.Mode }) {
		c.add(path+".mode", "it is one of the pillars", "use a mode of its own")
		return
	}
	m := c.computed(g, path+".mode", o.Mode)
	if o.Days != 0 {
		c.within(path+".streak.days", float64(o.Days), 2, longestBonus)
		if o.Times < one || o.Times > mostTimes {
			c.add(path+".streak.times", FormatScaled(Score(o.Times), weightDecimals)+" is out of range", "use 1 to "+FormatScaled(mostTimes, weightDecimals))
		}
	}
	if m == nil {
		return
	}
	var most Score
	for _, p := range a.Pillars {
		pillar, ok := g.ModeCalled(p.Mode)
		if !ok {
			return
		}
		if pillar.Decimals != m.Decimals {
			c.add(modePath(m, "decimals"), fmt.Sprintf("%s has %d", p.Mode, pillar.Decimals), "use the same in all pillars and their sum", path, modePath(pillar, "decimals"))
			return
		}
		if pillar.Max > maxWhole/(mostTimes/one)-most {
			return // its own bound is reported
		}
		most += max(pillar.Max, 0)
	}
	valid := o.Days >= 2 && o.Days <= longestBonus && o.Times >= one && o.Times <= mostTimes
	if o.Days == 0 || valid {
		if most = o.Of(most, longestBonus); m.Max < most {
			c.add(modePath(m, "max"), fmt.Sprintf("%s is less than all pillars together can give", m.FormatScore(m.Max)), "use "+m.FormatScore(most)+" or more", path)
		}
	}
}
