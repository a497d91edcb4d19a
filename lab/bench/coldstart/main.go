// Command coldstart measures how long each function takes from the start of its process
// to its first request for an event, and compares it with a bare aws-lambda-go hello in
// the same run. The programs take turns, so that other load on the machine affects all of
// them alike.
//
//	coldstart [-n 30] [-max 3]
//
// It must run in the root of the module, needs no network, and exits with 1 when a
// function's median is above max times that of hello.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/template"
)

func main() {
	n := flag.Int("n", 30, "runs of each program")
	limit := flag.Float64("max", 3, "the largest allowed ratio to hello")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "coldstart:", err)
		os.Exit(1)
	}
}

// program is one bootstrap with its measurements.
type program struct {
	name   string
	path   string
	env    []string
	size   int64           // bytes of the file
	starts []time.Duration // process start to first request
	rss    []int64         // bytes, peak until that request; empty if the system does not tell it
}

func run(ctx context.Context, n int, limit float64) (err error) {
	if n < 1 {
		return errors.New("-n must be at least 1")
	}
	dir, err := os.MkdirTemp("", "coldstart")
	if err != nil {
		return fmt.Errorf("making a folder for bootstraps: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	programs, err := build(ctx, dir)
	if err != nil {
		return err
	}
	for round := range n {
		for i := range programs {
			// Each round starts with another program.
			if err := programs[(i+round)%len(programs)].start(ctx); err != nil {
				return err
			}
		}
	}
	fmt.Print(table(programs, n))
	hello := percentile(programs[0].starts, 50)
	for _, p := range programs[1:] {
		if ratio := float64(percentile(p.starts, 50)) / float64(hello); ratio > limit {
			return fmt.Errorf("%s starts in %.2f times the time of hello: the budget is %.2f", p.name, ratio, limit)
		}
	}
	return nil
}

// build compiles hello, which comes first, and all functions of the template.
func build(ctx context.Context, dir string) ([]*program, error) {
	tmpl, err := template.Parse(leaderboards.Template)
	if err != nil {
		return nil, err
	}
	values, err := dummies()
	if err != nil {
		return nil, err
	}
	programs := []*program{{name: "hello", env: []string{lambdatest.AllThreads}}}
	for _, f := range tmpl.Functions {
		p := &program{name: f.Name}
		for name := range f.Env {
			p.env = append(p.env, name+"="+values[name])
		}
		programs = append(programs, p)
	}
	for _, p := range programs {
		p.path = filepath.Join(dir, p.name)
		if p.name == "hello" {
			err = buildHello(ctx, p.path)
		} else {
			err = lambdatest.Build(ctx, "", "./functions/"+p.name, p.path)
		}
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(p.path)
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", p.name, err)
		}
		p.size = info.Size()
	}
	return programs, nil
}

// buildHello compiles hello without our tags, as anybody builds it.
func buildHello(ctx context.Context, out string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", "lambda.norpc", "-trimpath", "-ldflags", "-s -w", "-o", out, "./lab/bench/coldstart/hello")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building hello: %w\n%s", err, said)
	}
	return nil
}

// dummies is an environment that lets every function start. Its addresses do not work:
// nothing is called before an event comes.
func dummies() (map[string]string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("encoding a key: %w", err)
	}
	return map[string]string{
		"GAME":                      "framedle",
		"QUEUE_MODE":                "off",
		"UPSTASH_REDIS_REST_URL":    "https://redis.invalid",
		"UPSTASH_REDIS_REST_TOKEN":  "dummy",
		"UPSTASH_REDIS_REST_URLS":   "eu=https://eu.redis.invalid",
		"UPSTASH_REDIS_REST_TOKENS": "eu=dummy",
		"SITE":                      "us",
		"SITE_REDIS_REST_URLS":      "eu=https://eu.redis.invalid",
		"SITE_REDIS_REST_TOKENS":    "eu=dummy",
		"CLERK_JWT_KEY":             string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})),
		"CLERK_ISSUER":              "https://clerk.example.com",
		"CLERK_AUTHORIZED_PARTIES":  "https://example.com",
		"CLERK_JWKS_URL":            "https://clerk.example.com/.well-known/jwks.json",
		"CLERK_WEBHOOK_SECRETS":     "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 24)),
		"DATABASE_URL":              "postgres://dummy:dummy@postgres.invalid/dummy",
		"LIVE_URL":                  "https://live.example.com",
		"APPSYNC_EVENTS_URL":        "https://events.example.com",
		"APPSYNC_EVENTS_KEY":        "da2-abcdefghijklmnopqrstuvwxyz",
		"REPAIR":                    "on",
		"SECRET":                    strings.Repeat("dummy-", 8),
		"MAINTENANCE":               "dummy",
		"TRUSTED_PROXY_HOPS":        "0",
		"CORS_ORIGINS":              "*",
		"DAILY_SCHEDULE":            "cron(20 0 * * ? *)",
		"WEEKLY_SCHEDULE":           "cron(30 0 ? * MON *)",
		"SAVE_SCHEDULE":             "rate(4 hours)",
		"ORIGIN_SECRET":             strings.Repeat("dummy-", 8),
		"QUEUE_URL":                 "https://sqs.us-east-1.amazonaws.com/123456789012/dummy",
		"FAILED_RUNS_QUEUE_URL":     "https://sqs.us-east-1.amazonaws.com/123456789012/dummy",
		"DEAD_SCORES_QUEUE_URL":     "https://sqs.us-east-1.amazonaws.com/123456789012/dummy",
		"SIGNING_KEYS":              strings.Repeat("dummy-", 8),
		"OPS_TOKEN":                 strings.Repeat("dummy-", 8),
		"OPERATORS":                 "ada:read:" + strings.Repeat("0", 64),
		"WEBHOOK_SECRETS":           strings.Repeat("dummy-", 8),
		"DEVICE_KEYS":               strings.Repeat("dummy-", 8),
		"UPSTASH_EMAIL":             "dummy@example.com",
		"UPSTASH_API_KEY":           "dummy",
		"UPSTASH_DATABASE_ID":       "dummy",
		"METRICS":                   "lean",
		"METRICS_NAMESPACE":         "Dummy",
		"PLAN_COMMANDS":             "500000",
		"GRAPHQL":                   "on",
		"GOMAXPROCS":                strings.TrimPrefix(lambdatest.Threads, "GOMAXPROCS="),
	}, nil
}

func (p *program) start(ctx context.Context) error {
	f, err := lambdatest.Start(ctx, lambdatest.Options{Bootstrap: p.path, Name: p.name, Env: p.env})
	if err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	p.starts = append(p.starts, f.InitTime())
	if rss, ok := peakRSS(f.PID()); ok {
		p.rss = append(p.rss, rss)
	}
	return f.Close()
}

func percentile[T int64 | time.Duration](values []T, p int) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)*p/100]
}
