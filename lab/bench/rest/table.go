package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// report prints the table. Error: the server costs too much.
func report(out io.Writer, subjects []*subject, limit float64) error {
	hello, direct, rest := subjects[0], subjects[1], subjects[2]
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tserver µs\tRedis µs\ttotal µs\ttimes hello\ttimes direct\twall µs\t")
	for _, s := range subjects {
		server, redis := "", ""
		switch s {
		case hello:
			server = micros(s.process(0))
		case direct:
			redis = micros(s.process(0))
		case rest:
			server, redis = micros(s.process(0)), micros(s.process(1))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%s\t\n", s.name, server, redis, micros(s.total()),
			ratio(s.total(), hello.total()), ratio(s.total(), direct.total()), micros(median(s.wall)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	added := rest.total() - direct.total()
	fmt.Fprintf(out, "CPU per command that REST adds to Redis: %s µs\n", micros(added))
	if us := float64(added) / 1e3; limit > 0 && us > limit {
		return fmt.Errorf("REST adds %.1f µs to Redis, want at most %.1f", us, limit)
	}
	return nil
}

func (s *subject) process(i int) time.Duration { return median(s.perRequest[i]) }

func (s *subject) total() time.Duration {
	var sum time.Duration
	for i := range s.perRequest {
		sum += s.process(i)
	}
	return sum
}

func micros(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/1e3) }

func ratio(a, b time.Duration) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
