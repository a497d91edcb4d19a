package people

import (
	"math"
	"math/rand/v2"
	"strings"
)

// Typist types as people do. Gaps between keys, and how long keys are held, are drawn
// from log-normal distributions; fast typists hold a key until after the next one; some
// letters are wrong. Real people vary more.
type Typist struct {
	Gap   float64 // median, in ms, between two keys
	Hold  float64 // median, in ms, for which a key is held
	Wrong float64 // chance of a wrong letter
}

// NewTypist draws a typist of 25 to 110 words a minute.
func NewTypist(r *rand.Rand) Typist {
	wpm := 25 + 85*r.Float64()
	return Typist{Gap: 12_000 / wpm, Hold: 70 + 50*r.Float64(), Wrong: 0.005 + 0.05*r.Float64()}
}

// Typing is what was typed within a time. For each key down it has the gap before the key
// and how long the key was held, in milliseconds.
type Typing struct {
	Typed string
	Gaps  []int
	Holds []int
}

// Standard deviations of the logarithms of gaps and holds.
const (
	spreadGaps  = 0.35
	spreadHolds = 0.25
)

// Type types a text for ms milliseconds.
func (t Typist) Type(r *rand.Rand, text string, ms int) Typing {
	var typed strings.Builder
	var keys Typing
	at := 0
	for i, letter := range text {
		gap := 0
		if i > 0 {
			gap = max(20, int(t.Gap*math.Exp(spreadGaps*r.NormFloat64())))
		}
		if at += gap; at > ms {
			break
		}
		if r.Float64() < t.Wrong {
			letter = 'a' + rune(r.IntN(26))
		}
		typed.WriteRune(letter)
		keys.Gaps = append(keys.Gaps, gap)
		keys.Holds = append(keys.Holds, max(25, int(t.Hold*math.Exp(spreadHolds*r.NormFloat64()))))
	}
	keys.Typed = typed.String()
	return keys
}
