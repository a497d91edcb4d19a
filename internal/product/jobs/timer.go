package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/internal/product/app"
)

const (
	envTimed      = "URL"            // of the process whose schedules are fired
	envTimedToken = "SCHEDULE_TOKEN" // of that process, secret; its first one is sent
	envBackups    = "BACKUPS"        // folder of the nightly backups; empty: there are none
	usageTime     = "cron(40 2 * * ? *)"
	backupTime    = "cron(40 3 * * ? *)" // when cron-daily has ended
	backup        = "backup"             // beside the names of schedules
	keptBackups   = "14"
	fireTries     = 3
	fireAgain     = time.Minute
	fireTime      = 15 * time.Minute
)

// Timer fires the schedules of a process that serves everything.
type Timer struct {
	URL, Token string
	Plan       map[string]template.Expression
	Log        *slog.Logger
	Again      time.Duration // between tries
	// Backups is the folder into which BackupTool, the path of lbctl, writes a backup each night;
	// empty: none.
	Backups, BackupTool string
}

// NewTimer reads a Timer from the environment. Its error names every wrong variable.
func NewTimer(getenv func(string) string, log *slog.Logger) (*Timer, error) {
	t := &Timer{URL: strings.TrimRight(getenv(envTimed), "/"), Plan: map[string]template.Expression{}, Log: log, Again: fireAgain}
	var errs []error
	if u, err := url.Parse(t.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		errs = append(errs, fmt.Errorf("%s is not an address: use that of the program, such as http://leaderboards:8080", envTimed))
	}
	t.Token, _, _ = strings.Cut(getenv(envTimedToken), ",")
	if t.Token = strings.TrimSpace(t.Token); len(t.Token) < 32 {
		errs = append(errs, fmt.Errorf("%s has %d characters: use that of the program, at least 32 letters, digits and -._~+/", envTimedToken, len(t.Token)))
	}
	plan, err := status.NewPlan(getenv)
	errs = append(errs, err)
	for name, expression := range plan {
		t.Plan[name] = expression
	}
	t.Plan["cron-usage"], err = template.ParseExpression(usageTime)
	errs = append(errs, err)
	if t.Backups = getenv(envBackups); t.Backups != "" {
		t.Plan[backup], err = template.ParseExpression(backupTime)
		errs = append(errs, err)
		if !filepath.IsAbs(t.Backups) {
			errs = append(errs, fmt.Errorf("%s is %q: use the whole path of a folder, such as /backups", envBackups, t.Backups))
		}
	}
	return t, errors.Join(errs...)
}

// Run fires each schedule when it is due, until ctx ends.
func (t *Timer) Run(ctx context.Context) {
	var all sync.WaitGroup
	for name, expression := range t.Plan {
		all.Go(func() {
			for {
				next := expression.Next(time.Now())
				if next.IsZero() || wait.Sleep(ctx, time.Until(next)) != nil {
					return
				}
				t.Fire(ctx, name)
			}
		})
	}
	all.Wait()
}

// Fire fires a schedule, and tries again if that fails. A run that is under way is enough.
func (t *Timer) Fire(ctx context.Context, name string) {
	var err error
	once := t.once
	if name == backup {
		once = t.backUp
	}
	for range fireTries {
		if err = once(ctx, name); err == nil {
			t.Log.Info("fired", "schedule", name)
			return
		}
		t.Log.Warn("a schedule has failed", "schedule", name, "error", err.Error())
		if wait.Sleep(ctx, t.Again) != nil {
			return
		}
	}
}

// backUp writes a backup, in a process of its own: most processes of the product link no code
// for it.
func (t *Timer) backUp(ctx context.Context, _ string) error {
	run := exec.CommandContext(ctx, t.BackupTool, "backup", "--to", t.Backups, "--keep", keptBackups)
	run.Stderr = os.Stderr
	return run.Run()
}

func (t *Timer) once(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, fireTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL+app.SchedulesPath+name, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+t.Token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusOK || res.StatusCode == http.StatusConflict {
		return nil
	}
	said, _ := io.ReadAll(io.LimitReader(res.Body, 300))
	return fmt.Errorf("%s: %s", res.Status, said)
}
