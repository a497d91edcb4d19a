// Command replay plays what real people have played against the product, and compares all
// results with a plain model. Without a first argument it plays a whole day of a daily
// puzzle, with "duels" a history of matches, with "activity" messages between people.
//
// It only reads flags and prints; packages replay, duelreplay and activityreplay do the
// work.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Exit statuses.
const (
	statusRight  = 0
	statusWrong  = 1
	statusFailed = 2 // could not be played to its end
)

// console is the environment in which a replay runs.
type console struct {
	stdout, stderr io.Writer
	terminal       bool // a person watches stderr
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], console{os.Stdout, os.Stderr, progress.IsTerminal(os.Stderr)}))
}

// replays are those besides the day's, by their first argument.
var replays = map[string]func(context.Context, []string, console) (faults int64, err error){
	"duels":    playDuels,
	"activity": playActivity,
}

func run(ctx context.Context, args []string, c console) int {
	play := playDay
	if len(args) > 0 {
		if other := replays[args[0]]; other != nil {
			play, args = other, args[1:]
		}
	}
	faults, err := play(ctx, args, c)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return statusRight
	case err != nil:
		_, _ = fmt.Fprintln(c.stderr, "replay:", err)
		return statusFailed
	case faults > 0:
		return statusWrong
	}
	return statusRight
}

// flagsOf returns the flags of a replay, including those that all replays have.
func flagsOf(c console, usage string, url, redis *string) *flag.FlagSet {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	flags.SetOutput(c.stderr)
	flags.Usage = func() {
		_, _ = fmt.Fprint(c.stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(url, "url", "", "`address` of a running local product; one is started when empty")
	flags.StringVar(redis, "redis", local.RedisAuto, "for the product that is started: auto, embedded or redis://`host:port`")
	return flags
}

// parse reads flags and one file name, which may come before, between or after the flags.
// The file is "" if none is named.
func parse(flags *flag.FlagSet, args []string) (file string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return "", err
		}
		if flags.NArg() == 0 {
			return file, nil
		}
		if file != "" {
			return "", fmt.Errorf("unexpected argument %q; see -help", flags.Arg(0))
		}
		file, args = flags.Arg(0), flags.Args()[1:]
	}
}

// target is the product to play against.
type target struct {
	product *local.Product // nil if it runs elsewhere
	url     string
	control *demo.Client
	secrets demo.Secrets
}

// connect finds the product at an address, or starts one. Close it.
func connect(ctx context.Context, url, redis string, c console) (t target, err error) {
	if t.url = url; url == "" {
		if t.product, err = startProduct(ctx, redis, c); err != nil {
			return t, err
		}
		t.url = t.product.URL
	}
	if t.control, err = demo.NewClient(t.url); err != nil {
		return t, errors.Join(err, t.Close())
	}
	if t.secrets, err = t.control.Secrets(ctx); err != nil {
		return t, errors.Join(fmt.Errorf("ask the local product for its key: %w", err), t.Close())
	}
	return t, nil
}

// Close ends the product, if connect started it.
func (t target) Close() error {
	if t.product == nil {
		return nil
	}
	return t.product.Close()
}

// source opens a file, or the sample if no file is named.
func source(path, sample string) (io.ReadCloser, error) {
	if path == "" {
		return io.NopCloser(strings.NewReader(sample)), nil
	}
	return os.Open(path)
}

// watched runs play, and shows the progress that play reports.
func (c console) watched(whole int, unit string, play func(progress func(int)) error) error {
	var done atomic.Int64
	stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
		n := done.Load()
		return progress.State{Share: float64(n) / float64(whole), Count: n, Unit: unit}
	})
	defer stop()
	return play(func(n int) { done.Store(int64(n)) })
}

func startProduct(ctx context.Context, redis string, c console) (*local.Product, error) {
	framedle, err := app.LoadGame("")
	if err != nil {
		return nil, err
	}
	product, err := local.Start(ctx, local.Options{Addr: "127.0.0.1:0", Redis: redis, Game: framedle, Log: c.stderr})
	if err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintf(c.stderr, "replay: the product runs at %s, boards in %s\n", product.URL, product.RedisKind)
	return product, nil
}
