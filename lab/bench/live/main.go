// Command live measures what viewers of a live board cost: the memory and the idle CPU of
// the process that streams the board, and how long after a submission's answer all
// viewers have the change. It also measures how long after the answer of a third process
// viewers of two others see a submission.
//
//	live [-n 1000] [-changes 50] [-idle 20s] [-through 1000] [-rest]
//
// The product is the local one, in a process of its own with the local Upstash server,
// over a Valkey or Redis of its own. Viewers and submissions come from this process.
// Memory and CPU are compared with those of the same process before the viewers came. The
// command exits with 1 above 25 MB for 1,000 viewers, 1 % of a core idle, 300 ms at p99,
// or 1 s at p99 through a third process, unless -rest.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/product/app"
)

type settings struct {
	viewers, changes int
	through          int // submissions to a third process
	idle             time.Duration
	lenient          bool
}

// The limits that are promised for 1,000 viewers on two cores.
const (
	mostBytes   = 25_000 // for each viewer
	mostIdle    = 0.01   // of a core
	mostWaiting = 300 * time.Millisecond
	mostThrough = time.Second
)

func main() {
	var o settings
	flag.IntVar(&o.viewers, "n", 1000, "viewers")
	flag.IntVar(&o.changes, "changes", 50, "submissions that all viewers wait for")
	flag.IntVar(&o.through, "through", 1000, "submissions to a third process")
	flag.DurationVar(&o.idle, "idle", 20*time.Second, "for how long nothing happens")
	flag.BoolVar(&o.lenient, "rest", false, "exit with 0 whatever is measured")
	serve := flag.String("serve", "", "be the product over this `redis://` (used by the measurement itself)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *serve != "" {
		err = beProduct(ctx, *serve)
	} else {
		err = measure(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

// beProduct runs the product until standard input ends.
func beProduct(ctx context.Context, redis string) error {
	g, err := app.LoadGame("")
	if err != nil {
		return err
	}
	p, err := local.Start(ctx, local.Options{Addr: "127.0.0.1:0", Redis: redis, Game: g, Log: io.Discard})
	if err != nil {
		return err
	}
	fmt.Println(p.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return p.Close()
}

func measure(ctx context.Context, o settings) (err error) {
	redis, err := redisd.Start(ctx, redisd.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, redis.Stop()) }()
	b := &bench{settings: o, seen: make(chan time.Time, o.viewers)}
	b.product, err = startProduct(ctx, redis.URL())
	if err != nil {
		return err
	}
	err = b.run(ctx)
	b.stop()
	return errors.Join(err, betweenProcesses(ctx, redis.URL(), o))
}

// product is a product in a process of its own.
type product struct {
	url     string
	process int
	stop    func()
}

func startProduct(ctx context.Context, redis string) (p product, err error) {
	self := exec.CommandContext(ctx, os.Args[0], "-serve", redis)
	self.Stderr = os.Stderr
	in, err := self.StdinPipe()
	if err != nil {
		return p, err
	}
	out, err := self.StdoutPipe()
	if err != nil {
		return p, err
	}
	if err := self.Start(); err != nil {
		return p, err
	}
	stop := func() { _ = in.Close(); _ = self.Wait() }
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return p, fmt.Errorf("the product did not start: %w", err)
	}
	return product{strings.TrimSpace(address), self.Process.Pid, stop}, nil
}

type bench struct {
	settings
	product
	seen chan time.Time // one item for each viewer and change
}

func (b *bench) run(ctx context.Context) error {
	for n := range 200 { // a full page, and the memory of a process that has served for a while
		if _, err := b.submit(ctx, fmt.Sprint("user_early_", n), 100+n); err != nil {
			return err
		}
	}
	if err := b.watch(); err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	before, err := b.resident()
	if err != nil {
		return err
	}
	for range b.viewers - 1 {
		if err := b.watch(); err != nil {
			return err
		}
	}
	time.Sleep(3 * time.Second)
	busy, err := b.cpu()
	if err != nil {
		return err
	}
	time.Sleep(b.idle)
	busyAfter, err := b.cpu()
	if err != nil {
		return err
	}
	after, err := b.resident()
	if err != nil {
		return err
	}
	share := (busyAfter - busy).Seconds() / b.idle.Seconds()
	var waits []time.Duration
	for n := range b.changes {
		for len(b.seen) > 0 {
			<-b.seen
		}
		answered, err := b.submit(ctx, fmt.Sprint("user_late_", n), 400+n)
		if err != nil {
			return err
		}
		for range b.viewers {
			select {
			case at := <-b.seen:
				waits = append(waits, at.Sub(answered))
			case <-time.After(10 * time.Second):
				return fmt.Errorf("change %d has not come to all viewers", n)
			}
		}
		time.Sleep(time.Second)
	}
	slices.Sort(waits)
	at := func(share float64) time.Duration { return waits[int(share*float64(len(waits)-1))] }
	bytesEach := float64(after-before) / float64(b.viewers)
	fmt.Printf("%d viewers: %.1f MB, %.1f KB each (%.1f MB before them)\n", b.viewers, float64(after-before)/1e6, bytesEach/1e3, float64(before)/1e6)
	fmt.Printf("idle: %.2f %% of a core\n", 100*share)
	fmt.Printf("a change to all, after the answer: p50 %v, p99 %v, last %v\n", at(0.5).Round(time.Millisecond), at(0.99).Round(time.Millisecond), at(1).Round(time.Millisecond))
	if !b.lenient && (bytesEach > mostBytes || share > mostIdle || at(0.99) > mostWaiting) {
		return errors.New("more than is promised: 25 KB a viewer, 1 % of a core, 300 ms at p99")
	}
	return nil
}

// submit sends a player's score and returns when it was answered.
func (p product) submit(ctx context.Context, player string, score int) (time.Time, error) {
	return p.submitTo(ctx, "daily_frame", player, score)
}

func (p product) submitTo(ctx context.Context, mode, player string, score int) (time.Time, error) {
	var token struct{ Token string }
	if err := p.post(ctx, "/_local/token", fmt.Sprintf(`{"player":%q,"name":%q}`, player, player), "", &token); err != nil {
		return time.Time{}, err
	}
	err := p.post(ctx, "/v1/scores", fmt.Sprintf(`{"mode":%q,"score":%d}`, mode, score), token.Token, nil)
	return time.Now(), err
}

func (p product) post(ctx context.Context, path, body, token string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		return fmt.Errorf("%s answered %d %s: %w", path, res.StatusCode, text, err)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// watch opens a stream and records each change, until the process ends.
func (b *bench) watch() error {
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(conn, "GET /v1/live/daily_frame HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return err
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	first := make(chan bool, 1)
	go func() {
		for lines.Scan() {
			switch line := lines.Bytes(); {
			case bytes.Equal(line, []byte("event: board")):
				first <- true
			case bytes.Equal(line, []byte("event: change")):
				select {
				case b.seen <- time.Now():
				default:
				}
			}
		}
		first <- false
	}()
	if !<-first {
		return fmt.Errorf("a stream did not begin: %w", lines.Err())
	}
	return nil
}

// resident is the resident memory of the process, in bytes.
func (p product) resident() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.process))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// cpu is the CPU time of the process; the kernel counts in hundredths of a second.
func (p product) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.process))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, err
}
