// Package people is the players of the laboratory: their ids, names, pictures, countries
// and groups, the addresses of their requests, and when they play.
//
// It knows nothing of modes, scores or the product. It draws everything from a given
// source, so that a seed makes the same people each time.
package people

import (
	"fmt"
	"strconv"
	"strings"
)

// Person is a player. Fields that a scenario does not need are empty.
type Person struct {
	ID      string
	Name    string
	Picture string
	Country string   // its code; "" for none
	Groups  []string // ids
	faith   float64  // chance of playing on a day
	breadth float64  // chance of playing a mode on such a day
}

// IDs are the ids of people, in the same order.
func IDs(all []Person) []string {
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	return ids
}

// Series is the common beginning of the ids of players who differ only by a number.
type Series string

// Append appends the id of the player with number n, 0 or more.
func (s Series) Append(b []byte, n int) []byte {
	return strconv.AppendInt(append(b, s...), int64(n), 10)
}

// ID is the id of the player with number n.
func (s Series) ID(n int) string { return string(s.Append(nil, n)) }

// Number returns the number in an id; false unless it is the id of a number below count.
func (s Series) Number(id string, count int) (int, bool) {
	digits, ok := strings.CutPrefix(id, string(s))
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= count || s.ID(n) != id {
		return 0, false
	}
	return n, true
}

// Address is the address of a player's requests; up to 16,777,216 players have addresses
// of their own.
func Address(n int) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) }
