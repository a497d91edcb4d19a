package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/upstash"
)

// cpu is the processor time of the databases and of this process.
type cpu struct{ databases, writer time.Duration }

// cpu reads the processor time used so far. On a machine that does other things too, it
// tells more than the clock does.
func (b *bench) cpu(ctx context.Context) (c cpu, err error) {
	for _, client := range b.clients {
		reply, err := client.Do(ctx, upstash.Cmd("INFO", "cpu"))
		if err != nil {
			return c, err
		}
		text, err := reply.Text()
		if err != nil {
			return c, err
		}
		c.databases += seconds(text, "used_cpu_sys:") + seconds(text, "used_cpu_user:")
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return c, err
	}
	c.writer = time.Duration(used.Utime.Nano() + used.Stime.Nano())
	return c, nil
}

// timed runs f and prints what each of n things took.
func (b *bench) timed(ctx context.Context, what string, n int, f func() error) error {
	before, err := b.cpu(ctx)
	if err != nil {
		return err
	}
	spent, began := b.spent(), time.Now()
	if err := f(); err != nil {
		return err
	}
	took, commands := time.Since(began), b.spent()-spent
	after, err := b.cpu(ctx)
	if err != nil {
		return err
	}
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 / float64(n) }
	fmt.Printf("%d %s in %.1f s: %.0f a second, %.3f commands each; CPU each %.1f µs in the databases, %.1f µs in the writer\n", n, what,
		took.Seconds(), float64(n)/took.Seconds(), float64(commands)/float64(n), each(after.databases-before.databases), each(after.writer-before.writer))
	return nil
}
