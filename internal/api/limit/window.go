package limit

// cellsPerWindow is how finely a window is counted: requests within one such part of it share a
// cell, and leave the window together with the last of them.
const cellsPerWindow = 32

// window is what one caller was granted within the last window. Times are Unix nanoseconds.
type window struct{ cells []cell }

type cell struct {
	first, last int64
	n           int
}

// drop forgets what is no longer in the window that ends now. If the clock was moved back by
// more than a window, it forgets everything.
func (w *window) drop(now, length int64) {
	if k := len(w.cells); k > 0 && now < w.cells[k-1].last-length {
		w.cells = w.cells[:0]
	}
	expired := 0
	for expired < len(w.cells) && w.cells[expired].last <= now-length {
		expired++
	}
	if expired > 0 {
		w.cells = append(w.cells[:0], w.cells[expired:]...)
	}
}

// count is how many were in the window at the last drop.
func (w *window) count() (n int) {
	for _, c := range w.cells {
		n += c.n
	}
	return n
}

// countAt is how many of them will still be in the window at a later time.
func (w *window) countAt(at, length int64) (n int) {
	for _, c := range w.cells {
		if c.last > at-length {
			n += c.n
		}
	}
	return n
}

func (w *window) add(now, length int64, n int) {
	if k := len(w.cells); k > 0 && now-w.cells[k-1].first < length/cellsPerWindow {
		w.cells[k-1].n += n
		w.cells[k-1].last = max(w.cells[k-1].last, now)
		return
	}
	w.cells = append(w.cells, cell{now, now, n})
}

// takeBack removes up to n that were added at a time, and returns how many it has removed.
func (w *window) takeBack(at int64, n int) int {
	for i, c := range w.cells {
		if c.first > at || c.last < at {
			continue
		}
		n = min(n, c.n)
		if w.cells[i].n -= n; w.cells[i].n == 0 {
			w.cells = append(w.cells[:i], w.cells[i+1:]...)
		}
		return n
	}
	return 0
}
