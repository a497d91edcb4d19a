package activity

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// ActsKey is a sorted set of what players of a group did on a date, each act with its time in
// Unix milliseconds.
func ActsKey(group string, d game.Date) string { return "acts:" + group + ":" + d.String() }

// ActsDueKey is a set of groups' days whose boards lack acts, each with the name of the write
// that brought the acts, see [ActsDue]; and of days that have consequences once they are over,
// see [ActsOver]; and of the days that have acts at all, see [ActsStored].
const ActsDueKey = "acts:due"

// StreamsKey is a hash: stream that activity reads -> the last entry that was read.
const StreamsKey = "acts:streams"

// DeadActsKey is a list of the newest entries of streams that did not count, each with
// the reason, as JSON.
const DeadActsKey = "acts:dead"

// ActiveKey is a sorted set of everybody who is in an act of a date that a compute has read, by
// the length of the streak that the date is in; 0 for players who may not be on boards.
func ActiveKey(d game.Date) string { return "active:" + d.String() }

// HomeGroup is the group in a player's value of [HomesKey].
func HomeGroup(home string) string {
	_, group, _ := strings.Cut(home, " ")
	return group
}

// ActsDue is a member of [ActsDueKey].
func ActsDue(group string, d game.Date, write string) string {
	return group + " " + d.String() + " " + write
}

// ParseActsDue is the inverse of [ActsDue], without the name of the write.
func ParseActsDue(member string) (group string, d game.Date, err error) {
	words := strings.Split(member, " ")
	if len(words) != 3 || !game.ValidGroup(words[0]) {
		return "", game.Date{}, fmt.Errorf("%.120q is not a group's day", member)
	}
	d, err = game.ParseDate(words[1])
	return words[0], d, err
}

// ActsOver is a member of [ActsDueKey] for a day that has consequences once it is over where
// the group is. No write has its name.
func ActsOver(group string, d game.Date) string { return ActsDue(group, d, actsOver) }

// ParseActsOver is the inverse of [ActsOver].
func ParseActsOver(member string) (group string, d game.Date, is bool) {
	group, d, err := ParseActsDue(member)
	return group, d, err == nil && strings.HasSuffix(member, " "+actsOver)
}

const actsOver = "over"

// ActsStored is a member of [ActsDueKey] for a day that has acts, whether or not its boards are
// written. No write has its name.
func ActsStored(group string, d game.Date) string { return ActsDue(group, d, actsStored) }

// ParseActsStored is the inverse of [ActsStored].
func ParseActsStored(member string) (group string, d game.Date, is bool) {
	group, d, err := ParseActsDue(member)
	return group, d, err == nil && strings.HasSuffix(member, " "+actsStored)
}

const actsStored = "stored"

// ActsSource is a member of [ActsDueKey] that names the Redis it is in. Its date is one on
// which nothing can have happened: a program that does not know it takes it for a day with
// nothing to compute.
func ActsSource(source string) string { return ActsDue(sourceGroup, sourceDate, source) }

// ParseActsSource is the inverse of [ActsSource].
func ParseActsSource(member string) (source string, is bool) {
	prefix := ActsDue(sourceGroup, sourceDate, "")
	if len(member) <= len(prefix) || member[:len(prefix)] != prefix {
		return "", false
	}
	return member[len(prefix):], true
}

const sourceGroup = "-source"

var sourceDate = game.NewDate(1, 1, 1)
