package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

const importLong = `Loads scores from FILE through POST /v1/scores/batch, as the operator: it may fill
days that are closed to players, and set the time of play. For older history use
lbctl import-history.

FILE is CSV with a header, or JSON lines. The fields are player, mode, date
(YYYY-MM-DD) and score, and optionally played_at (RFC 3339) and country
(ISO 3166-1, such as BR).

Credentials come from the environment: SIGNING_KEYS (the first one is used) and
OPS_TOKEN. Without both, or with --local, they come from a product that cmd/local
runs on this machine.

An interrupted import continues when it is started again. Rejected lines are reported
in FILE.rejected.csv.

Exit status: 0 every line was accepted, 1 some were rejected, 2 incomplete (start it
again) or failed.
`

type importFlags struct {
	importer.Options
	url        string
	local      bool
	dryRun     bool
	noProgress bool
	gameFile   string
}

func importCommand(c console) *cobra.Command {
	f := &importFlags{}
	f.Now, f.Wait, f.Random = time.Now, wait.Sleep, rand.Float64
	cmd, flags := define("import [flags] FILE", "load scores from CSV or JSON lines", importLong, 1)
	addURL(flags, &f.url, c)
	flags.BoolVar(&f.local, "local", false, "ask the local product at --url for its credentials")
	flags.IntVar(&f.Batch, "batch", 1000, "`lines` in a request, at most 1000")
	flags.IntVar(&f.Workers, "workers", 4, fmt.Sprintf("concurrent requests, at most %d", importer.MaxWorkers))
	flags.StringVar(&f.ProgressFile, "resume", "", "progress `file`; FILE.progress when empty")
	flags.BoolVar(&f.noProgress, "no-progress", false, "use no progress file: start at the first line")
	flags.StringVar(&f.ReportFile, "rejected", "", "`file` for rejected lines; FILE.rejected.csv when empty")
	flags.StringVar(&f.ReportFile, "refused", "", "the name of --rejected up to v0.5")
	_ = flags.MarkDeprecated("refused", "use --rejected") // it is there
	flags.BoolVar(&f.dryRun, "dry-run", false, "validate only; send nothing")
	flags.StringVar(&f.gameFile, "game", "", "game `file`; checks each line against its modes and bounds before sending")
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if err := f.complete(plain); err != nil {
			return statusFailed, err
		}
		return f.load(ctx, c)
	})
}

// load sends the lines, or checks them.
func (f *importFlags) load(ctx context.Context, c console) (status int, err error) {
	if f.gameFile != "" {
		if f.Game, err = readGame(f.gameFile); err != nil {
			return statusFailed, err
		}
	}
	work := importer.Check
	if !f.dryRun {
		work = importer.Run
		if err = f.connect(ctx, c.getenv); err != nil {
			return statusFailed, err
		}
		defer f.Client.Close()
	}
	var state atomic.Pointer[progress.State]
	state.Store(&progress.State{})
	f.Progress = tracker(&state)
	f.Notice = c.notice
	stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State { return *state.Load() })
	began := time.Now()
	summary, err := work(ctx, f.Options)
	stop()
	printSummary(c.stdout, f, summary, time.Since(began), err)
	switch {
	case err != nil:
		return statusFailed, err
	case summary.Counts.Refused > 0:
		return statusFaults, nil
	}
	return statusGood, nil
}

// complete fills in the names of files that are not given.
func (f *importFlags) complete(plain []string) error {
	if len(plain) == 0 {
		return errors.New("missing FILE: use lbctl import FILE")
	}
	f.File = plain[0]
	if f.ReportFile == "" {
		f.ReportFile = f.File + ".rejected.csv"
	}
	switch {
	case f.noProgress && f.ProgressFile != "":
		return errors.New("use either --resume or --no-progress")
	case !f.noProgress && f.ProgressFile == "":
		f.ProgressFile = f.File + ".progress"
	}
	return nil
}

// connect finds the credentials, and makes the client that sends the lines.
func (f *importFlags) connect(ctx context.Context, getenv func(string) string) error {
	key, token := first(getenv("SIGNING_KEYS")), first(getenv("OPS_TOKEN"))
	if f.local || demo.OnThisMachine(f.url) && key == "" && token == "" {
		secrets, err := localSecrets(ctx, f.url)
		if err != nil {
			return fmt.Errorf("SIGNING_KEYS and OPS_TOKEN must be set to the product's own, or a product of cmd/local must run at %s: %w", f.url, err)
		}
		key, token = secrets.SigningKey, secrets.OpsToken
	}
	if key == "" || token == "" {
		return errors.New("SIGNING_KEYS and OPS_TOKEN must be set to the product's own")
	}
	var err error
	f.Client, err = client.New(client.Config{URL: f.url, SigningKey: key, OpsToken: token, Timeout: importer.CallTimeout})
	f.Target = importer.Target(f.url, key)
	return err
}

// tracker turns the importer's progress into what is shown: counts of this run, and the share
// of the whole file.
func tracker(state *atomic.Pointer[progress.State]) func(importer.Progress) {
	var before *int64
	return func(p importer.Progress) {
		lines := p.Counts.Written() + p.Counts.Refused
		if before == nil {
			before = &lines
		}
		s := progress.State{Count: lines - *before, Unit: "lines", Note: progress.Count(p.Counts.Refused) + " rejected"}
		if p.Size > 0 {
			s.Share = float64(p.Bytes) / float64(p.Size)
		}
		state.Store(&s)
	}
}
