// Package people is who plays in the laboratory: players with ids, names, pictures,
// countries and groups, where their requests come from, and when they play.
//
// It knows nothing of modes, scores or the product. Everything that is drawn comes
// from a source that is given, so that a seed makes the same people each time.
package people

import (
	"fmt"
	"strconv"
	"strings"
)

// Person is a player. What a scenario does not need is empty.
type Person struct {
	ID      string
	Name    string
	Picture string
	Country string   // its code; "" for none
	Groups  []string // ids
	faith   float64  // chance of playing on a day
	breadth float64  // chance of playing a mode on such a day
}

// IDs are those of people, in order.
func IDs(all []Person) []string {
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	return ids
}

// Series is what the ids of players begin with who differ by a number alone.
type Series string

// Append writes the id of a player, whose number is 0 or more.
func (s Series) Append(b []byte, n int) []byte {
	return strconv.AppendInt(append(b, s...), int64(n), 10)
}

// ID is the id of a player.
func (s Series) ID(n int) string { return string(s.Append(nil, n)) }

// Number reads an id; false for any but those of the numbers below count.
func (s Series) Number(id string, count int) (int, bool) {
	digits, ok := strings.CutPrefix(id, string(s))
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= count || s.ID(n) != id {
		return 0, false
	}
	return n, true
}

// Address is where a player's requests come from, each player's own up to 16,777,216.
func Address(n int) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) }
