package costday

import (
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/price"
	"github.com/framedle/leaderboards/internal/progress"
	"github.com/framedle/leaderboards/upstash"
)

// leverSizes are the numbers of players in the table of levers.
var leverSizes = []int{100, 1_000, 1_500, 10_000, 100_000}

// lever is a way to run the product: the days that were measured of it, and what players ask
// for.
type lever struct {
	name   string
	days   []measuredDay
	view   bool // the answer to a score has everything that a result screen shows
	window time.Duration
	stored float64 // bytes that Redis stores for a player; 0 means the most that it may store
}

// measuredDay is a day that was measured: billed commands and bytes for each player.
type measuredDay struct {
	players         int
	commands, bytes float64
}

// Indexes in levers: those compared by the way in which scores are written, and those
// compared by what the plan has little of.
const (
	atOnceLever, queueLever = 0, 3
	viewLever, bytesLever   = 2, 4
)

// levers for one process, without the own week, were measured on 2026-11-22. Those as
// deployed, with the own week and the dearer form of arrivals, are the values of 2026-11-26 to
// 2026-11-28 in the tables and the text of docs/cost.md. Of the bytes of one process sentEach
// are those of requests: about 200 for each of seven round trips.
var levers = []lever{
	{"one process, no own week", []measuredDay{
		{100, 11.27, 29_496}, {1_000, 7.61, 121_806}, {10_000, 8.73, 47_338}, {100_000, 7.45, aloneBytes},
	}, false, 0, 0},
	{"as deployed", []measuredDay{
		{100, 16.74, 65_591}, {1_000, 10.68, 196_827}, {1_500, 10.44, 217_147}, {10_000, 11.74, 267_914},
	}, false, 0, 0},
	{"as deployed, with `view`", []measuredDay{
		{100, 12.30, 38_473}, {1_000, 8.11, 114_873}, {1_900, 7.97, 142_873}, {10_000, 8.98, 221_608}, {100_000, 12.40, 242_254},
	}, true, 0, 0},
	{"one process, no own week, queue mode, 60 s", []measuredDay{
		{100, 19.52, 29_496}, {1_000, 12.68, 121_806}, {10_000, 6.89, 47_338}, {100_000, 3.49, aloneBytes},
	}, false, time.Minute, 0},
	{"as deployed, with `view`, `SPARE=bytes` and the shortest `lives`", []measuredDay{
		{100, 18.94, 31_732}, {1_000, 17.10, 39_412}, {10_000, 15.67, 33_525}, {100_000, 19.04, 17_871},
	}, true, 0, storedShort},
}

const sentEach = 1_500

// aloneBytes are the bytes for each of 100,000 players of one process.
const aloneBytes = 21_415

// each reads a day of so many players off the measured ones.
func (v lever) each(players float64) (commands, bytes float64) {
	var spent, carried Curve
	for _, d := range v.days {
		n := float64(d.players)
		spent, carried = append(spent, point{d.players, d.commands * n}), append(carried, point{d.players, d.bytes * n})
	}
	return spent.PerPlayer(players), carried.PerPlayer(players)
}

// knows reports whether the measured days include one of as many players.
func (v lever) knows(players int) bool { return players <= v.days[len(v.days)-1].players }

// sample makes a day that has not been played: what the players ask for, and how many
// commands and bytes this takes in total.
func (v lever) sample(players int) Day {
	d := Day{Players: players, Setting: Setting{Window: v.window}, Routes: map[string]Count{}, Stored: v.stored}
	put := func(route string, requests, roundTrips float64) {
		d.Routes[route] = Count{Requests: int64(requests), RoundTrips: int64(roundTrips)}
	}
	n := float64(players)
	if v.view {
		put(routeSubmit, 2.55*n, 5*n)
	} else {
		put(routeSubmit, 2.55*n, 2.55*n)
		put(routePage, 2.5*n, 0.2*n)
		put(routeAround, n, n)
		put(routeFriends, n, n)
		put(routeWeek, n, n)
	}
	put(cronDaily, 1, 80)
	put(cronSave, 6, 60)
	put(cronUsage, 1, 1)
	d.Weekly = Count{Requests: 1, RoundTrips: 50}
	d.Routes[cronWeekly] = d.Weekly
	if v.window > 0 {
		put(routeIngest, max(n*2.55/1000, 16*3600/v.window.Seconds()), 2*max(n*2.55/1000, 16*3600/v.window.Seconds()))
	}
	submits := d.Routes[routeSubmit]
	commands, bytes := v.each(n)
	submits.add(0, upstash.Usage{Commands: int64(commands * n), BytesSent: int64(sentEach * n), BytesReceived: int64((bytes - sentEach) * n)})
	d.Routes[routeSubmit] = submits
	return d
}

// Levers returns the tables of docs/cost.md with what each way of running the product
// costs.
func Levers() (string, error) {
	l, err := price.Current()
	if err != nil {
		return "", err
	}
	var days []Day
	titles := []string{"dollars a month"}
	for _, players := range leverSizes {
		days, titles = append(days, levers[atOnceLever].sample(players)), append(titles, progress.Count(int64(players))+" players")
	}
	whole, err := WholeBill(days)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(whole)
	b.WriteString("The same run in other ways, on the cheapest plans, in the first month:\n\n")
	row(&b, titles...)
	fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("--:|", len(leverSizes)))
	for _, v := range levers {
		cells := []string{v.name}
		for _, players := range leverSizes {
			text := ""
			if v.knows(players) {
				one, err := billOf(l, v.sample(players).Month(1))
				if err != nil {
					return "", err
				}
				text = fmt.Sprintf("%.2f", one.cheapest.Total)
			}
			cells = append(cells, text)
		}
		row(&b, cells...)
	}
	b.WriteString("\n")
	if err := spans(&b, l); err != nil {
		return "", err
	}
	err = fixedPlans(&b, l)
	return b.String(), err
}

// fixedPlans writes what saving bytes costs and saves, at the sizes for which Upstash has
// fixed plans.
func fixedPlans(b *strings.Builder, l price.List) error {
	b.WriteString("One request after each game, with `SPARE=commands`, and with `SPARE=bytes` and the shortest `lives`, in the first month, by the dearer form of arrivals:\n\n")
	row(b, "daily players", "commands spared", "on", "bytes spared", "on")
	b.WriteString("|--:|--:|---|--:|---|\n")
	for _, players := range []int{10_000, 16_000, 25_000, 30_000, 50_000, 75_000, 100_000} {
		cells := []string{progress.Count(int64(players))}
		for _, lever := range []int{viewLever, bytesLever} {
			one, err := billOf(l, levers[lever].sample(players).Month(1))
			if err != nil {
				return err
			}
			cells = append(cells, fmt.Sprintf("%.2f", one.cheapest.Total), one.cheapest.Plans[upstashVendor])
		}
		row(b, cells...)
	}
	b.WriteString("\n")
	return nil
}

// spans writes from which number of players which plans are the cheapest, and whether
// queue mode is cheaper.
func spans(b *strings.Builder, l price.List) error {
	const most, step = 300_000, 500
	b.WriteString("The cheapest plans of Upstash and Neon, and which way to write is cheaper, in the first month:\n\n")
	row(b, "from … daily players", "written at once", "queue mode, 60 s", "cheaper")
	b.WriteString("|--:|---|---|---|\n")
	last := ""
	for players := step; players <= most; players += step {
		atOnce, err := billOf(l, levers[atOnceLever].sample(players).Month(1))
		if err != nil {
			return err
		}
		queue, err := billOf(l, levers[queueLever].sample(players).Month(1))
		if err != nil {
			return err
		}
		mode := "at once"
		if queue.cheapest.Total < atOnce.cheapest.Total {
			mode = "queue mode"
		}
		plans := func(one billed) string {
			return one.cheapest.Plans[upstashVendor] + "; " + one.cheapest.Plans["Neon"]
		}
		if text := strings.Join([]string{plans(atOnce), plans(queue), mode}, " | "); text != last {
			last = text
			row(b, progress.Count(int64(players)), text)
		}
	}
	b.WriteString("\n")
	return nil
}
