package game

import "strings"

// Problem is one thing that is wrong with a game's description.
type Problem struct {
	Path string // the value that is wrong, as in modes.daily_frame.policy
	// With has the paths of other values that the finding depends on: if one of them could not
	// be read, the finding means nothing.
	With    []string
	Problem string // what is wrong
	Want    string // what would be right
}

func (p Problem) String() string { return p.Path + ": " + p.Problem + "; " + p.Want }

// Problems are all that is wrong with a game's description, one to a line.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}
