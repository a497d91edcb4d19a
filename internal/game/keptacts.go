package game

// KeptDay is a group's day whose acts are kept outside of Redis.
type KeptDay struct {
	Group   string
	Date    Date
	Source  string // the Redis that the acts are from
	Version int64  // of what is kept; erasures change it too
}

// DayLines is what is kept of a group's day, as lines of a number and a text: acts with their
// moments in Unix milliseconds, and players with the streak that the day is in.
type DayLines struct{ Acts, Streaks []string }

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

var sourceDate = NewDate(1, 1, 1)
