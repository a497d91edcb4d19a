package clerk

import "slices"

const (
	pageSize = 500 // the most that Clerk gives
	// overlap is the number of items of a page that the next page asks for again. Pages are
	// counted by offset, oldest first: if an item is deleted meanwhile, all later ones move
	// forward, and one would fall between two pages.
	overlap = 20
)

// Mark is how far a list has been read.
type Mark struct {
	Offset int64    `json:"offset"` // of the next page
	Tail   []string `json:"tail"`   // ids of the last items read; that page begins with them
	Done   bool     `json:"done"`
}

// walk reads a list from a mark on, and calls take with the new items of each page. If many
// items are deleted during the reading, some may come twice, but none is left out.
func walk[T any](m Mark, page func(offset int64) ([]T, error), id func(T) string, take func([]T, Mark) error) error {
	for !m.Done {
		items, err := page(m.Offset)
		if err != nil {
			return err
		}
		from := 0
		if m.Offset > 0 {
			if from = joint(items, m.Tail, id); from == 0 {
				m.Offset = max(0, m.Offset-pageSize/2)
				continue
			}
		}
		next := Mark{Offset: m.Offset + int64(len(items)), Done: len(items) < pageSize}
		if !next.Done {
			next.Offset -= overlap
			for _, item := range items[len(items)-overlap:] {
				next.Tail = append(next.Tail, id(item))
			}
		}
		if err := take(items[from:], next); err != nil {
			return err
		}
		m = next
	}
	return nil
}

// joint returns where in a page the items after the tail begin; 0 if the page has nothing of
// the tail, so that items may be missing in between.
func joint[T any](items []T, tail []string, id func(T) string) int {
	for i := len(items); i > 0; i-- {
		if slices.Contains(tail, id(items[i-1])) {
			return i
		}
	}
	return 0
}
