// Package heavy finds the few names that spend most. Its memory does not grow with the number
// of names, so its sums are not exact; it gives bounds for them.
//
// It knows names and sums. It must not know whom the names stand for.
package heavy

const (
	// slots is how many names a Sketch follows: some 10 KB with ids of 128 bytes.
	slots = 64
	// Share is the part of a Sketch's total above which a name is always in its
	// Record: a 16th. So a Record has fewer than 16 names.
	Share = 16
)

// Sketch follows the names that have spent most: the Space-Saving algorithm of
// Metwally, Agrawal and El Abbadi, "Efficient computation of frequent and top-k
// elements in data streams", ICDT 2005, with sums instead of counts. The counts
// of its slots add up to the total, so the least of them is at most a 64th of it,
// and no name without a slot has spent more than that. The zero Sketch is empty.
type Sketch struct {
	total int64
	at    map[string]int // index of a name's slot
	slots []Entry
}

// Entry is one name of a Sketch or Record: it has spent at most Count, and at
// least Count - Over.
type Entry struct {
	Name  string
	Count int64
	Over  int64 // what another name may have left in the slot
}

// Add adds what a name has spent.
func (s *Sketch) Add(name string, spent int64) {
	if spent <= 0 {
		return
	}
	if s.at == nil {
		s.at = make(map[string]int, slots)
	}
	s.total += spent
	if i, known := s.at[name]; known {
		s.slots[i].Count += spent
		return
	}
	if len(s.slots) < slots {
		s.at[name] = len(s.slots)
		s.slots = append(s.slots, Entry{Name: name, Count: spent})
		return
	}
	least := 0
	for i, e := range s.slots {
		if e.Count < s.slots[least].Count {
			least = i
		}
	}
	old := s.slots[least]
	delete(s.at, old.Name)
	s.at[name] = least
	s.slots[least] = Entry{Name: name, Count: old.Count + spent, Over: old.Count}
}

// Record is what a process reports of a Sketch.
type Record struct {
	Total   int64   // spent by all names
	Rest    int64   // the most that any name outside Entries can have spent: at most a 16th of Total
	Entries []Entry // those above a 16th of Total, in no order
}

// Record keeps the names above a 16th of the total.
func (s *Sketch) Record() Record {
	r := Record{Total: s.total}
	for _, e := range s.slots {
		if e.Count > s.total/Share {
			r.Entries = append(r.Entries, e)
		} else {
			r.Rest = max(r.Rest, e.Count)
		}
	}
	return r
}
