// Package ruleset says what may change in the rules of a game that is being played. It knows
// which rules stored data depend on for their meaning, and compares two sets of rules. It must
// not know Redis, files or who asks.
package ruleset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Rules are the rules of a game as text: the key of the game file, as in
// modes.daily_frame.order, and its value.
type Rules map[string]string

// Of returns all rules of a game.
func Of(g *game.Game) Rules {
	r := Rules{}
	for _, about := range gameRules {
		r[about.key] = about.value(g)
	}
	for _, m := range g.Modes {
		for _, about := range modeRules {
			r[modePath(m.Name, about.key)] = about.value(m)
		}
	}
	seasonsInto(r, g)
	currenciesInto(r, g)
	return r
}

// Stored is the part of the rules that stored scores depend on for their meaning, as JSON in
// one canonical form: two games with equal texts may be played over the same data.
func (r Rules) Stored() string { return Keep(nil, r) }

// Parse reads what [Rules.Stored] wrote.
func Parse(text string) (Rules, error) {
	var r Rules
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, fmt.Errorf("read the rules that the boards were made by: %w", err)
	}
	return r, nil
}

// Effect is what a change of a rule does to a game that is being played.
type Effect int

// The effects, from harmless to harmful.
const (
	// Safe takes effect at once. Nothing that is stored depends on it.
	Safe Effect = iota
	// Forward takes effect for what is played or closed from now on. What is
	// stored stays as it is.
	Forward
	// Refused would read what is stored wrongly, or lose it.
	Refused
)

func (e Effect) String() string { return [...]string{"safe", "from now on", "refused"}[e] }

// Change is one rule that differs between two sets.
type Change struct {
	Path     string // the key of the game file; for a mode that came or went, modes.<name>
	Old, New string // values; empty if the mode does not exist
	Effect   Effect
	Why      string // what follows
	Instead  string // what to do; only for a change that is refused, or for a mode that went
}

// Diff compares the old rules with those of now, in the order of the paths. It does not
// compare rules that old lacks, of which only the stored part is known. Today decides which
// seasons have begun.
func Diff(old, now Rules, today game.Date) []Change {
	var changes []Change
	before, after := old.modes(), now.modes()
	for _, path := range slices.Sorted(maps.Keys(old)) {
		mode, of := modeOf(path)
		value, there := now[path]
		about, ok := known(path)
		if strings.HasPrefix(path, seasonPrefix) {
			if value != old[path] {
				changes = append(changes, seasonChange(path, old[path], value, today))
			}
			continue
		}
		switch {
		case strings.HasPrefix(path, currencyPrefix) && !there:
			about = currencyWent
		case of && !slices.Contains(after, mode), !ok, there && value == old[path]:
			continue
		}
		if about = judge(about, path, old[path], value); path == auditSince {
			about = auditChange(value, today)
		}
		changes = append(changes, Change{path, old[path], value, about.effect, about.why, about.instead})
	}
	for _, mode := range before {
		if !slices.Contains(after, mode) {
			changes = append(changes, went(mode, old, now))
		}
	}
	for _, mode := range after {
		if !slices.Contains(before, mode) {
			changes = append(changes, Change{Path: modePath(mode, ""), New: "added", Effect: Safe, Why: "a new mode begins empty"})
		}
	}
	for path, value := range now {
		_, had := old[path]
		switch mode, _ := modeOf(path); {
		case !had && value != off && (path == ratingDecayKey || path == modePath(mode, decayKey) && slices.Contains(before, mode)):
			about, _ := known(path)
			changes = append(changes, Change{path, off, value, about.effect, about.why, about.instead})
		case !had && strings.HasPrefix(path, seasonPrefix):
			changes = append(changes, seasonChange(path, "", value, today))
		case !had && strings.HasPrefix(path, currencyPrefix):
			changes = append(changes, currencyCame(path, value))
		case !had && path == auditSince && value != off:
			about := auditChange(value, today)
			changes = append(changes, Change{path, off, value, about.effect, about.why, about.instead})
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// went describes a mode that the game no longer has, and guesses a rename: a new mode with the
// same stored rules.
func went(mode string, old, now Rules) Change {
	c := Change{
		Path: modePath(mode, ""), Old: "there", Effect: Forward,
		Why: "its boards stay in Redis until they expire, all time for ever, and no address shows them",
	}
	for _, other := range now.modes() {
		if !slices.Contains(old.modes(), other) && sameRules(mode, other, old, now) {
			c.Instead = "if this is a rename to " + other + ": give " + other + " renamed_from: " + mode + ", since boards and history go by the name"
		}
	}
	return c
}

func sameRules(mode, other string, old, now Rules) bool {
	for _, about := range modeRules {
		was, has := old[modePath(mode, about.key)]
		if has && about.effect != Safe && was != now[modePath(other, about.key)] {
			return false
		}
	}
	return true
}

// Worst is the most harmful effect among changes.
func Worst(changes []Change) Effect {
	worst := Safe
	for _, c := range changes {
		worst = max(worst, c.Effect)
	}
	return worst
}

// modes are the names of the modes, ascending.
func (r Rules) modes() []string {
	var names []string
	for path := range r {
		if name, ok := modeOf(path); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const modePrefix = "modes."

func modePath(mode, key string) string {
	if key == "" {
		return modePrefix + mode
	}
	return modePrefix + mode + "." + key
}

func modeOf(path string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(path, modePrefix)
	name, _, _ = strings.Cut(rest, ".")
	return name, ok
}

// known finds what a change of a path means.
func known(path string) (consequence, bool) {
	if mode, ok := modeOf(path); ok {
		for _, about := range modeRules {
			if modePath(mode, about.key) == path {
				return about.consequence, true
			}
		}
		return consequence{}, false
	}
	switch {
	case strings.HasPrefix(path, seasonPrefix):
		return consequence{effect: Forward}, true
	case strings.HasPrefix(path, currencyPrefix):
		return currencyChanged, true
	}
	for _, about := range gameRules {
		if about.key == path {
			return about.consequence, true
		}
	}
	return consequence{}, false
}
