package importer

import (
	"slices"
	"strings"
)

// Layout says which fields the lines of a file have.
type Layout struct {
	known    []string
	required []string
	// Rename maps the files' own names of fields to ours.
	Rename map[string]string
	// Ignore are fields of the files to skip.
	Ignore []string
}

// scores are files of scores for the batch endpoint.
var scores = Layout{
	known:    []string{"player", "mode", "date", "score", "played_at", "country"},
	required: []string{"player", "mode", "date", "score"},
}

// PastLayout is the layout of files with a game's past. The reader of the rows decides which
// of mode, date and played_at are required.
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

// ownColumn returns the layout's name of a field of a file: "" for a field to skip, false for an
// unknown field.
func (l Layout) ownColumn(name string) (string, bool) {
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
