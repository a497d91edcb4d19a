package game

import (
	"fmt"
	"strings"
)

// ActsKey is a sorted set of what players of a group did on a date, each act with its time in
// Unix milliseconds.
func ActsKey(group string, d Date) string { return "acts:" + group + ":" + d.String() }

// ActsDueKey is a set of groups' days whose boards lack acts, each with the name of the write
// that brought the acts, see [ActsDue]; and of days that have consequences once they are over,
// see [ActsOver].
const ActsDueKey = "acts:due"

// StreamsKey is a hash: stream that activity reads -> the last entry that was read.
const StreamsKey = "acts:streams"

// DeadActsKey is a list of the newest entries of streams that did not count, each with
// the reason, as JSON.
const DeadActsKey = "acts:dead"

// ActiveKey is a sorted set of who was active on a date, by the length of the streak
// that the date is in.
func ActiveKey(d Date) string { return "active:" + d.String() }

// HomesKey is a hash of a date: player -> the Unix milliseconds of the first act, and the
// group of that act, to which the player's date belongs; and under [HomePrints] what a group's
// boards were written with.
func HomesKey(d Date) string { return "acts:homes:" + d.String() }

// HomePrints is the field of [HomesKey] that says what a group's boards were written with. No
// id of a player is like it.
func HomePrints(group string) string { return "=" + group }

// HomeGroup is the group in a player's value of [HomesKey].
func HomeGroup(home string) string {
	_, group, _ := strings.Cut(home, " ")
	return group
}

// ActsDue is a member of [ActsDueKey].
func ActsDue(group string, d Date, write string) string {
	return group + " " + d.String() + " " + write
}

// ParseActsDue is the inverse of [ActsDue], without the name of the write.
func ParseActsDue(member string) (group string, d Date, err error) {
	words := strings.Split(member, " ")
	if len(words) != 3 || !validGroup(words[0]) {
		return "", Date{}, fmt.Errorf("%.120q is not a group's day", member)
	}
	d, err = ParseDate(words[1])
	return words[0], d, err
}

// ActsOver is a member of [ActsDueKey] for a day that has consequences once it is over where
// the group is. No write has its name.
func ActsOver(group string, d Date) string { return ActsDue(group, d, actsOver) }

// ParseActsOver is the inverse of [ActsOver].
func ParseActsOver(member string) (group string, d Date, is bool) {
	group, d, err := ParseActsDue(member)
	return group, d, err == nil && strings.HasSuffix(member, " "+actsOver)
}

const actsOver = "over"
