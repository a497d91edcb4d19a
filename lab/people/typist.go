package people

import (
	"math"
	"math/rand/v2"
	"strings"
)

// Typist types as people do: gaps between keys and the times that keys are held are
// drawn from log-normal distributions, fast ones hold a key until after the next one,
// and some letters are wrong. It is a stand-in: what real people do varies more.
type Typist struct {
	Gap   float64 // ms between two keys, in the middle
	Hold  float64 // ms that a key is held, in the middle
	Wrong float64 // chance of a wrong letter
}

// NewTypist draws somebody of 25 to 110 words a minute.
func NewTypist(r *rand.Rand) Typist {
	wpm := 25 + 85*r.Float64()
	return Typist{Gap: 12_000 / wpm, Hold: 70 + 50*r.Float64(), Wrong: 0.005 + 0.05*r.Float64()}
}

// Typing is what was typed within a time, and what the keys did: one gap before, and
// one hold of, each key down, in milliseconds.
type Typing struct {
	Typed string
	Gaps  []int
	Holds []int
}

// spread is the deviation of the logarithm of a gap, and of a hold.
const (
	spreadGaps  = 0.35
	spreadHolds = 0.25
)

// Type types a text for so many milliseconds.
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
