package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

func table(programs []*program, n int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "process start to first invocation/next, %d runs of each in turns, %s/%s, %s\n\n", n, runtime.GOOS, runtime.GOARCH, runtime.Version())
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tmedian ms\tp90 ms\tx hello\tbinary MB\tRSS MB\t")
	hello := percentile(programs[0].starts, 50)
	for _, p := range programs {
		median := percentile(p.starts, 50)
		rss := "-"
		if len(p.rss) > 0 {
			rss = fmt.Sprintf("%.1f", megabytes(percentile(p.rss, 50)))
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.1f\t%s\t\n", p.name,
			milliseconds(median), milliseconds(percentile(p.starts, 90)), float64(median)/float64(hello),
			megabytes(p.size), rss)
	}
	_ = w.Flush() // writes to memory
	return out.String()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// peakRSS reads the largest resident size that a process has had, in bytes, from Linux's
// /proc; other systems have none.
func peakRSS(pid int) (int64, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(data)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes * 1024, true
		}
	}
	return 0, false
}
