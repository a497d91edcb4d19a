package costday

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

// What a player of the plan does on a day, and how far the busiest second may be above
// the mean one: ten times for the busiest hour, and again ten times for what nobody
// foresees. A tenth of all users plays on a day.
const (
	planScores, planCards, planPages = 5, 10, 5
	planPeak, planMargin             = 10, 100
	planUsersEach                    = 10
	planModes                        = 4
	secondsOfDay                     = 24 * 60 * 60
)

// Values that were measured or are documented elsewhere, each with its source.
const (
	aloneBytes, sentEach = 21_415, 1_500 // of each of 100,000 players in one process, over seven round trips
	cardCommands         = 2             // of a card that the process knows nothing of: docs/internals/costs.md; of a rank over bands: docs/internals/scale.md
	pageExchanges        = 0.08          // round trips for a page, the rest comes from memory
	boardBatch           = 3             // commands of a batch on one board: decision 17
	bandedHomes          = 32            // docs/internals/scale.md
	bandPlayers          = 400_000
	entryBytes           = 141         // docs/reference/redis-keys.md
	bandedBytes          = 257         // the same in a band and a home: make bench-bands
	weekPlayers          = 200_000     // on each day, up to which a function of 256 MB makes the week in 8 s: docs/internals/scale.md
	recordPlayers        = 900_000     // that fit into 100 MB, the largest record of Upstash
	redisSecond          = 10_000      // commands a second of a database: upstash.com/pricing/redis
	mostDatabases        = 100         // of an account: the same page
	fullest              = 0.8         // share of its storage up to which a database is planned to be filled
	accountAtOnce        = 1_000       // environments that an account may run before it asks for more: Lambda's quotas
	runMinutes           = 15          // the longest run that Lambda allows
	ingestAtOnce         = 2           // batches that ingest writes at once: template.yaml
	ingestBatch          = 1_000       // scores of a batch: template.yaml
	throttlingRate       = 200         // requests a second for each route: template.yaml's default
	hostCardCPU          = 60 + 18     // microseconds in a long-lived process: docs/internals/benchmarks.md, make bench-http
	hostPageCPU          = 22 + 18     // from memory
	hostScoreCPU         = 165 + 18    // with a session token
	planWindow           = time.Minute // in which scores gather in queue mode
)

// scale is the plan for a number of users.
type scale struct {
	users int
	queue bool
	view  bool // one request after each game replaces two cards and a page
}

func (s scale) daily() float64 { return float64(s.users) / planUsersEach }

// isBanded reports whether the largest board, the one of all time, exceeds a record.
func (s scale) isBanded() bool { return s.users > recordPlayers }

func (s scale) bands() float64 { return math.Ceil(float64(s.users) / bandPlayers) }

// batches is how many batches write a day's scores in queue mode.
func (s scale) batches() float64 {
	return max(s.daily()*planScores/ingestBatch, secondsOfDay/planWindow.Seconds())
}

// batchCommands is what a batch costs. Without bands it writes the board of each mode
// once. With bands it writes the homes and bands of one board, and a batch of a thousand
// scores reaches all of them.
func (s scale) batchCommands() float64 {
	if s.isBanded() {
		return 3*bandedHomes + 2*min(s.bands(), ingestBatch)
	}
	return boardBatch * planModes
}

func (s scale) scoreCommands() float64 {
	switch {
	case s.queue:
		return s.batches() * s.batchCommands() / (s.daily() * planScores)
	case s.isBanded():
		return 4
	default:
		return 2
	}
}

// reads is how many cards and pages a player reads in a day. The one request after a game
// is answered like a page, and costs what the cards did.
func (s scale) reads() (cards, pages float64) {
	if s.view {
		return 0, planPages
	}
	return planCards, planPages
}

// commandsEach is a player's billed commands in a day.
func (s scale) commandsEach() float64 {
	return planScores*s.scoreCommands() + planCards*cardCommands + planPages*pageExchanges
}

// day is what the players ask for and spend on a day.
func (s scale) day() Day {
	n := s.daily()
	d := Day{Players: int(n), Routes: map[string]Count{}}
	put := func(route string, requests, commands, roundTrips float64) {
		d.Routes[route] = Count{Requests: int64(requests), Commands: int64(commands), RoundTrips: int64(roundTrips)}
	}
	cards, pages := s.reads()
	put(routeSubmit, planScores*n, planScores*n*s.scoreCommands(), planScores*n)
	if s.queue {
		d.Window = planWindow
		put(routeIngest, s.batches(), 0, 2*s.batches())
	}
	put(routeWeek, cards*n, cards*n*cardCommands, cards*n)
	pageTrips, pageCommands := pageExchanges, pageExchanges
	if s.view {
		pageTrips, pageCommands = 1, pageExchanges+planCards*cardCommands/planPages
	}
	put(routePage, pages*n, pages*n*pageCommands, pages*n*pageTrips)
	put(cronDaily, 1, 0, 80)
	put(cronSave, 6, 0, 60)
	put(cronUsage, 1, 0, 1)
	d.Weekly = Count{Requests: 1, RoundTrips: 50}
	d.Routes[cronWeekly] = d.Weekly
	submits := d.Routes[routeSubmit]
	exchanges := planScores + cards + pages*pageTrips
	submits.Sent, submits.Received = int64(sentEach/7*exchanges*n), int64(float64(aloneBytes-sentEach)/7*exchanges*n)
	d.Routes[routeSubmit] = submits
	return d
}

// stored is what Redis stores, in bytes: all boards for the players of a day, and the
// board of all time for the other users.
func (s scale) stored() float64 {
	each := 1.0
	if s.isBanded() {
		each = bandedBytes / float64(entryBytes)
	}
	return each * (s.daily()*storedEach + (float64(s.users)-s.daily())*planModes*entryBytes)
}

// month is a month of such days, after the database has kept results for a year.
func (s scale) month() price.Month {
	m := s.day().Month(billAge)
	m.RedisStored = s.stored()
	m.PostgresStored *= planScores / gamesEach
	return m
}

// second is how many there are in a second that is times the mean one, at each per player
// and day.
func (s scale) second(each, times float64) float64 { return s.daily() * each / secondsOfDay * times }

// atOnce is how many environments of Lambda work at the same moment.
func (s scale) atOnce(times float64) float64 {
	busy := 0.0
	for _, f := range s.month().Functions {
		if f.Gateway {
			busy += f.Calls * f.Milliseconds / 1000
		}
	}
	return busy / (price.DaysOfMonth * secondsOfDay) * times
}

// cores is how many processor cores long-lived hosts need for the same.
func (s scale) cores(times float64) float64 {
	return s.second(planScores*hostScoreCPU+planCards*hostCardCPU+planPages*hostPageCPU, times) / 1e6
}

// databases is the number of databases that takes the commands of the busiest second, or
// a larger one if that is cheaper. bill is the month's bill with all of them.
func (s scale) databases(l price.List) (databases int, bill price.Bill, err error) {
	least := int(math.Ceil(s.second(s.commandsEach(), planMargin) / redisSecond))
	redis := []price.Item{price.RedisCommands, price.RedisGB, price.RedisStoredGB}
	for n := least; n <= max(least, mostDatabases); n++ {
		q := s.month().Quantities()
		for _, item := range redis {
			q[item] /= float64(n)
		}
		q[price.RedisStoredGB] /= fullest
		b, failed := l.Bill(q, price.Choice{})
		if failed != nil {
			err = failed
			continue
		}
		for i, line := range b.Lines {
			if line.Vendor == upstashVendor {
				b.Total += line.Dollars * float64(n-1)
				b.Lines[i].Dollars *= float64(n)
			}
		}
		if databases == 0 || b.Total < bill.Total {
			databases, bill = n, b
		}
		if !s.isBanded() {
			break // one board fits in one database
		}
	}
	if databases == 0 {
		return 0, bill, err
	}
	return databases, bill, nil
}

// cheaper returns the plan with the cheaper way to write scores.
func cheaper(l price.List, users int) (best scale, databases int, bill price.Bill, err error) {
	for _, queue := range []bool{false, true} {
		s := scale{users: users, queue: queue}
		n, b, err := s.databases(l)
		if err != nil {
			return s, 0, b, fmt.Errorf("%d users: %w", users, err)
		}
		if databases == 0 || b.Total < bill.Total {
			best, databases, bill = s, n, b
		}
	}
	return best, databases, bill, nil
}

// planSizes are the powers of ten.
var planSizes = []int{1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000}

// Plan returns the tables of docs/internals/scale.md: what a number of users needs and costs.
func Plan() (string, error) {
	l, err := price.Current()
	if err != nil {
		return "", err
	}
	type column struct {
		scale
		databases  int
		bill, view price.Bill
	}
	var columns []column
	titles := []string{"users"}
	for _, users := range planSizes {
		s, n, bill, err := cheaper(l, users)
		if err != nil {
			return "", err
		}
		one := s
		one.view = true
		_, view, err := one.databases(l)
		if err != nil {
			return "", err
		}
		columns, titles = append(columns, column{s, n, bill, view}), append(titles, progress.Count(int64(users)))
	}
	var b strings.Builder
	head := func(title string) {
		row(&b, append([]string{title}, titles[1:]...)...)
		fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("--:|", len(columns)))
	}
	cells := func(name string, of func(column) string) {
		texts := []string{name}
		for _, c := range columns {
			texts = append(texts, of(c))
		}
		row(&b, texts...)
	}
	number := func(name string, of func(column) float64) {
		cells(name, func(c column) string { return upTo(of(c)) })
	}
	b.WriteString("What is there, for the busiest second with its margin (a hundred times the mean one):\n\n")
	head("users")
	number("players a day", func(c column) float64 { return c.daily() })
	cells("scores are written", func(c column) string {
		if c.queue {
			return "by the queue"
		}
		return "at once"
	})
	number("scores a second", func(c column) float64 { return c.second(planScores, planMargin) })
	number("reads a second", func(c column) float64 { return c.second(planCards+planPages, planMargin) })
	number("environments of Lambda", func(c column) float64 { return c.atOnce(planMargin) })
	number("… at ten times the mean", func(c column) float64 { return c.atOnce(planPeak) })
	number("cores of hosts, in their place", func(c column) float64 { return c.cores(planMargin) })
	number("commands a second", func(c column) float64 { return c.second(c.commandsEach(), planMargin) })
	cells("bands of the largest board", func(c column) string {
		if !c.isBanded() {
			return "none"
		}
		return upTo(c.bands())
	})
	cells("GB in Redis", func(c column) string { return fmt.Sprintf("%.2f", c.stored()/1e9) })
	number("databases", func(c column) float64 { return float64(c.databases) })
	cells("… of plan", func(c column) string { return c.bill.Plans[upstashVendor] })
	cells("GB in Postgres, after a year", func(c column) string { return fmt.Sprintf("%.1f", c.month().PostgresStored/1e9) })
	fmt.Fprintf(&b, "\nWhat a month costs, at list prices of %s, with free tiers:\n\n", l.Date)
	head("dollars a month")
	for _, r := range billRows {
		cells(r.name, func(c column) string {
			dollars := c.bill.Of(r.items...)
			if r.items[0] == price.RedisCommands {
				dollars += planOf(c.bill)
			}
			return dollarsOf(dollars)
		})
	}
	cells("**all, after a year**", func(c column) string { return "**" + dollarsOf(c.bill.Total) + "**" })
	cells("… with one request after each game", func(c column) string { return dollarsOf(c.view.Total) })
	cells("… without the gateway", func(c column) string { return dollarsOf(c.bill.Total - c.bill.Of(price.GatewayRequests)) })
	b.WriteString("\n")
	err = bounds(&b, l)
	return b.String(), err
}

// bounds writes at how many users each limit is met, in that order.
func bounds(b *strings.Builder, l price.List) error {
	free := func(vendor string, item price.Item) float64 { return l.Meter(vendor, "free", item).Most }
	atOnce, queued := func(users int) scale { return scale{users: users} }, func(users int) scale { return scale{users: users, queue: true} }
	all := []struct {
		what, then string
		isMet      func(users int) bool
		users      int
	}{
		{what: "the free plan's commands of a month", then: "Upstash as you go", isMet: func(n int) bool {
			return atOnce(n).month().Commands > free(upstashVendor, price.RedisCommands)
		}},
		{what: "the free plan's storage in Redis", then: "Upstash as you go", isMet: func(n int) bool {
			return atOnce(n).stored() > free(upstashVendor, price.RedisStoredGB)*1e9
		}},
		{what: "Neon's free storage, after a year", then: "Neon's plan *launch*", isMet: func(n int) bool {
			return atOnce(n).month().PostgresStored > free("Neon", price.PostgresStored)*1e9
		}},
		{what: "the gateway's `ThrottlingRate`, cards at ten times the mean", then: "a higher `ThrottlingRate` and `ThrottlingBurst`", isMet: func(n int) bool {
			return atOnce(n).second(planCards, planPeak) > throttlingRate
		}},
		{what: "900,000 players on the board of all time: more than a record", then: "bands", isMet: func(n int) bool { return atOnce(n).isBanded() }},
		{what: "200,000 players of a mode on a day: a request has no time to make its week", then: "`BoardsMemory`, up to 300,000; above, others' weeks are made once a day", isMet: func(n int) bool {
			return atOnce(n).daily() > weekPlayers
		}},
		{what: "10,000 commands a second of one database, at ten times the mean", then: "databases for the bands", isMet: func(n int) bool {
			return queued(n).second(queued(n).commandsEach(), planPeak) > redisSecond
		}},
		{what: "1,000 environments of an account, at ten times the mean", then: "a larger quota, `ReservedConcurrency`; or hosts that live long", isMet: func(n int) bool { return queued(n).atOnce(planPeak) > accountAtOnce }},
		{what: "a run of `cron-daily` takes 15 minutes", then: "nothing yet: it would have to close days in parts, or on a host", isMet: func(n int) bool {
			return runMS+atOnce(n).daily()*runMSEach > runMinutes*60*1000
		}},
		{what: "`ingest` writes two batches of 1,000 at once, at ten times the mean", then: "a higher `MaximumConcurrency` in the template; until then scores wait, none is lost", isMet: func(n int) bool {
			of := invocations[routeIngest]
			ms := milliseconds(of.cpu, memoryMB[of.function], 2)
			return queued(n).second(planScores, planPeak) > ingestAtOnce*ingestBatch*1000/ms
		}},
		{what: "100 GB in Redis", then: "databases for the bands; a fixed plan has up to 500", isMet: func(n int) bool {
			return atOnce(n).stored() > l.Meter(upstashVendor, payAsYouGo, price.RedisStoredGB).Most*1e9
		}},
	}
	most := planSizes[len(planSizes)-1]
	for i := range all {
		all[i].users = sort.Search(most+1, func(n int) bool { return n >= planUsersEach && all[i].isMet(n) })
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].users < all[j].users })
	b.WriteString("What is met first, as users become more:\n\n| users | what is met | what helps |\n|--:|---|---|\n")
	for _, one := range all {
		users := "more than " + progress.Count(int64(most))
		if one.users <= most {
			users = progress.Count(int64(significant(float64(one.users))))
		}
		row(b, users, one.what, one.then)
	}
	b.WriteString("\n")
	return nil
}

// significant rounds to two digits.
func significant(n float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(n))-1)
	return math.Round(n/unit) * unit
}

// upTo rounds up to a whole number.
func upTo(n float64) string { return progress.Count(int64(math.Ceil(n))) }

// dollarsOf leaves out the cents if they do not matter.
func dollarsOf(dollars float64) string {
	if dollars >= 100 {
		return progress.Count(int64(math.Round(dollars)))
	}
	return fmt.Sprintf("%.2f", dollars)
}
