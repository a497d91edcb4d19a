package gamefile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// weightDecimals are the places that weights and multipliers are read with.
const weightDecimals = 6

// activity reads how events become points, nil if the file leaves it out.
func (r *reader) activity(v value) *game.Activity {
	if v.node == nil {
		return nil
	}
	return activityReader{r}.read(v)
}

// activityReader reads the sections of activity.
type activityReader struct{ *reader }

func (r activityReader) read(v value) *game.Activity {
	f := r.section(v, "groups", "zones", "burst", "events", "streams", "pillars", "overall")
	if r.bad[v.path] {
		return nil
	}
	for _, needed := range []struct{ key, want string }{
		{"events", "declare what each type of event adds"}, {"pillars", "declare at least one formula, by the name of its mode"},
	} {
		if f.field(needed.key).node == nil {
			r.missing(f.field(needed.key), needed.want)
		}
	}
	return &game.Activity{
		Groups:  r.words(f.field("groups"), "use a list of groups"),
		Zones:   r.zones(f.field("zones")),
		Burst:   r.burst(f.field("burst")),
		Events:  r.events(f.field("events")),
		Streams: r.streams(f.field("streams")),
		Pillars: r.pillars(f.field("pillars")),
		Overall: r.overall(f.field("overall")),
	}
}

// words reads a list of text.
func (r activityReader) words(v value, want string) []string {
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		r.wrongType(v, want)
		return nil
	}
	all := make([]string, len(v.node.Content))
	for i, node := range v.node.Content {
		item := value{node, fmt.Sprintf("%s[%d]", v.path, i)}
		r.lines[item.path] = node.Line
		all[i] = r.text(item, "", want)
	}
	return all
}

// zones reads the time zones of groups. A machine without a list of zones takes any name that
// may be one: a program that needs the zone itself then fails when it starts.
func (r activityReader) zones(v value) map[string]string {
	const want = "use a name of the IANA time zone database, such as America/Los_Angeles"
	groups, values := r.entries(v)
	if len(groups) == 0 {
		return nil
	}
	zones := make(map[string]string, len(groups))
	for i, group := range groups {
		zone := r.text(values[i], "", want)
		if r.bad[values[i].path] {
			continue
		}
		if !knownZone(zone) {
			r.add(values[i].node.Line, values[i].path, fmt.Sprintf("%.60q is not a time zone", zone), want)
			continue
		}
		zones[group] = zone
	}
	return zones
}

func knownZone(name string) bool {
	if name == "" || name == "Local" {
		return false
	}
	if _, err := time.LoadLocation(name); err == nil {
		return true
	}
	_, err := time.LoadLocation("Europe/London")
	return err != nil
}

func (r activityReader) burst(v value) game.Burst {
	if v.node == nil || v.node.Value == off {
		return game.Burst{}
	}
	f := r.section(v, "most", "within")
	return game.Burst{
		Most:   int(r.number(f.field("most"), 0, 50)),
		Within: r.duration(f.field("within"), 10*time.Second),
	}
}

func (r activityReader) events(v value) []game.EventRule {
	names, values := r.entries(v)
	rules := make([]game.EventRule, len(names))
	for i, name := range names {
		f := r.section(values[i], "who", "count", "distinct", "message")
		if f.field("who").node == nil && !r.bad[values[i].path] {
			r.missing(f.field("who"), "use [from, to], [user] or [users]")
		}
		rules[i] = game.EventRule{
			Name:     name,
			Who:      r.roles(f.field("who")),
			Counts:   r.counts(f.field("count")),
			Distinct: r.distinct(f.field("distinct")),
			Message:  r.flag(f.field("message")),
		}
	}
	slices.SortStableFunc(rules, func(a, b game.EventRule) int { return strings.Compare(a.Name, b.Name) })
	return rules
}

// streams reads, for each stream, the type of all its entries, or of those that name
// an event.
func (r activityReader) streams(v value) []game.StreamRule {
	const want = "use a type of event, or types by what an entry says in its field event"
	keys, values := r.entries(v)
	rules := make([]game.StreamRule, len(keys))
	for i, key := range keys {
		rules[i] = game.StreamRule{Key: key, Types: map[string]string{}}
		if values[i].node.Kind != yaml.MappingNode {
			if name := r.text(values[i], "", want); name != "" {
				rules[i].Types[""] = name
			}
			continue
		}
		events, types := r.entries(values[i])
		for j, event := range events {
			if name := r.text(types[j], "", want); name != "" {
				rules[i].Types[event] = name
			}
		}
	}
	return rules
}

func (r activityReader) roles(v value) []game.Role {
	words := r.words(v, "use [from, to], [user] or [users]")
	roles := make([]game.Role, len(words))
	for i, word := range words {
		roles[i] = game.Role(word)
	}
	return roles
}

func (r activityReader) counts(v value) []game.CountRule {
	names, values := r.entries(v)
	rules := make([]game.CountRule, len(names))
	for i, name := range names {
		rules[i] = game.CountRule{Counter: name, Role: choice(r.reader, values[i], "a player of an event", "",
			game.From, game.To, game.User, game.Users, game.Winner)}
	}
	return rules
}

func (r activityReader) distinct(v value) []game.DistinctRule {
	names, values := r.entries(v)
	rules := make([]game.DistinctRule, len(names))
	for i, name := range names {
		f := r.section(values[i], "of", "by")
		side := func(key string) game.Role {
			return choice(r.reader, f.field(key), "a side of an event", "", game.From, game.To)
		}
		rules[i] = game.DistinctRule{Counter: name, Of: side("of"), By: side("by")}
	}
	return rules
}

// pillars reads formulas: for each counter what one of it is worth, or that with a cap.
func (r activityReader) pillars(v value) []game.Pillar {
	modes, values := r.entries(v)
	pillars := make([]game.Pillar, len(modes))
	for i, mode := range modes {
		pillars[i].Mode = mode
		counters, terms := r.entries(values[i])
		for j, counter := range counters {
			term := game.Term{Counter: counter}
			if terms[j].node.Kind == yaml.MappingNode {
				f := r.section(terms[j], "weight", "cap")
				if f.field("weight").node == nil {
					r.missing(f.field("weight"), "use what one is worth, such as 0.5")
				}
				term.Weight = r.number(f.field("weight"), weightDecimals, 0)
				term.Cap = r.number(f.field("cap"), 0, 0)
				if f.field("cap").node != nil && term.Cap == 0 && !r.bad[f.field("cap").path] { // in a game, 0 means no cap
					r.add(f.field("cap").node.Line, f.field("cap").path, "0 is out of range", "use 1 or more")
				}
			} else {
				term.Weight = r.number(terms[j], weightDecimals, 0)
				r.lines[terms[j].path+".weight"] = terms[j].node.Line
				r.bad[terms[j].path+".weight"] = r.bad[terms[j].path]
			}
			pillars[i].Terms = append(pillars[i].Terms, term)
		}
	}
	return pillars
}

func (r activityReader) overall(v value) game.Overall {
	if v.node == nil {
		return game.Overall{}
	}
	f := r.section(v, "mode", "streak")
	if f.field("mode").node == nil && !r.bad[v.path] {
		r.missing(f.field("mode"), "use the name of the mode that all pillars add up to")
	}
	o := game.Overall{Mode: r.text(f.field("mode"), "", "use the name of a mode")}
	if s := f.field("streak"); s.node != nil {
		streak := r.section(s, "days", "times")
		o.Days = int(r.number(streak.field("days"), 0, 30))
		o.Times = r.number(streak.field("times"), weightDecimals, 1_500_000)
	}
	return o
}
