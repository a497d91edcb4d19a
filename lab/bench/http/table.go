package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

func report(out io.Writer, all []*series, o settings) error {
	fmt.Fprintf(out, "%d players, %d rounds of %d requests each, medians, %s/%s, %d cores, %s\n\n", o.players, o.rounds, o.requests, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "operation\tconnections\trequests/s\tp50 ms\tp99 ms\tfunction µs\tREST µs\tRedis µs\tall µs\tabove hello µs\ttarget µs\tPodium µs\t")
	hello := map[int]float64{}
	for _, s := range all {
		function := s.micros("function")
		if s.op.function == "hello" {
			hello[s.connections] = function
		}
		sum := function + s.micros("rest") + s.micros("redis")
		fmt.Fprintf(w, "%s\t%d\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%s\t%s\t\n", s.op.name, s.connections, median(s.perSecond),
			milliseconds(median(s.p50)), milliseconds(median(s.p99)), function, s.micros("rest"), s.micros("redis"), sum,
			function-hello[s.connections], unlessZero(s.op.target), unlessZero(s.op.podium))
	}
	return w.Flush()
}

func (s *series) micros(part string) float64 {
	if len(s.cpu[part]) == 0 {
		return 0
	}
	return float64(median(s.cpu[part]).Nanoseconds()) / 1000
}

func unlessZero(n float64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", n)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median[T cmp.Ordered](all []T) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
