package submission

import "slices"

// View names the parts of a result screen that are asked for beside a score's own answer.
type View []string

// The parts that there are.
const (
	ViewPage    = "page"
	ViewAround  = "around"
	ViewFriends = "friends"
	ViewWeek    = "week"
	ViewMe      = "me"
)

// ViewParts are all of them, in the order in which they are read: the names that one
// part has looked up, the next ones know.
func ViewParts() []string { return []string{ViewPage, ViewAround, ViewFriends, ViewWeek, ViewMe} }

// Has reports whether a part is asked for.
func (v View) Has(part string) bool { return slices.Contains(v, part) }
