package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// series is the measurements of an operation at one number of connections, round by
// round.
type series struct {
	op          operation
	connections int

	perSecond []float64
	p50, p99  []time.Duration
	cpu       map[string][]time.Duration // per request, by process: function, rest, redis
}

func newSeries(op operation, connections int) *series {
	return &series{op: op, connections: connections, cpu: map[string][]time.Duration{}}
}

// serves returns the processes that work for the operation.
func (s *series) serves(h *deployed) map[string]*process {
	if s.op.function == "hello" {
		return map[string]*process{"function": h.parts["hello"]}
	}
	return map[string]*process{"function": h.parts[s.op.function], "rest": h.parts["rest"], "redis": h.parts["redis"]}
}

func (s *series) round(ctx context.Context, h *deployed, n int) error {
	requests, err := s.op.requests(n)
	if err != nil {
		return err
	}
	before := map[string]time.Duration{}
	serves := s.serves(h)
	for name, p := range serves {
		if before[name], err = p.cpu(); err != nil {
			return err
		}
	}
	began := time.Now()
	waits, err := load(ctx, serves["function"].addr, s.connections, requests)
	if err != nil {
		return err
	}
	s.perSecond = append(s.perSecond, float64(n)/time.Since(began).Seconds())
	slices.Sort(waits)
	s.p50, s.p99 = append(s.p50, waits[n/2]), append(s.p99, waits[n*99/100])
	for name, p := range serves {
		used, err := p.cpu()
		if err != nil {
			return err
		}
		s.cpu[name] = append(s.cpu[name], (used-before[name])/time.Duration(n))
	}
	return nil
}

// load sends requests over a number of connections, each of which waits for its answer
// before it sends the next. Every answer must be a success. It returns how long each
// took.
func load(ctx context.Context, addr string, connections int, requests [][]byte) ([]time.Duration, error) {
	waits := make([]time.Duration, len(requests))
	errs := make([]error, connections)
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range connections {
		all.Go(func() { errs[i] = exchange(ctx, addr, requests, &next, waits) })
	}
	all.Wait()
	return waits, errors.Join(errs...)
}

func exchange(ctx context.Context, addr string, requests [][]byte, next *atomic.Int64, waits []time.Duration) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		i := int(next.Add(1)) - 1
		if i >= len(requests) {
			return nil
		}
		began := time.Now()
		if _, err := c.Write(requests[i]); err != nil {
			return err
		}
		if err := answered(r); err != nil {
			return fmt.Errorf("%.200q: %w", requests[i], err)
		}
		waits[i] = time.Since(began)
	}
}

func answered(r *bufio.Reader) error {
	a, err := http.ReadResponse(r, nil)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if a.StatusCode >= http.StatusMultipleChoices {
		problem, _ := io.ReadAll(io.LimitReader(a.Body, 1000))
		return fmt.Errorf("%s: %s", a.Status, problem)
	}
	_, err = io.Copy(io.Discard, a.Body)
	return err
}
