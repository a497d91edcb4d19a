package play

import (
	"fmt"
	"time"
)

// Thresholds below which a play is held. Of 34,935 sentences that 2,329 people typed, three are
// below one of them, and of 44,464 windows of 15, 30 and 60 s none. The least standard deviation
// of gaps was 20.8 ms, and 0.161 of their mean.
const (
	gapSpread        = 15 // ms, standard deviation
	gapSpreadPercent = 15 // of the mean
	holdMean         = 20 // ms
	holdSpread       = 4  // ms, standard deviation
	// overlapFrom is the speed in hundredths of wpm above which people press a key before
	// they have released the one before.
	overlapFrom = 100_00
	// judged is the least number of key downs from which variation can be judged. A play with
	// fewer ranks nowhere.
	judged = 10
)

// timing is when keys went down and came up.
type timing struct {
	gaps  []int64 // between key downs: one fewer than key downs
	holds []int64
	whole int64 // from the beginning to the last key down
}

// newTiming leaves the first gap out of the gaps: no key comes before it.
func newTiming(gaps, holds []int64) timing {
	t := timing{gaps: gaps[1:], holds: holds}
	for _, gap := range gaps {
		t.whole += gap
	}
	return t
}

// possible refuses what cannot have happened since the play began.
func (t timing) possible(p Play, passed time.Duration) error {
	over := int64(p.Challenge.Seconds)*1000 + late
	if t.whole > min(over, passed.Milliseconds()) {
		return Refuse(Longer, "the keys took %d ms, of a challenge of %d s that began %d ms ago", t.whole, p.Challenge.Seconds, passed.Milliseconds())
	}
	typing, pauses := int64(0), 0
	for i, gap := range t.gaps {
		typing += gap
		if gap > pauseMost {
			return Refuse(LongPause, "before key down %d is a pause of %d ms; none may be longer than %d", i+2, gap, pauseMost)
		}
		if gap >= pauseLong {
			pauses++
		}
	}
	if pauses > pausesLong {
		return Refuse(ManyPauses, "there are %d pauses of %d s or more; there may be %d", pauses, pauseLong/1000, pausesLong)
	}
	if i, found := t.burst(); found {
		return Refuse(Burst, "from key down %d on there are more than %d in a second", i, perBurst)
	}
	if len(t.holds) >= judged && int64(len(t.gaps))*1000 > perSecond*typing {
		return Refuse(TooFast, "%d key downs in %d ms are more than %d a second", len(t.holds), typing, perSecond)
	}
	return nil
}

// burst finds a second with more key downs than hands can press. First is its first key down,
// counted from 1.
func (t timing) burst() (first int, found bool) {
	within := int64(0) // from key down i-perBurst to key down i
	for i, gap := range t.gaps {
		within += gap
		if i >= perBurst {
			within -= t.gaps[i-perBurst]
		}
		if i >= perBurst-1 && within < 1000 {
			return i + 2 - perBurst, true
		}
	}
	return 0, false
}

// suspicious says why a play is held; empty: people type like this. A clock that the browser
// rounds, to 16 or 100 ms, is no exception: it rounds when keys come up too, so the mean of holds
// stays what it was, they vary by a tick, and of many overlaps some stay.
func (t timing) suspicious(wpm int64) string {
	if len(t.holds) < judged {
		return ""
	}
	if below(t.gaps, gapSpread) {
		return fmt.Sprintf("the gaps vary by less than %d ms", gapSpread)
	}
	if belowPercent(t.gaps, gapSpreadPercent) {
		return fmt.Sprintf("the gaps vary by less than %d %% of their mean", gapSpreadPercent)
	}
	switch total := sum(t.holds); {
	case total < holdMean*int64(len(t.holds)):
		return fmt.Sprintf("keys stay down for less than %d ms on average", holdMean)
	case below(t.holds, holdSpread):
		return fmt.Sprintf("how long keys stay down varies by less than %d ms", holdSpread)
	case wpm > overlapFrom && !t.overlaps():
		return fmt.Sprintf("no two keys are down at once at more than %d wpm", overlapFrom/100)
	}
	return ""
}

// overlaps reports whether a key went down before the one before it came up.
func (t timing) overlaps() bool {
	for i, gap := range t.gaps {
		if t.holds[i] > gap {
			return true
		}
	}
	return false
}

func sum(of []int64) (total int64) {
	for _, n := range of {
		total += n
	}
	return total
}

// below reports whether the standard deviation is less than most. It is exact: n·Σx² - (Σx)²
// is n² times the variance. It subtracts the integer part of the mean first, and returns
// early if the values vary far more, so that nothing exceeds 63 bits.
func below(of []int64, most int64) bool {
	n := int64(len(of))
	mean := sum(of) / n
	total, squares := int64(0), int64(0)
	for _, x := range of {
		total += x - mean
		squares += (x - mean) * (x - mean)
	}
	if squares >= (most*most+1)*n { // total is less than n
		return false
	}
	return n*squares-total*total < most*most*n*n
}

// belowPercent reports whether the standard deviation of gaps is less than so many percent of
// their mean. It is exact: n·Σx² - (Σx)² is n² times the variance. Gaps are at most
// pauseMost, and together at most as long as a challenge, so nothing exceeds 63 bits.
func belowPercent(of []int64, percent int64) bool {
	n, total, squares := int64(len(of)), sum(of), int64(0)
	for _, x := range of {
		squares += x * x
	}
	return 100*100*(n*squares-total*total) < percent*percent*total*total
}
