// Command invoke runs one function on one event, as Lambda would, on this machine and
// without a container: it builds functions/<name>, starts the bootstrap against a server
// that speaks the runtime API and prints the answer.
//
//	invoke -function submit -event events/submit.json [-env-file FILE] [-live]
//
// Without -live it refuses addresses of stores on other machines, so that a shell that has a
// deployment's variables does not write to its boards.
//
// It must run in the root of the module. It reads the template for the names of a
// function's variables, and knows nothing of what the function does.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.LookupEnv, time.Now, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "invoke:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, lookup func(string) (string, bool), now func() time.Time, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("invoke", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("function", "leaderboard", "the function, a folder under functions/")
	eventFile := flags.String("event", "", "the event, a JSON file; events/<function>.json when empty")
	envFile := flags.String("env-file", "", "lines of NAME=value; the environment of this command when empty")
	live := flags.Bool("live", false, "let the function read and write stores on other machines: those of a deployment, say")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *eventFile == "" {
		*eventFile = filepath.Join("events", *name+".json")
	}
	fn, err := findFunction(*name)
	if err != nil {
		return err
	}
	event, err := os.ReadFile(*eventFile)
	if err != nil {
		return fmt.Errorf("reading the event: %w", err)
	}
	if *envFile != "" {
		if lookup, err = readEnvFile(*envFile); err != nil {
			return err
		}
	}
	env := environment(fn, lookup)
	if elsewhere := remote(env); len(elsewhere) > 0 && !*live {
		return fmt.Errorf("the function would read and write what is not on this machine: %s. Unset them, in a new shell for example, for an embedded Redis; or add -live (make invoke ARGS=-live) if you mean it", strings.Join(elsewhere, ", "))
	}
	if env["UPSTASH_REDIS_REST_URL"] == "" {
		redis, err := upstashtest.New(upstashtest.Options{})
		if err != nil {
			return fmt.Errorf("starting the embedded Redis: %w", err)
		}
		defer func() { _ = redis.Close() }() // nothing is kept after the answer
		env["UPSTASH_REDIS_REST_URL"], env["UPSTASH_REDIS_REST_TOKEN"] = redis.URL(), redis.Token()
		fmt.Fprintln(stderr, "invoke: UPSTASH_REDIS_REST_URL is empty, using an embedded Redis for this call")
	}
	if _, takesSignatures := fn.Env["SIGNING_KEYS"]; takesSignatures {
		if env["SIGNING_KEYS"] == "" {
			env["SIGNING_KEYS"] = rand.Text() + rand.Text()
		}
		key, _, _ := strings.Cut(env["SIGNING_KEYS"], ",")
		event = signed(event, key, now())
	}
	return invoke(ctx, fn, event, env, stdout, stderr)
}

func findFunction(name string) (template.Function, error) {
	tmpl, err := template.Parse(leaderboards.Template)
	if err != nil {
		return template.Function{}, err
	}
	fn, ok := tmpl.Function(name)
	if !ok {
		var names []string
		for _, f := range tmpl.Functions {
			names = append(names, f.Name)
		}
		return template.Function{}, fmt.Errorf("there is no function %q: want one of %s", name, strings.Join(names, ", "))
	}
	return fn, nil
}

func invoke(ctx context.Context, fn template.Function, event []byte, env map[string]string, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "invoke")
	if err != nil {
		return fmt.Errorf("making a folder for the bootstrap: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bootstrap := filepath.Join(dir, "bootstrap")
	if err := lambdatest.Build(ctx, "", "./functions/"+fn.Name, bootstrap); err != nil {
		return err
	}
	options := lambdatest.Options{
		Bootstrap: bootstrap,
		Name:      fn.LogicalID,
		Timeout:   time.Duration(fn.TimeoutS) * time.Second,
	}
	for name, value := range env {
		options.Env = append(options.Env, name+"="+value)
	}
	f, err := lambdatest.Start(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	response, err := f.Invoke(ctx, event)
	_, _ = io.Copy(stderr, bytes.NewBufferString(f.Stderr())) // the function's log
	if err != nil {
		return err
	}
	if err := printResponse(stdout, response, f.InitTime()); err != nil {
		return err
	}
	if response.Failed() {
		return errors.New("the function reported an error")
	}
	return nil
}
