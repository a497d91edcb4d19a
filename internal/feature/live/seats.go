package live

import (
	"net/netip"
	"sync"
)

// How many viewers a process accepts by default. A viewer takes some 6 KB and a connection. A
// whole school may share one address.
const (
	mostViewers    = 10_000
	mostOfAnOrigin = 200
)

// Seats bounds how many viewers watch at once, in all and from each address. It is safe for
// concurrent use.
type Seats struct {
	most, each int

	mu      sync.Mutex
	taken   int
	holders map[netip.Prefix]int
}

// NewSeats makes Seats for most viewers in all, and each from one address; 0 is the default.
func NewSeats(most, each int) *Seats {
	if most == 0 {
		most = mostViewers
	}
	if each == 0 {
		each = mostOfAnOrigin
	}
	return &Seats{most: most, each: each, holders: map[netip.Prefix]int{}}
}

// Take takes a seat for a viewer, if one is free. leave gives it back.
func (s *Seats) Take(from netip.Prefix) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.most || s.holders[from] >= s.each {
		return nil, false
	}
	s.taken++
	s.holders[from]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.taken--
		if s.holders[from]--; s.holders[from] == 0 {
			delete(s.holders, from)
		}
	}), true
}
