// Command upstash-local runs a local server that speaks the Upstash Redis REST
// protocol, until interrupted.
//
//	upstash-local [-addr 127.0.0.1:8079] [-token T] [-redis embedded|redis://…]
//	              [-read-only-token T] [-plan free|payg] [-cost-header]
//	              [-replica-lag 100ms] [-strict-redis]
//	              [-ready text|json] [-until-eof]
//
// The limits of a plan can be set one by one as well; -help lists all flags.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := parseFlags(os.Stderr, os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = run(ctx, os.Stdin, os.Stdout, s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "upstash-local:", err)
		os.Exit(1)
	}
}

// settings are the parsed flags.
type settings struct {
	upstashtest.Options
	ready    ready
	untilEOF bool // end also at the end of standard input
}

func parseFlags(messages io.Writer, args []string) (settings, error) {
	var o settings
	flags := flag.NewFlagSet("upstash-local", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.StringVar(&o.Addr, "addr", "127.0.0.1:8079", "loopback address to listen on")
	flags.StringVar(&o.Token, "token", "", "token that clients must send (default: a random one)")
	flags.StringVar(&o.ReadOnlyToken, "read-only-token", "", "token for commands that only read (default: none)")
	flags.BoolVar(&o.TellCost, "cost-header", false, "tell in X-Billed-Commands what each request costs")
	flags.DurationVar(&o.ReplicaLag, "replica-lag", 0, "answer reads from a replica so far behind, unless they carry a sync token; embedded engine only")
	flags.BoolVar(&o.StrictRedis, "strict-redis", false, "answer as Redis does where Upstash is known to differ")
	how := flags.String("ready", "text", "what is printed when it listens: text for people, or json, one line for programs")
	flags.BoolVar(&o.untilEOF, "until-eof", false, "end when standard input does, and so with the program that holds the other end")
	engine := flags.String("redis", "embedded", "engine: embedded, or redis://[user:password@]host:port[/db]")
	plan := flags.String("plan", "", "limits of a plan: free or payg (default: none)")
	var limits upstashtest.Plan
	flags.Int64Var(&limits.MonthlyCommands, "monthly-commands", 0, "billed commands until every command fails, instead of the plan's")
	flags.IntVar(&limits.CommandsPerSecond, "commands-per-second", 0, "commands a second beyond which requests wait, instead of the plan's")
	flags.IntVar(&limits.RequestBytes, "request-bytes", 0, "the largest command, instead of the plan's")
	flags.Int64Var(&limits.RecordBytes, "record-bytes", 0, "the largest record, instead of the plan's")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("argument %q; only flags are known", flags.Arg(0))
	}
	if *engine != "embedded" {
		o.Redis = *engine
	}
	var err error
	if o.ready, err = readyFrom(*how); err != nil {
		return o, err
	}
	o.Plan, err = planOf(*plan, limits)
	return o, err
}

// planOf returns the named plan, with those limits replaced that are set separately, or
// nil if nothing is limited.
func planOf(name string, limits upstashtest.Plan) (*upstashtest.Plan, error) {
	var p upstashtest.Plan
	switch name {
	case "":
		if limits == p {
			return nil, nil
		}
	case "free":
		p = upstashtest.FreePlan()
	case "payg":
		p = upstashtest.PayAsYouGo()
	default:
		return nil, fmt.Errorf("plan %q is unknown; want free or payg", name)
	}
	if limits.MonthlyCommands < 0 || limits.CommandsPerSecond < 0 || limits.RequestBytes < 0 || limits.RecordBytes < 0 {
		return nil, errors.New("a limit is negative; want 1 or more")
	}
	override(&p.MonthlyCommands, limits.MonthlyCommands)
	override(&p.CommandsPerSecond, limits.CommandsPerSecond)
	override(&p.RequestBytes, limits.RequestBytes)
	override(&p.RecordBytes, limits.RecordBytes)
	return &p, nil
}

func override[N int | int64](limit *N, with N) {
	if with > 0 {
		*limit = with
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer, o settings) error {
	s, err := upstashtest.New(o.Options)
	if err != nil {
		return err
	}
	if err := o.ready(out, s, o.Options); err != nil {
		return errors.Join(err, s.Close())
	}
	ended := make(chan struct{})
	if o.untilEOF {
		go func() {
			defer close(ended)
			_, _ = io.Copy(io.Discard, in) // a read error also means that the input has ended
		}()
	}
	select {
	case <-ctx.Done():
	case <-ended:
	}
	return s.Close()
}
