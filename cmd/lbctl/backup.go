package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/backup"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const backupLong = `Writes all that the deployment keeps into one file: first it archives what only Redis
has, as cron-save and lbctl archive do, then it copies every table of Postgres, as of one
moment, and checks the file that it has written. While it is being written, the file has
a name that ends in .partial; after a failure, run the same command again. The file has
personal data, and is readable for its owner only. docs/operate/backup.md says what it does
not have.

--to is a file that does not exist, or a folder, in which each backup gets a name of the
game and the time. --keep deletes older backups of the same game from that folder, after
a backup has succeeded.

--check reads a backup and checks it. It needs no store.
` + historyPlaces + `
Exit status: 0 done, 2 failed: there is no backup.
`

type backupFlags struct {
	placeFlags
	to, check     string
	keep          int
	noSave, force bool
}

func backupCommand(c console) *cobra.Command {
	var f backupFlags
	cmd, flags := define("backup [flags]", "back up both stores into a file", backupLong, 0)
	f.add(flags)
	flags.StringVar(&f.to, "to", "", "`file` to write, or a folder")
	flags.IntVar(&f.keep, "keep", 0, "with a folder: the `number` of backups to keep, including the new one; 0 keeps all")
	flags.BoolVar(&f.noSave, "no-save", false, "copy Postgres as it is, without reading Redis: what was played since the last cron-save is not in the backup")
	flags.BoolVar(&f.force, "force", false, "archive what Redis has even during maintenance")
	flags.StringVar(&f.check, "check", "", "check a backup `file`, and write none")
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		if err := f.refused(); err != nil {
			return statusFailed, err
		}
		if f.check != "" {
			file, err := backup.Open(f.check)
			if err != nil {
				return statusFailed, err
			}
			defer func() { _ = file.Close() }()
			return statusGood, writeJSON(c, ofBackup(file))
		}
		return f.write(ctx, c)
	})
}

// refused names everything that is wrong with the flags.
func (f *backupFlags) refused() (err error) {
	if (f.to == "") == (f.check == "") {
		err = errors.New("use --to with a file or a folder, or --check with a backup")
	}
	if f.keep < 0 {
		err = errors.Join(err, fmt.Errorf("--keep %d: use 1 or more, or 0 to keep all", f.keep))
	}
	if f.keep > 0 && !isFolder(f.to) {
		err = errors.Join(err, errors.New("--keep requires --to with a folder that exists"))
	}
	if f.check != "" && (f.keep != 0 || f.noSave || f.force) {
		err = errors.Join(err, errors.New("--check takes no other flags"))
	}
	if f.noSave && f.force {
		err = errors.Join(err, errors.New("--force does not apply to --no-save, which reads nothing of Redis"))
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// described is a backup as lbctl prints it.
type described struct {
	backup.Report
	Game   string    `json:"game"`
	Schema int64     `json:"schema"`
	MadeAt time.Time `json:"made_at"`
	Saved  bool      `json:"saved"`
}

func ofBackup(f *backup.File) described {
	m := f.Manifest
	return described{f.Report(), m.Game, m.Schema, m.MadeAt, m.Saved}
}

func (f *backupFlags) write(ctx context.Context, c console) (int, error) {
	g, err := f.load(c)
	if err != nil {
		return statusFailed, err
	}
	database := cmp.Or(f.database, c.getenv(jobs.EnvDatabase))
	if database == "" {
		return statusFailed, errors.New("no database: use --database-url, or set DATABASE_URL. Without Postgres Redis has the only copy: use the backups of your Upstash plan, or lbctl move into a second Redis")
	}
	now := time.Now()
	if f.now != "" {
		if now, err = parseNow(f.now); err != nil {
			return statusFailed, err
		}
	}
	path := f.to
	if isFolder(path) {
		path = filepath.Join(path, backupName(g.Name, now))
	}
	if _, err := os.Lstat(path); err == nil {
		return statusFailed, fmt.Errorf("%s exists: use another name, or remove it", path)
	}
	if !f.noSave {
		if err := f.save(ctx, c); err != nil {
			return statusFailed, err
		}
	}
	seen, stop := showRows(c)
	report, err := backup.Write(ctx, backup.Options{
		Database: database, Path: path, Seen: seen,
		Manifest: backup.Manifest{Version: app.Version(), Game: g.Name, Rules: ruleset.Of(g).Stored(), MadeAt: now.UTC(), Saved: !f.noSave},
	})
	stop()
	if err != nil {
		return statusFailed, err
	}
	if f.keep > 0 {
		if err := rotate(f.to, g.Name, f.keep, c); err != nil {
			return statusFailed, fmt.Errorf("%s is written, but older backups are not deleted: %w", path, err)
		}
	}
	return statusGood, writeJSON(c, report)
}

// save archives what only Redis has.
func (f *backupFlags) save(ctx context.Context, c console) error {
	job, err := f.open(ctx, c)
	if err != nil {
		return err
	}
	defer job.Archive.Close(context.WithoutCancel(ctx))
	if err := job.Archive.Ready(ctx); err != nil {
		return err
	}
	if err := mayClose(ctx, job, f.force); err != nil {
		return err
	}
	c.notice("archiving what only Redis has")
	if _, err := job.jobs.SaveAll(ctx); err != nil {
		return fmt.Errorf("archive what only Redis has: %w (no backup was written; --no-save writes one of what Postgres has)", err)
	}
	return nil
}

// showRows shows how many rows are done.
func showRows(c console) (seen func(backup.Progress), stop func()) {
	var mu sync.Mutex
	var at backup.Progress
	stop = progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
		mu.Lock()
		defer mu.Unlock()
		return progress.State{Share: float64(at.Rows) / float64(max(1, at.All)), Count: at.Rows, Unit: "rows", Note: at.Doing}
	})
	return func(p backup.Progress) {
		mu.Lock()
		defer mu.Unlock()
		at = p
	}, stop
}

// backupTime is how a backup's name has its moment.
const backupTime = "20060102T150405Z"

func backupName(game string, at time.Time) string {
	return game + "-" + at.UTC().Format(backupTime) + ".lbbackup"
}

// stale is how long nothing was written to what a killed run has left. Another run may be
// writing to the same folder.
const stale = time.Hour

// rotate deletes the oldest backups of a game from a folder, and what runs that were killed have
// left there. It touches no file that has another form of name.
func rotate(folder, game string, keep int, c console) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	ours := regexp.MustCompile(`^` + regexp.QuoteMeta(game) + `-\d{8}T\d{6}Z\.lbbackup(\.partial)?$`)
	var whole, old []string
	for _, e := range entries {
		switch m := ours.FindStringSubmatch(e.Name()); {
		case m == nil || !e.Type().IsRegular():
		case m[1] != "":
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
				old = append(old, e.Name())
			}
		default:
			whole = append(whole, e.Name())
		}
	}
	slices.Sort(whole) // by time
	for _, name := range append(old, whole[:max(0, len(whole)-keep)]...) {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			return err
		}
		c.notice("deleted " + name)
	}
	return nil
}
