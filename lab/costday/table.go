package costday

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// Size is everything that was measured with one number of players.
type Size struct {
	Players int
	Days    []Day // of the product
	Record  Day
	Check   bool // measured only to check the prediction, and not used to make it
}

// Report is the result of a run of all sizes.
type Report struct{ Sizes []Size }

// forms are the forms of a day's arrivals.
var forms = []Arrivals{Evenly, Puzzle}

// rows are the rows of the product's table, in the order of a player's day.
var rows = []struct {
	name   string
	routes []string
}{
	{"submit, 2.55 times", []string{routeSubmit}},
	{"top 100 with names, 2.5 times", []string{routePage}},
	{"own surroundings", []string{routeAround}},
	{"20 friends", []string{routeFriends}},
	{"own week", []string{routeWeek}},
	{"schedules", []string{cronDaily, cronSave, cronWeekly, cronUsage}},
	{"usage counters", []string{routeCounters}},
}

// queuedRow replaces the first row in queue mode.
const queuedRow = "scores written, 2.55 for each player"

// recordRows are the rows of the founding record: first what its code does, then what the
// journey needs besides.
var recordRows = []struct {
	name   string
	routes []string
}{
	{"submit: ZADD, EXPIRE, ZINCRBY", []string{routeSubmit}},
	{"top 100: ZREVRANGE", []string{routePage}},
	{"own surroundings: ZREVRANK, ZREVRANGE, ZCARD", []string{routeAround}},
	{"20 friends: ZSCORE each", []string{routeFriends}},
	{"own week: ZREVRANK, ZSCORE", []string{routeWeek}},
	{"week: ZUNIONSTORE for each day and mode", []string{cronWeekly}},
	{"rate limits: sliding window", []string{featureLimits}},
	{"country boards: ZADD, EXPIRE", []string{featureCountry}},
	{"streaks: GET, GET, SET", []string{featureStreaks}},
	{"names: HMGET for each view", []string{featureNames}},
}

// ownRecordRows is how many of recordRows are the record's own code.
const ownRecordRows = 6

// deployed is the day as deployed, by the first of the measured journeys; false if
// none was measured.
func (s Size) deployed(form Arrivals) (Day, bool) {
	for _, d := range s.Days {
		if d.Arrivals.Name == form.Name && d.Window == 0 && !d.Alone {
			return d, true
		}
	}
	return Day{}, false
}

// dearest is the day as deployed with the dearer form of arrivals.
func (s Size) dearest() Day {
	var dearest Day
	for _, form := range forms {
		if d, ok := s.deployed(form); ok && (dearest.Players == 0 || d.PerPlayer() > dearest.PerPlayer()) {
			dearest = d
		}
	}
	return dearest
}

// curve is the curve of the days as deployed, without those that only check the
// prediction.
func (r Report) curve(form Arrivals) Curve {
	var days []Day
	for _, s := range r.Sizes {
		if d, ok := s.deployed(form); ok && !s.Check {
			days = append(days, d)
		}
	}
	return NewCurve(days, Day.PerPlayer)
}

// bytes is the curve of bytes of all days as deployed, each with its dearer form of
// arrivals.
func (r Report) bytes() Curve {
	var days []Day
	for _, s := range r.Sizes {
		days = append(days, s.dearest())
	}
	return NewCurve(days, Day.Bytes)
}

// carries is how many players the free plan's commands carry, whichever form of arrivals
// the days have.
func (r Report) carries() int {
	least := mostPlayers
	for _, form := range forms {
		if c := r.curve(form); len(c) > 0 {
			least = min(least, c.Carries(FreeCommands))
		}
	}
	return least
}

// Markdown returns the report as tables.
func (r Report) Markdown() string {
	var b strings.Builder
	var main []Size
	for _, s := range r.Sizes {
		if !s.Check {
			main = append(main, s)
		}
	}
	for _, form := range forms {
		r.perPlayer(&b, main, form)
	}
	r.alone(&b, main)
	for _, form := range forms {
		r.queued(&b, main, form)
	}
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

// line writes a row with one value for each size.
func line(b *strings.Builder, name string, sizes []Size, of func(Size) string) {
	cells := []string{name}
	for _, s := range sizes {
		cells = append(cells, of(s))
	}
	row(b, cells...)
}

// perPlayer writes the table of the days as deployed with one form of arrivals.
func (r Report) perPlayer(b *strings.Builder, sizes []Size, form Arrivals) {
	if _, ok := sizes[0].deployed(form); !ok {
		return
	}
	fmt.Fprintf(b, "Billed commands for each player and day, as deployed, players come %s:\n\n", form.come())
	header(b, "", sizes)
	for _, known := range rows {
		figures(b, known.name, sizes, form, func(d Day) string { return two(d.Of(known.routes...)) })
	}
	figures(b, "**all**", sizes, form, func(d Day) string { return "**" + two(d.PerPlayer()) + "**" })
	for _, d := range sizes[0].Days {
		if first, _ := sizes[0].deployed(form); d.Arrivals.Name == form.Name && d.Window == 0 && !d.Alone && d.Journey != first.Journey {
			total(b, "all, "+d.Journey.called(), sizes, d.Name)
		}
	}
	atMost(b, "at most", sizes, Target)
}

// come describes the arrivals within a sentence.
func (a Arrivals) come() string {
	if a.Name == Evenly.Name {
		return "evenly"
	}
	return "as on " + a.Name
}

// called is the name of a journey in tables.
func (j Journey) called() string {
	switch j {
	case Near:
		return "with `near`"
	case View:
		return "with `view`"
	}
	return "each by its route"
}

// figures writes a row about the days as deployed with one form of arrivals.
func figures(b *strings.Builder, name string, sizes []Size, form Arrivals, of func(Day) string) {
	line(b, name, sizes, func(s Size) string {
		if d, ok := s.deployed(form); ok {
			return of(d)
		}
		return ""
	})
}

// alone writes the footnote about one process.
func (r Report) alone(b *strings.Builder, sizes []Size) {
	var all []string
	for _, s := range sizes {
		for _, d := range s.Days {
			if d.Alone && d.Window == 0 {
				all = append(all, fmt.Sprintf("%s with %s players", two(d.PerPlayer()), progress.Count(int64(s.Players))))
			}
		}
	}
	if len(all) > 0 {
		fmt.Fprintf(b, "One process that serves every function from one memory all day long, which nobody deploys, takes less: %s, players come evenly.\n\n", strings.Join(all, ", "))
	}
}

// total writes the row of a day that not every size has.
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

// queued writes the tables of the days in queue mode with one form of arrivals; for the
// first day it lists the routes.
func (r Report) queued(b *strings.Builder, sizes []Size, form Arrivals) {
	var modes []Day
	for _, d := range sizes[0].Days {
		if d.Window > 0 && d.Arrivals.Name == form.Name {
			modes = append(modes, d)
		}
	}
	if len(modes) == 0 {
		return
	}
	fmt.Fprintf(b, "The same in queue mode, where scores gather for %.0f s before they are written, players come %s:\n\n", modes[0].Window.Seconds(), form.come())
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
	b.WriteString("A month of such days as deployed, by the dearer form of arrivals:\n\n")
	header(b, "", sizes)
	line(b, "commands a month", sizes, func(s Size) string { return progress.Count(int64(s.dearest().Monthly())) })
	line(b, "dollars a month, $0.20 for 100,000", sizes, func(s Size) string { return fmt.Sprintf("%.2f", Dollars(s.dearest().Monthly())) })
	line(b, "… by the founding record", sizes, func(s Size) string { return fmt.Sprintf("%.2f", Dollars(s.Record.Monthly())) })
	line(b, "share of the free plan's 500,000 commands", sizes, func(s Size) string {
		return fmt.Sprintf("%.0f%%", 100*s.dearest().Monthly()/FreeCommands)
	})
	line(b, "bytes for each player and day", sizes, func(s Size) string { return progress.Count(int64(s.dearest().Bytes())) })
	line(b, "GB a month, of 10 free", sizes, func(s Size) string {
		return fmt.Sprintf("%.2f", s.dearest().Bytes()*float64(s.Players)*DaysOfMonth/1e9)
	})
	fmt.Fprintf(b, "\nThe free plan's commands carry %s daily players, its bytes %s. The founding record's own code takes its commands to %s, with the whole journey to %s.\n\n",
		progress.Count(int64(r.carries())), progress.Count(int64(r.bytes().Carries(FreeBytes))),
		progress.Count(carriedBy(sizes[0].Record, ownRecordRows)), progress.Count(carriedBy(sizes[0].Record, len(recordRows))))
}

// carriedBy is how many players the free plan carries with the first n rows of the
// record. Their cost for each player does not depend on the number of players, except for
// the week's, which is small.
func carriedBy(record Day, n int) int64 {
	each := 0.0
	for _, known := range recordRows[:n] {
		each += record.Of(known.routes...)
	}
	return int64(FreeCommands / DaysOfMonth / each)
}

// formula writes the formulas of the predictions.
func (r Report) formula(b *strings.Builder, sizes []Size) {
	if len(sizes) < 2 {
		return
	}
	b.WriteString("A day's commands as deployed, predicted:\n\n")
	row(b, "daily players", "they come evenly", "as on a puzzle's day")
	b.WriteString("|--:|---|---|\n")
	for i := 1; i < len(sizes); i++ {
		cells := []string{fmt.Sprintf("%s to %s", progress.Count(int64(sizes[i-1].Players)), progress.Count(int64(sizes[i].Players)))}
		for _, form := range forms {
			cell := ""
			if c := r.curve(form); len(c) == len(sizes) {
				cell = c.Line(float64(sizes[i].Players)).String()
			}
			cells = append(cells, cell)
		}
		row(b, cells...)
	}
	b.WriteString("\n")
}

// check is a day that was measured to check the prediction.
type check struct {
	day       Day
	predicted float64
}

// error is the error of the prediction, as a share of the measured value.
func (c check) error() float64 { return c.predicted/c.day.PerPlayer() - 1 }

func (r Report) checked() (all []check) {
	for _, s := range r.Sizes {
		for _, form := range forms {
			if d, ok := s.deployed(form); ok && s.Check {
				all = append(all, check{d, r.curve(form).PerPlayer(float64(s.Players))})
			}
		}
	}
	return all
}

func (r Report) checks(b *strings.Builder) {
	all := r.checked()
	if len(all) == 0 {
		return
	}
	b.WriteString("The prediction, held against days that it was not made from:\n\n")
	row(b, "players", "they come", "predicted for each", "measured", "error", "bytes for each")
	b.WriteString("|--:|---|--:|--:|--:|--:|\n")
	for _, c := range all {
		row(b, progress.Count(int64(c.day.Players)), c.day.Arrivals.come(), two(c.predicted), two(c.day.PerPlayer()), fmt.Sprintf("%+.1f%%", 100*c.error()), progress.Count(int64(c.day.Bytes())))
	}
	b.WriteString("\n")
}

func two(n float64) string { return fmt.Sprintf("%.2f", n) }
