package demo

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/client"
)

// Play is one score that was sent.
type Play struct {
	Mode, Date, Player string
	Score              float64
	Status             string // the product's answer
}

const (
	tries = 6 // guesses that a round allows
	// widest is the largest number of steps between the worst and the best score of the demo:
	// a mode's Max may be far beyond what anybody plays.
	widest = 1200
	// longest is widest for modes in which the best of many plays counts.
	longest = 60
)

// arrival is a play that is still to be sent.
type arrival struct {
	person int
	mode   int
	at     float64 // time of the day, 0 to 1
}

// arrivals returns a day's plays in the order in which they come. They depend only on the seed
// and the date.
func arrivals(seed uint64, date string, people []Person, modes []client.Mode) (all []arrival) {
	random := randomOf(seed, date)
	for p, person := range people {
		at := hour(random)
		for m := range modes {
			if random.Float64() < person.keen && !modes[m].Computed {
				// One mode after the other, a minute or so apart.
				all = append(all, arrival{p, m, math.Min(at+float64(m)*random.Float64()/600, 0.999)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b arrival) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	return all
}

// hour draws the time at which a player comes: a puzzle of the day has most of its players in
// the morning, a second wave in the evening, and some at any time.
func hour(random *rand.Rand) float64 {
	at := random.Float64()
	switch wave := random.Float64(); {
	case wave < 0.45:
		at = 0.33 + 0.06*random.NormFloat64()
	case wave < 0.8:
		at = 0.80 + 0.07*random.NormFloat64()
	}
	return math.Min(math.Max(at, 0), 0.99)
}

func randomOf(seed uint64, date string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(date)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// submission plays a mode according to the person's skill.
func submission(random *rand.Rand, who Person, mode client.Mode, date string) client.Submission {
	luck := who.skill + 0.16*random.NormFloat64()
	guesses := max(1, int(math.Round((1-luck)*tries*1.3)))
	found := guesses <= tries
	quality := 0.0
	if found {
		quality = math.Min(math.Max(luck, 0), 1)
	}
	s := client.Submission{Mode: mode.Name, Player: who.ID, Date: date}
	if len(mode.Values) > 0 {
		s.Values = values(random, mode, quality)
	} else {
		s.Score = score(mode, quality)
	}
	if mode.Details {
		s.Details = details(guesses, found)
	}
	return s
}

// values draws the values of a play. The first depends on its quality and stays far from the
// best bound, which nobody reaches; the others are random near their best.
func values(random *rand.Rand, m client.Mode, quality float64) client.Values {
	of := client.Values{}
	for i, v := range m.Values {
		share := 0.1 + 0.25*quality + 0.05*random.Float64()
		if i > 0 {
			share = 0.88 + 0.12*random.Float64()
		}
		if v.Order == "asc" {
			share = 1 - share
		}
		units := math.Pow10(v.Decimals)
		of[v.Name] = math.Round((v.Min+share*(v.Max-v.Min))*units) / units
	}
	return of
}

// score returns a score within the mode's bounds, in steps coarse enough that some scores are
// equal, as in a puzzle.
func score(m client.Mode, quality float64) float64 {
	units := math.Pow10(m.Decimals) // of the last decimal place
	span := math.Min(math.Round((m.Max-m.Min)*units), widest)
	if m.Policy == "best" {
		span = math.Min(span, longest)
	}
	step := math.Max(math.Floor(span/40), 1)
	steps := math.Min(math.Round(quality*span/step)*step, span)
	if m.Order == "asc" {
		steps = span - steps
	}
	return (math.Round(m.Min*units) + steps) / units // the quotient is exactly the number as written
}

// details are what a page turns into an emoji grid, see docs/build/web.md.
func details(guesses int, found bool) any {
	if !found {
		return map[string]any{"guesses": 0, "grid": strings.Repeat("🟥", tries)}
	}
	return map[string]any{"guesses": guesses, "grid": strings.Repeat("🟥", guesses-1) + "🟩" + strings.Repeat("⬛", tries-guesses)}
}

// dateOf returns the date of a time, as the product writes it.
func dateOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
