package submission

import (
	"slices"

	"github.com/framedle/leaderboards/internal/fields"
)

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

// readView reads which parts a submission asks for.
func readView(f *fields.Object) View {
	all := ViewParts()
	parts, _ := f.Texts("view", false, len(all))
	for i, part := range parts {
		switch {
		case !slices.Contains(all, part):
			f.ItemFault("view", i, "there is no such part; use page, around, friends, week and me")
		case slices.Contains(parts[:i], part):
			f.ItemFault("view", i, "this part is there twice")
		}
	}
	return parts
}
