package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	// mostCost is how many commands strangers may cost each process in half a minute.
	mostCost = 3000
	// mostLooks is the share of players' looks that may be put off.
	mostLooks = 0.05
	// mostGrowth is how many bytes memory may grow in the second half of the attack. By
	// then every limit knows each caller, and later entries replace earlier ones. The
	// request bodies of all connections, and the garbage that Go keeps between two
	// collections, stay far below.
	mostGrowth = 4 << 20
)

// report is the outcome of an attack.
type report struct {
	began                 time.Time
	lasted                time.Duration
	before, after         int64 // commands that Redis has run
	start, middle, end    uint64
	requests              int64
	halfSent, halfCost    int64 // requests and commands of the first half
	processes, ids        int
	hostile, honest       int64 // commands
	names, statuses       string
	submits, looks, waits int
	quiet, loud           [2]time.Duration // median and 99th percentile of the times of answers
	faults                []string
}

func (r *report) fill(s *product, o settings, a *attackers, quiet, loud *players) {
	hostile := s.hostile.Usage()
	r.processes, r.ids = o.processes, o.ids
	r.requests, r.hostile, r.honest = a.sent.Load(), hostile.Commands, s.honest.Usage().Commands
	for _, name := range slices.Sorted(maps.Keys(hostile.ByName)) {
		r.names += fmt.Sprintf(" %s %d", name, hostile.ByName[name])
	}
	for status := range a.counts {
		if n := a.counts[status].Load(); n > 0 {
			r.statuses += fmt.Sprintf(" %d: %d", status, n)
		}
	}
	r.submits, r.looks, r.waits = loud.submits, loud.looks, loud.looksWaits
	r.quiet = [2]time.Duration{quiet.quantile(0.5), quiet.quantile(0.99)}
	r.loud = [2]time.Duration{loud.quantile(0.5), loud.quantile(0.99)}
	r.faults = append(quiet.faults, loud.faults...)
}

func percent(commands, requests int64) float64 {
	return 100 * float64(commands) / float64(max(requests, 1))
}

// laterShare is the commands per request of the second half, in percent.
func (r report) laterShare() float64 { return percent(r.hostile-r.halfCost, r.requests-r.halfSent) }

func (r report) String() string {
	var b strings.Builder
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	mb := func(n uint64) float64 { return float64(n) / (1 << 20) }
	fmt.Fprintf(&b, "hostile requests   %d in %.1f s, %.0f a second, answered%s\n", r.requests, r.lasted.Seconds(), float64(r.requests)/r.lasted.Seconds(), r.statuses)
	fmt.Fprintf(&b, "their commands     %d, %.2f%% of the requests, %.2f%% in the second half:%s\n",
		r.hostile, percent(r.hostile, r.requests), r.laterShare(), r.names)
	fmt.Fprintf(&b, "players' commands  %d; Redis itself counted %d for both\n", r.honest, r.after-r.before)
	fmt.Fprintf(&b, "players' scores    %d sent, %d faults\n", r.submits, len(r.faults))
	fmt.Fprintf(&b, "players' looks     %d, of which %d were put off\n", r.looks, r.waits)
	for i, name := range []string{"half", "99%"} {
		fmt.Fprintf(&b, "scores took        %s within %.1f ms without the attack, %.1f ms in it: × %.1f\n",
			name, ms(r.quiet[i]), ms(r.loud[i]), float64(r.loud[i])/float64(max(r.quiet[i], 1)))
	}
	fmt.Fprintf(&b, "memory             %.1f MB at the start, %.1f MB at half time, %.1f MB at the end\n", mb(r.start), mb(r.middle), mb(r.end))
	return b.String()
}

// verdict is the error that the report leads to.
func (r report) verdict() error {
	var errs []error
	halves := max(1, r.lasted.Seconds()/30)
	if most := int64(halves * float64(r.processes*mostCost)); r.hostile > most {
		errs = append(errs, fmt.Errorf("the attack cost %d commands, want at most %d", r.hostile, most))
	}
	if float64(r.waits) >= mostLooks*float64(max(r.looks, 1)) && r.waits > 0 {
		errs = append(errs, fmt.Errorf("%d of %d looks were put off, want below %.0f%%", r.waits, r.looks, 100*mostLooks))
	}
	if ran := r.after - r.before; ran != r.hostile+r.honest {
		errs = append(errs, fmt.Errorf("the meters counted %d commands, Redis itself %d", r.hostile+r.honest, ran))
	}
	if r.end > r.middle+mostGrowth {
		errs = append(errs, fmt.Errorf("memory grew from %d to %d bytes in the second half, want at most %d more", r.middle, r.end, mostGrowth))
	}
	for i, fault := range r.faults {
		if i == 10 {
			errs = append(errs, fmt.Errorf("and %d more", len(r.faults)-i))
			break
		}
		errs = append(errs, errors.New(fault))
	}
	return errors.Join(errs...)
}
