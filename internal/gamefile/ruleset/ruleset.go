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
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
)

// Rules are the rules of a game as text: the key of the game file, as in
// modes.daily_frame.order, and its value.
type Rules map[string]string

// Of returns all rules of a game.
func Of(g *game.Game) Rules {
	r := Rules{}
	for _, about := range gameRules {
		r[about.Key] = about.Value(g)
	}
	for _, m := range g.Modes {
		for _, about := range modeRules {
			r[ModePath(m.Name, about.key)] = about.value(m)
		}
	}
	seasonsInto(r, g)
	for _, t := range tables {
		for name, value := range t.Values(g) {
			r[t.Key+"."+name] = value
		}
	}
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
		about, ok := consequenceOf(path)
		table, named := tableOf(path)
		if strings.HasPrefix(path, seasonPrefix) {
			if value != old[path] {
				changes = append(changes, seasonChange(path, old[path], value, today))
			}
			continue
		}
		switch {
		case named && !there:
			about = table.Removed
		case of && !slices.Contains(after, mode), !ok, there && value == old[path]:
			continue
		}
		if about.On != nil {
			about = about.On(value, today)
		}
		about = judge(about, path, old[path], value)
		changes = append(changes, Change{path, old[path], value, about.Effect, about.Why, about.Instead})
	}
	for _, mode := range before {
		if !slices.Contains(after, mode) {
			changes = append(changes, went(mode, old, now))
		}
	}
	for _, mode := range after {
		if !slices.Contains(before, mode) {
			changes = append(changes, Change{Path: ModePath(mode, ""), New: "added", Effect: Safe, Why: "a new mode starts empty"})
		}
	}
	for path, value := range now {
		_, had := old[path]
		table, named := tableOf(path)
		about, _ := consequenceOf(path)
		switch mode, _ := modeOf(path); {
		case !had && value != off && (path == ratingDecayKey || path == ModePath(mode, decayKey) && slices.Contains(before, mode)):
			changes = append(changes, Change{path, off, value, about.Effect, about.Why, about.Instead})
		case !had && strings.HasPrefix(path, seasonPrefix):
			changes = append(changes, seasonChange(path, "", value, today))
		case !had && named:
			changes = append(changes, Change{path, "", value, table.Added.Effect, table.Added.Why, table.Added.Instead})
		case !had && about.On != nil && value != off:
			about := about.On(value, today)
			changes = append(changes, Change{path, off, value, about.Effect, about.Why, about.Instead})
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// went describes a mode that the game no longer has, and guesses a rename: a new mode with the
// same stored rules.
func went(mode string, old, now Rules) Change {
	c := Change{
		Path: ModePath(mode, ""), Old: "there", Effect: Forward,
		Why: "its boards stay in Redis until they expire, all time forever, and no endpoint shows them",
	}
	for _, other := range now.modes() {
		if !slices.Contains(old.modes(), other) && sameRules(mode, other, old, now) {
			c.Instead = "if this is a rename to " + other + ": give " + other + " renamed_from: " + mode + ", since boards and archive are stored by the name"
		}
	}
	return c
}

func sameRules(mode, other string, old, now Rules) bool {
	for _, about := range modeRules {
		was, has := old[ModePath(mode, about.key)]
		if has && about.Effect != Safe && was != now[ModePath(other, about.key)] {
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

func ModePath(mode, key string) string {
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

// consequenceOf finds what a change of a path means.
func consequenceOf(path string) (Consequence, bool) {
	if mode, ok := modeOf(path); ok {
		for _, about := range modeRules {
			if ModePath(mode, about.key) == path {
				return about.Consequence, true
			}
		}
		return Consequence{}, false
	}
	if strings.HasPrefix(path, seasonPrefix) {
		return Consequence{Effect: Forward}, true
	}
	if table, ok := tableOf(path); ok {
		return table.Changed, true
	}
	for _, about := range gameRules {
		if about.Key == path {
			return about.Consequence, true
		}
	}
	return Consequence{}, false
}

// Table is a feature's rules by name, such as one for each currency. A game that has none has the
// same rules as one that was accepted before there were any.
type Table struct {
	Key    string
	Values func(*game.Game) map[string]string
	// What a change, an addition and a removal of a rule do.
	Changed, Added, Removed Consequence
}

// RegisterTable adds a feature's rules, whose package calls it when it is initialized.
func RegisterTable(t Table) { tables = append(tables, t) }

var tables []Table

func tableOf(path string) (Table, bool) {
	key, _, _ := strings.Cut(path, ".")
	i := slices.IndexFunc(tables, func(t Table) bool { return t.Key == key })
	if i < 0 {
		return Table{}, false
	}
	return tables[i], true
}

// ChangedError refuses rules by which stored data would be read wrongly, or lost.
type ChangedError struct {
	Changes []Change // each of them Refused
}

func (e *ChangedError) Error() string {
	said := make([]string, len(e.Changes))
	for i, c := range e.Changes {
		said[i] = c.Path + ": " + c.Old + " -> " + c.New + ": " + c.Why + "; instead: " + c.Instead
	}
	return "the boards use other rules than this build: " + strings.Join(said, ". ")
}

func (e *ChangedError) Fault() fault.Fault {
	return fault.Fault{
		Code: "rules-changed", Wait: time.Minute, // wrong rules may be replaced by then
		Detail: e.Error() + ". Until the operator deploys the rules of the boards, or accepts these (lbctl game accept), reads are served and all writes rejected",
	}
}

// Check compares rules, on a date, with those that boards are kept by. These are several only
// while they are being replaced. The error is a *ChangedError.
func Check(kept []Rules, now Rules, today game.Date) error {
	var refused []Change
	seen := map[string]bool{}
	for _, old := range kept {
		for _, c := range Diff(old, now, today) {
			if c.Effect == Refused && !seen[c.Path] {
				seen[c.Path] = true
				refused = append(refused, c)
			}
		}
	}
	if len(refused) > 0 {
		return &ChangedError{refused}
	}
	return nil
}

// Keep is what is stored after new rules have replaced others: the new rules, and what was
// known of modes that the game no longer has, since there may be boards of them. What a newer
// build has stored stays too.
func Keep(kept []Rules, now Rules) string {
	all := Rules{}
	for _, old := range kept {
		maps.Copy(all, old)
	}
	for path, value := range now {
		if about, ok := consequenceOf(path); ok && about.Effect != Safe {
			all[path] = value
		}
	}
	text, _ := json.Marshal(all) // a map of strings always has a form
	return string(text)
}

const seasonPrefix = "seasons."

const (
	// rolledUpAfter is for how many days after a season's first day none of its days has been
	// rolled up: day boards live seven days at least after their day, and are rolled up in the
	// last quarter of that.
	rolledUpAfter = 5
	// rolledUpWithin is for how many days after a season some day of it may not be rolled up:
	// no day board lives longer.
	rolledUpWithin = 31
)

const restoreSeason = "; or accept the rules, and rebuild the season from the archive with lbctl restore"

// seasonsInto adds one rule for each season.
func seasonsInto(r Rules, g *game.Game) {
	for _, s := range g.Seasons {
		r[seasonPrefix+s.Name] = s.First.String() + " to " + s.Last.String()
	}
}

// daysOf reads a rule of a season. A text that is no such rule gives a season long past.
func daysOf(rule string) (first, last game.Date) {
	from, to, _ := strings.Cut(rule, " to ")
	first, err := game.ParseDate(from)
	if last, lastErr := game.ParseDate(to); err == nil && lastErr == nil {
		return first, last
	}
	return game.Date{}, game.Date{}
}

// seasonChange is what adding, changing or removing a season does on a date; one of the rules
// may be empty.
func seasonChange(path, old, now string, today game.Date) Change {
	c := Change{Path: path, Old: old, New: now, Effect: Safe}
	first, last := daysOf(old)
	begins, _ := daysOf(now)
	begun := old != "" && !first.After(today)
	late := now != "" && today.DaysSince(begins) > rolledUpAfter
	switch {
	case now == "" && !begun:
		c.Why = "it has not started, so it has no data"
	case now == "" && today.DaysSince(last) > rolledUpWithin:
		c.Effect, c.Why = Forward, "its boards stay in Redis until they expire, and no endpoint shows them; do not reuse its name"
	case now == "":
		c.Effect, c.Why = Refused, "its days are rolled up from now on without being added to it, so it could not be restored"
		c.Instead = "leave it in the file until a month after its last day"
	case old != "" && begun:
		c.Effect, c.Why = Refused, "it has started, and its boards include days by the old dates"
		c.Instead = "use a new name for the new dates" + restoreSeason
	case late:
		c.Effect, c.Why = Refused, fmt.Sprintf("days of it that are more than %d days old have been rolled up and would be missing", rolledUpAfter)
		c.Instead = "use a first day in the future" + restoreSeason
	default:
		c.Why = "it is built from its days, as soon as it has started"
	}
	return c
}
