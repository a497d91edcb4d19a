// Package gamefile reads a game from its YAML file. It knows the file's form: keys, types,
// defaults and the line of each value, so that every problem is reported with its line. Package
// game decides which games are valid; that must not be decided here.
//
// What a file may have is in one table, [sections]: docs/reference/games.md and games/game.schema.json are
// made from it. Features add theirs with [Register].
//
// A file is one YAML document of at most 1 MiB. Unknown and repeated keys,
// anchors, aliases and tags are refused.
package gamefile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// MaxSize is the most bytes a game file may have.
const MaxSize = 1 << 20

// Error is one thing that is wrong with a game file.
type Error struct {
	File    string
	Line    int    // from 1; 0 if no line is to blame
	Path    string // the key, as in modes.daily_frame.policy; empty for the whole file
	Problem string // what is wrong
	Want    string // what would be right
}

// Error is "games/framedle.yaml:12: modes.daily_frame.policy: problem; want".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Problem + "; " + e.Want)
	return b.String()
}

// Parse reads a game from the text of its file; file is the name to report.
// The error joins an *[Error] for each thing that is wrong, in line order.
func Parse(file string, text []byte) (*game.Game, error) {
	r := &findings{file: file, lines: map[string]int{}, bad: map[string]bool{}}
	var description game.Game
	if root := r.document(text); root != nil {
		r.lines[""] = root.Line
		description = r.readGame(root)
	}
	if r.fatal {
		return nil, r.joined()
	}
	g, err := game.New(description)
	var problems game.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			r.addRule(p)
		}
	}
	if len(r.found) > 0 {
		return nil, r.joined()
	}
	return g, err
}
