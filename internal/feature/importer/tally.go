package importer

import "slices"

// Counts are how many lines had which result.
type Counts struct {
	Accepted int64 `json:"accepted"`
	Improved int64 `json:"improved"`
	Kept     int64 `json:"kept"`     // an earlier score remains
	Replayed int64 `json:"replayed"` // counted before: a sum, or a batch that was sent already
	Refused  int64 `json:"refused"`
}

// Written is the number of lines that the product has taken.
func (c Counts) Written() int64 { return c.Accepted + c.Improved + c.Kept + c.Replayed }

func (c *Counts) add(other Counts) {
	c.Accepted += other.Accepted
	c.Improved += other.Improved
	c.Kept += other.Kept
	c.Replayed += other.Replayed
	c.Refused += other.Refused
}

// took counts one answer. It returns false for an unknown status.
func (c *Counts) took(status string) bool {
	switch status {
	case "accepted":
		c.Accepted++
	case "improved":
		c.Improved++
	case "kept":
		c.Kept++
	case "replayed":
		c.Replayed++
	default:
		return false
	}
	return true
}

// Refusal is a line that was not taken.
type Refusal struct {
	Line   int64
	Kind   string // the same for all lines with this fault
	Reason string
	Text   string // the line
}

// Kind is the number of refusals of one kind.
type Kind struct {
	Name  string
	Count int64
	First int64 // line
}

// How much of the refusals is kept in memory.
const (
	maxKinds    = 50
	maxExamples = 20
)

// otherKinds is the kind of all refusals beyond maxKinds.
const otherKinds = "other reasons"

// Tally counts refusals by kind and keeps the first few.
type Tally struct {
	Examples []Refusal // the first 20
	Count    int64
	kinds    []Kind
}

// Add takes one more.
func (t *Tally) Add(r Refusal) {
	t.Count++
	if len(t.Examples) < maxExamples {
		t.Examples = append(t.Examples, r)
	}
	name := r.Kind
	if len(t.kinds) >= maxKinds && t.find(name) < 0 {
		name = otherKinds
	}
	i := t.find(name)
	if i < 0 {
		i = len(t.kinds)
		t.kinds = append(t.kinds, Kind{Name: name, First: r.Line})
	}
	t.kinds[i].Count++
}

func (t *Tally) find(name string) int {
	return slices.IndexFunc(t.kinds, func(k Kind) bool { return k.Name == name })
}

// ByCount returns the kinds, the most frequent first; at most 51.
func (t *Tally) ByCount() []Kind {
	sorted := slices.Clone(t.kinds)
	slices.SortStableFunc(sorted, func(a, b Kind) int { return int(b.Count - a.Count) })
	return sorted
}
