package costday

import (
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/progress"
)

// Size is everything that was measured with so many players.
type Size struct {
	Players int
	Days    []Day // of the product, one process first
	Record  Day
	Check   bool // measured to hold the prediction against, and no part of it
}

// Report is what a run of all sizes found.
type Report struct{ Sizes []Size }

// rows of the product's table, in the order of a player's day.
var rows = []struct {
	name   string
	routes []string
}{
	{"submit, 2.55 times", []string{routeSubmit}},
	{"top 100 with names, 2.5 times", []string{routePage}},
	{"own surroundings", []string{routeAround}},
	{"20 friends", []string{routeFriends}},
	{"schedules", []string{cronDaily, cronSave, cronWeekly, cronUsage}},
	{"usage counters", []string{routeCounters}},
}

// queuedRow takes the place of the first of rows in queue mode.
const queuedRow = "scores written, 2.55 for each player"

// recordRows are those of the founding record: first what its code does, then
// what the journey needs beside it.
var recordRows = []struct {
	name   string
	routes []string
}{
	{"submit: ZADD, EXPIRE, ZINCRBY", []string{routeSubmit}},
	{"top 100: ZREVRANGE", []string{routePage}},
	{"own surroundings: ZREVRANK, ZREVRANGE, ZCARD", []string{routeAround}},
	{"20 friends: ZSCORE each", []string{routeFriends}},
	{"week: ZUNIONSTORE for each day and mode", []string{cronWeekly}},
	{"rate limits: sliding window", []string{featureLimits}},
	{"country boards: ZADD, EXPIRE", []string{featureCountry}},
	{"streaks: GET, GET, SET", []string{featureStreaks}},
	{"names: HMGET for each view", []string{featureNames}},
}

// ownRecordRows is how many of recordRows are the record's own code.
const ownRecordRows = 5

// curve is made of what was measured in one process, without what it is to be
// held against.
func (r Report) curve() Curve {
	var days []Day
	for _, s := range r.Sizes {
		if !s.Check {
			days = append(days, s.Days[0])
		}
	}
	return NewCurve(days, Day.PerPlayer)
}

// bytes is the curve of all that was measured in one process.
func (r Report) bytes() Curve {
	var days []Day
	for _, s := range r.Sizes {
		days = append(days, s.Days[0])
	}
	return NewCurve(days, Day.Bytes)
}

// Markdown is the report as tables.
func (r Report) Markdown() string {
	var b strings.Builder
	var main []Size
	for _, s := range r.Sizes {
		if !s.Check {
			main = append(main, s)
		}
	}
	r.perPlayer(&b, main)
	r.queued(&b, main)
	r.record(&b, main)
	r.bill(&b, main)
	r.wholeBill(&b, main)
	r.formula(&b, main)
	r.checks(&b)
	return b.String()
}

func header(b *strings.Builder, first string, sizes []Size) {
	names := []string{first}
	for _, s := range sizes {
		names = append(names, progress.Count(int64(s.Players))+" players")
	}
	row(b, names...)
	fmt.Fprintf(b, "|---|%s\n", strings.Repeat("--:|", len(sizes)))
}

func row(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// line is a row with a figure for each size.
func line(b *strings.Builder, name string, sizes []Size, of func(Size) string) {
	cells := []string{name}
	for _, s := range sizes {
		cells = append(cells, of(s))
	}
	row(b, cells...)
}

func (r Report) perPlayer(b *strings.Builder, sizes []Size) {
	b.WriteString("Billed commands for each player and day, one process:\n\n")
	header(b, "", sizes)
	for _, known := range rows {
		line(b, known.name, sizes, func(s Size) string { return two(s.Days[0].Of(known.routes...)) })
	}
	for _, d := range sizes[0].Days {
		if d.Window == 0 {
			total(b, "all, "+d.Name, sizes, d.Name)
		}
	}
	atMost(b, "at most, one process", sizes, Target)
}

// total is the row of a day that not every size needs to have.
func total(b *strings.Builder, name string, sizes []Size, day string) {
	line(b, "**"+name+"**", sizes, func(s Size) string {
		if d, ok := s.day(day); ok {
			return "**" + two(d.PerPlayer()) + "**"
		}
		return ""
	})
}

func (s Size) day(name string) (Day, bool) {
	for _, d := range s.Days {
		if d.Name == name {
			return d, true
		}
	}
	return Day{}, false
}

func atMost(b *strings.Builder, name string, sizes []Size, target func(int) (float64, bool)) {
	line(b, name, sizes, func(s Size) string {
		if most, ok := target(s.Players); ok {
			return fmt.Sprint(most)
		}
		return ""
	})
	b.WriteString("\n")
}

// queued tells of the days in queue mode, of the first one by route.
func (r Report) queued(b *strings.Builder, sizes []Size) {
	var modes []Day
	for _, d := range sizes[0].Days {
		if d.Window > 0 {
			modes = append(modes, d)
		}
	}
	if len(modes) == 0 {
		return
	}
	fmt.Fprintf(b, "The same in queue mode, where scores gather for %.0f s before they are written:\n\n", modes[0].Window.Seconds())
	header(b, "", sizes)
	of := func(routes ...string) func(Size) string {
		return func(s Size) string {
			if d, ok := s.day(modes[0].Name); ok {
				return two(d.Of(routes...))
			}
			return ""
		}
	}
	line(b, queuedRow, sizes, of(routeSubmit, routeIngest))
	for _, known := range rows[1:] {
		line(b, known.name, sizes, of(known.routes...))
	}
	for _, d := range modes {
		total(b, fmt.Sprintf("all, a window of %.0f s", d.Window.Seconds()), sizes, d.Name)
	}
	atMost(b, "at most, the longest window", sizes, QueueTarget)
}

func (r Report) record(b *strings.Builder, sizes []Size) {
	b.WriteString("The founding record's commands for the same players, in the same run:\n\n")
	header(b, "", sizes)
	own := func(s Size, n int) float64 {
		total := 0.0
		for _, known := range recordRows[:n] {
			total += s.Record.Of(known.routes...)
		}
		return total
	}
	for i, known := range recordRows {
		if i == ownRecordRows {
			line(b, "**the record's own code**", sizes, func(s Size) string { return "**" + two(own(s, i)) + "**" })
		}
		line(b, known.name, sizes, func(s Size) string { return two(s.Record.Of(known.routes...)) })
	}
	line(b, "**all, the same journey**", sizes, func(s Size) string { return "**" + two(s.Record.PerPlayer()) + "**" })
	b.WriteString("\n")
}

func (r Report) bill(b *strings.Builder, sizes []Size) {
	b.WriteString("A month of such days, one process:\n\n")
	header(b, "", sizes)
	one := func(s Size) Day { return s.Days[0] }
	line(b, "commands a month", sizes, func(s Size) string { return progress.Count(int64(one(s).Monthly())) })
	line(b, "dollars a month, $0.20 for 100,000", sizes, func(s Size) string { return fmt.Sprintf("%.2f", Dollars(one(s).Monthly())) })
	line(b, "… by the founding record", sizes, func(s Size) string { return fmt.Sprintf("%.2f", Dollars(s.Record.Monthly())) })
	line(b, "share of the free plan's 500,000 commands", sizes, func(s Size) string {
		return fmt.Sprintf("%.0f%%", 100*one(s).Monthly()/FreeCommands)
	})
	line(b, "bytes for each player and day", sizes, func(s Size) string { return progress.Count(int64(one(s).Bytes())) })
	line(b, "GB a month, of 10 free", sizes, func(s Size) string {
		return fmt.Sprintf("%.2f", one(s).Bytes()*float64(s.Players)*DaysOfMonth/1e9)
	})
	fmt.Fprintf(b, "\nThe free plan's commands carry %s daily players, its bytes %s. The founding record's own code takes its commands to %s, with the whole journey to %s.\n\n",
		progress.Count(int64(r.curve().Carries(FreeCommands))), progress.Count(int64(r.bytes().Carries(FreeBytes))),
		progress.Count(carriedBy(sizes[0].Record, ownRecordRows)), progress.Count(carriedBy(sizes[0].Record, len(recordRows))))
}

// carriedBy is how many players the free plan carries by the first rows of the
// record, whose cost for each player does not depend on how many there are, but
// for the week's, which is small.
func carriedBy(record Day, n int) int64 {
	each := 0.0
	for _, known := range recordRows[:n] {
		each += record.Of(known.routes...)
	}
	return int64(FreeCommands / DaysOfMonth / each)
}

// formula tells what the prediction is made of.
func (r Report) formula(b *strings.Builder, sizes []Size) {
	if len(sizes) < 2 {
		return
	}
	b.WriteString("A day's commands in one process, predicted:\n\n")
	row(b, "daily players", "commands a day")
	b.WriteString("|--:|---|\n")
	c := r.curve()
	for i := 1; i < len(c); i++ {
		line := c.Line(float64(c[i].players))
		row(b, fmt.Sprintf("%s to %s", progress.Count(int64(c[i-1].players)), progress.Count(int64(c[i].players))),
			line.String())
	}
	b.WriteString("\n")
}

func (r Report) checks(b *strings.Builder) {
	if !slices.ContainsFunc(r.Sizes, func(s Size) bool { return s.Check }) {
		return
	}
	b.WriteString("The prediction, held against days that it was not made from:\n\n")
	row(b, "players", "predicted for each", "measured", "error", "bytes for each")
	b.WriteString("|--:|--:|--:|--:|--:|\n")
	for _, s := range r.Sizes {
		if s.Check {
			predicted, found := r.curve().PerPlayer(float64(s.Players)), s.Days[0].PerPlayer()
			row(b, progress.Count(int64(s.Players)), two(predicted), two(found), fmt.Sprintf("%+.1f%%", 100*(predicted/found-1)), progress.Count(int64(s.Days[0].Bytes())))
		}
	}
	b.WriteString("\n")
}

func two(n float64) string { return fmt.Sprintf("%.2f", n) }
