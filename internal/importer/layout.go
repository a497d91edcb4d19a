package importer

import (
	"slices"
	"strings"
)

// Layout says which fields the lines of a file have.
type Layout struct {
	known    []string
	required []string
	// Rename gives the files' own names of fields: theirs to ours.
	Rename map[string]string
	// Ignore are fields of the files that are passed over.
	Ignore []string
}

// scores are files of scores for the batch endpoint.
var scores = Layout{
	known:    []string{"player", "mode", "date", "score", "played_at", "country"},
	required: []string{"player", "mode", "date", "score"},
}

// PastLayout is that of files that hold a game's past. What must be there of
// mode, date and played_at is left to who reads the rows.
func PastLayout() Layout {
	return Layout{
		known:    slices.Concat(scores.known, []string{"groups", "details", "name", "picture"}),
		required: []string{"player", "score"},
	}
}

// Names lists the fields, for people.
func (l Layout) Names() string {
	last := len(l.known) - 1
	return strings.Join(l.known[:last], ", ") + " and " + l.known[last] + "; in place of score, values.NAME for each value of a mode that ranks by several"
}

// Knows reports whether a field is one of the layout's own.
func (l Layout) Knows(name string) bool { return slices.Contains(l.known, name) || isValue(name) }

// own is the layout's name of a field of a file: "" for one to pass over, false
// for one that is unknown.
func (l Layout) own(name string) (string, bool) {
	if slices.Contains(l.Ignore, name) {
		return "", true
	}
	if ours, ok := l.Rename[name]; ok {
		return ours, true
	}
	if name == "played-at" {
		name = "played_at"
	}
	return name, l.Knows(name)
}
