// This file computes what a day's acts add up to: who was active, each player's counters,
// which messages are within a burst, and how many points that gives. An act is an event of
// one group and day.
//
// It is pure: the same acts give the same result, in any order and however often they occur.
// It must not know Redis, where events come from, or what time it is.

package activity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Act is an event of one group and day.
type Act struct {
	ID     string // of the event; empty if the type only says who is active
	Type   string
	At     int64 // Unix milliseconds
	Who    []string
	Winner string // one of Who, or empty
}

// Text is the act without its time: id, type, players and, if there are two, the number of
// the winner. All acts of a day that only say who is active have the same text.
func (a Act) Text() string {
	words := append([]string{cmp.Or(a.ID, noID), a.Type}, a.Who...)
	if i := slices.Index(a.Who, a.Winner); i >= 0 {
		words = append(words, winnerMark+string(rune('1'+i)))
	}
	return strings.Join(words, " ")
}

const (
	noID       = "-"
	winnerMark = "=" // no player's id begins with it
)

// Read is the inverse of Text.
func ReadAct(text string, at int64) (Act, error) {
	words := strings.Split(text, " ")
	a := Act{At: at}
	if len(words) > 2 && words[0] != "" && words[1] != "" {
		a.ID, a.Type, a.Who = words[0], words[1], words[2:]
		if last := a.Who[len(a.Who)-1]; strings.HasPrefix(last, winnerMark) {
			a.Who = a.Who[:len(a.Who)-1]
			if n := int(last[len(last)-1] - '1'); n >= 0 && n < len(a.Who) && len(last) == 2 {
				a.Winner = a.Who[n]
			}
		}
	}
	if len(a.Who) < 1 || len(a.Who) > 2 {
		return Act{}, fmt.Errorf("%.80q is not an act", text)
	}
	return a, nil
}

// player is the player with a role in the act; empty if there is none. The role of both users
// has no single player.
func (a Act) player(role Role) string {
	switch role {
	case From, User:
		return a.Who[0]
	case To:
		if len(a.Who) > 1 {
			return a.Who[1]
		}
	case Winner:
		return a.Winner
	}
	return ""
}

// once keeps one act of each id. If acts with the same id differ, it keeps the one whose text
// comes first. It keeps all acts without an id.
func once(acts []Act) []Act {
	kept := slices.Clone(acts)
	slices.SortFunc(kept, func(a, b Act) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Text(), b.Text()), cmp.Compare(a.At, b.At))
	})
	return slices.CompactFunc(kept, func(a, b Act) bool { return a.ID == b.ID && a.ID != "" && a.ID != noID })
}
