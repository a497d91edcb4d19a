package limit

// slotsPerWindow is how finely Redis counts: a request counts until its whole slot has left the
// window.
const slotsPerWindow = 6

// shared is what one process knows of the requests of one caller in other processes. The arrays
// have a slot at its number modulo their length.
type shared struct {
	slot   int64 // the newest slot that was asked about
	exists bool  // the slot's key is known to exist
	ours   [slotsPerWindow + 1]int
	others [slotsPerWindow + 1]int
}

func place(slot int64) int { return int(slot % (slotsPerWindow + 1)) }

// enter makes slot the newest. A slot before the newest says that the clock was moved back.
func (s *shared) enter(slot int64) {
	if slot == s.slot {
		return
	}
	if slot < s.slot || slot > s.slot+slotsPerWindow {
		s.ours, s.others = [slotsPerWindow + 1]int{}, [slotsPerWindow + 1]int{}
	} else {
		for i := s.slot + 1; i <= slot; i++ {
			s.ours[place(i)], s.others[place(i)] = 0, 0
		}
	}
	s.slot, s.exists = slot, false
}

// othersAt is how many requests in other processes are in a window that ends in a slot, as far
// as this process knows.
func (s *shared) othersAt(slot int64) (n int) {
	for i := slot - slotsPerWindow; i <= min(slot, s.slot); i++ {
		if i >= 0 && i >= s.slot-slotsPerWindow {
			n += s.others[place(i)]
		}
	}
	return n
}

// learn notes the answer to an ask about a slot, mostly the newest. It reports whether Redis
// has counted what it was told.
func (s *shared) learn(a Ask, got Answer) (told bool) {
	told = !a.Create || got.Created
	if told {
		s.ours[place(a.Slot)] += a.Add
	}
	s.others[place(a.Slot)] = max(0, got.Count-s.ours[place(a.Slot)])
	if a.Create {
		for i, before := range got.Before {
			if slot := a.Slot - 1 - int64(i); slot >= 0 {
				s.others[place(slot)] = max(0, before-s.ours[place(slot)])
			}
		}
	}
	if a.Slot == s.slot {
		s.exists = true
	}
	return told
}
