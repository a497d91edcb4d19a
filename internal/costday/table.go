package costday

import (
	"fmt"
	"maps"
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

// curve is made of what was measured in one process.
func (r Report) curve() Curve {
	var days []Day
	for _, s := range r.Sizes {
		if !s.Check {
			days = append(days, s.Days[0])
		}
	}
	return NewCurve(days)
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
	r.record(&b, main)
	r.bill(&b, main)
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
	for n := range sizes[0].Days {
		name := sizes[0].Days[n].Name
		line(b, "**all, "+name+"**", sizes, func(s Size) string { return "**" + two(s.Days[n].PerPlayer()) + "**" })
	}
	line(b, "at most, one process", sizes, func(s Size) string {
		if most, ok := Target(s.Players); ok {
			return fmt.Sprint(most)
		}
		return ""
	})
	b.WriteString("\n")
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
	fmt.Fprintf(b, "\nThe free plan carries %s daily players; by the founding record's own code %s, with the whole journey %s.\n\n",
		progress.Count(int64(r.curve().Carries(FreeCommands))),
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
		line := c.Line(float64(c[i].Players))
		row(b, fmt.Sprintf("%s to %s", progress.Count(int64(c[i-1].Players)), progress.Count(int64(c[i].Players))),
			fmt.Sprintf("%s + %.2f × players", progress.Count(int64(line.Fixed)), line.Each))
	}
	b.WriteString("\n")
}

func (r Report) checks(b *strings.Builder) {
	if !slices.ContainsFunc(r.Sizes, func(s Size) bool { return s.Check }) {
		return
	}
	b.WriteString("The prediction, held against days that it was not made from:\n\n")
	row(b, "players", "predicted for each", "measured", "error")
	b.WriteString("|--:|--:|--:|--:|\n")
	for _, s := range r.Sizes {
		if s.Check {
			predicted, found := r.curve().PerPlayer(float64(s.Players)), s.Days[0].PerPlayer()
			row(b, progress.Count(int64(s.Players)), two(predicted), two(found), fmt.Sprintf("%+.1f%%", 100*(predicted/found-1)))
		}
	}
	b.WriteString("\n")
}

// Missed lists the targets that were not met.
func (r Report) Missed() []string {
	var missed []string
	for _, s := range r.Sizes {
		if most, ok := Target(s.Players); ok && s.Days[0].PerPlayer() > most {
			missed = append(missed, fmt.Sprintf("%s players: %.2f commands each, at most %g", progress.Count(int64(s.Players)), s.Days[0].PerPlayer(), most))
		}
	}
	if carries := r.curve().Carries(FreeCommands); len(r.curve()) > 1 && carries < freePlayers {
		missed = append(missed, fmt.Sprintf("the free plan carries %d players, not %d", carries, freePlayers))
	}
	return missed
}

// Summary is one line about a size.
func (s Size) Summary() string {
	var days []string
	for _, d := range append(slices.Clone(s.Days), s.Record) {
		days = append(days, fmt.Sprintf("%s %.2f", d.Name, d.PerPlayer()))
	}
	return progress.Count(int64(s.Players)) + " players, commands each: " + strings.Join(days, ", ")
}

// Shapes lists for a day what requests of each route took, the most frequent first.
func (d Day) Shapes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d players, %s: %.2f\n", d.Players, d.Name, d.PerPlayer())
	for _, route := range slices.Sorted(maps.Keys(d.Routes)) {
		c := d.Routes[route]
		fmt.Fprintf(&b, "  %s: %d requests, %d commands, %d round trips\n", route, c.Requests, c.Commands, c.RoundTrips)
		shapes := slices.SortedFunc(maps.Keys(c.Shapes), func(x, y string) int { return int(c.Shapes[y] - c.Shapes[x]) })
		for _, shape := range shapes[:min(mostShapes, len(shapes))] {
			fmt.Fprintf(&b, "    %8d x %s\n", c.Shapes[shape], shape)
		}
	}
	return b.String()
}

// mostShapes bounds the list of a route.
const mostShapes = 12

func two(n float64) string { return fmt.Sprintf("%.2f", n) }
