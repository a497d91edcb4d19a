package game

import "time"

// The bounds of the number of buckets of a distribution.
const (
	MostBuckets    = 50
	DefaultBuckets = 20
)

// Bucket is how many players have a score from one number to another, both included.
// The numbers are those of the mode's leading value, see [Leading], scaled by its
// decimals.
type Bucket struct {
	From, To Score
	Players  int64
}

// Distribution is how many players of a board have which scores: buckets that follow each
// other without a gap, the lowest numbers first. Every player is in one of them, once.
type Distribution struct {
	Board     Board
	Buckets   []Bucket // none if nobody is on the board
	Total     int64
	UpdatedAt time.Time
	Closed    bool
	Stale     error // why Redis refuses, if the distribution is as it was at UpdatedAt; nil: it is not stale
}

// Buckets returns empty buckets, at most so many, that cover all scores between two. Each is as
// wide as a round number, which is 1, 2 or 5 and zeros, and begins at a multiple of it. If the
// mode has no more numbers than buckets, each number has its own.
func Buckets(m *Mode, one, other Score, most int) []Bucket {
	first, last := leadingOf(m, one), leadingOf(m, other)
	first, last = min(first, last), max(first, last)
	v := Leading(m)
	within := v.Min <= first && last <= v.Max
	if within && v.steps() <= uint64(most) {
		first, last = v.Min, v.Max
	}
	if most == 1 { // multiples have a border at 0, which may lie in between
		return []Bucket{{From: first, To: last}}
	}
	width := roundWidth(first, last, most)
	var buckets []Bucket
	for from := floorTo(first, width); from <= last; from += width {
		buckets = append(buckets, Bucket{From: from, To: from + width - 1})
	}
	if within {
		buckets[0].From = max(buckets[0].From, v.Min)
		end := &buckets[len(buckets)-1]
		end.To = min(end.To, v.Max)
	}
	return buckets
}

// roundWidth is the least round width with which at most so many buckets, but two at least,
// cover the numbers.
func roundWidth(first, last Score, most int) Score {
	for unit := Score(1); ; unit *= 10 {
		for _, digit := range []Score{1, 2, 5} {
			width := digit * unit
			if (floorTo(last, width)-floorTo(first, width))/width < Score(most) {
				return width
			}
		}
	}
}

// floorTo is the greatest multiple of a width that is not above n.
func floorTo(n, width Score) Score {
	past := n % width
	if past < 0 {
		past += width
	}
	return n - past
}

// leadingOf is the number of a score that decides first.
func leadingOf(m *Mode, s Score) Score {
	if m.Composite() {
		return m.Unpack(s)[0]
	}
	return s
}

// Bounds are the lowest and the highest score of a bucket, as boards have them.
func (b Bucket) Bounds(m *Mode) (lowest, highest Score) {
	if !m.Composite() {
		return b.From, b.To
	}
	v := Leading(m)
	one, other := v.step(b.From, m.Order), v.step(b.To, m.Order)
	return min(one, other) * tail(m), max(one, other)*tail(m) + tail(m) - 1
}

// BucketOf is the index of the bucket that a score is in, or the nearest one.
func (d *Distribution) BucketOf(s Score) int {
	n := leadingOf(d.Board.Mode, s)
	for i, b := range d.Buckets {
		if n <= b.To {
			return i
		}
	}
	return len(d.Buckets) - 1
}

// Reach widens the outer buckets to cover two scores, of players who came in since the buckets
// were made.
func (d *Distribution) Reach(one, other Score) {
	if len(d.Buckets) == 0 {
		return
	}
	first, last := &d.Buckets[0], &d.Buckets[len(d.Buckets)-1]
	for _, s := range []Score{one, other} {
		n := leadingOf(d.Board.Mode, s)
		first.From, last.To = min(first.From, n), max(last.To, n)
	}
}

// Count sets the players of the buckets, in their order.
func (d *Distribution) Count(players []int64) {
	d.Total = 0
	for i, n := range players {
		d.Buckets[i].Players = n
		d.Total += n
	}
}
