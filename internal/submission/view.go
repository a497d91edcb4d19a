package submission

import "slices"

// View names the parts of a result screen that a submission asks for in addition to its own
// answer.
type View []string

// The parts of a view.
const (
	ViewPage    = "page"
	ViewAround  = "around"
	ViewFriends = "friends"
	ViewWeek    = "week"
	ViewMe      = "me"
)

// ViewParts are all parts in the order in which they are read. Names that one part has looked
// up are in memory for the next ones.
func ViewParts() []string { return []string{ViewPage, ViewAround, ViewFriends, ViewWeek, ViewMe} }

// Has reports whether a part is asked for.
func (v View) Has(part string) bool { return slices.Contains(v, part) }
