package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/backup"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/migrations"
	"github.com/framedle/leaderboards/upstash"
)

// isBackup reports whether a place is a file: Parquet files are in a folder or a bucket.
func isBackup(place string) bool {
	info, err := os.Stat(place)
	return err == nil && !info.IsDir()
}

// broughtBack is what a restore of a backup did.
type broughtBack struct {
	Backup   described              `json:"backup"`
	LeftOut  []string               `json:"left_out,omitempty"` // tables of other programs
	DryRun   bool                   `json:"dry_run,omitempty"`
	Redis    *closing.RestoreReport `json:"redis,omitempty"`
	Compared *closing.Verified      `json:"compared,omitempty"`
}

// bringing is a restore of a backup into an empty deployment.
type bringing struct {
	placeFlags
	c        console
	game     *game.Game
	database string
	file     *backup.File
	target   *backup.Target
	app      *app.App
}

// restoreBackup is lbctl restore --from with a file of lbctl backup. It checks the file and both
// stores before it changes anything.
func restoreBackup(ctx context.Context, f placeFlags, path string, dryRun bool, c console) (int, error) {
	b := bringing{placeFlags: f, c: c, database: cmp.Or(f.database, c.getenv(jobs.EnvDatabase))}
	if b.database == "" {
		return statusFailed, errNoDatabase
	}
	var err error
	if b.file, err = backup.Open(path); err != nil {
		return statusFailed, err
	}
	defer func() { _ = b.file.Close() }()
	if err := b.check(ctx); err != nil {
		return statusFailed, err
	}
	defer b.target.Close(ctx)
	report := broughtBack{Backup: ofBackup(b.file), DryRun: dryRun}
	if dryRun {
		return statusGood, writeJSON(c, report)
	}
	if err := b.run(ctx, &report); err != nil {
		return statusFailed, fmt.Errorf("%w (run the same command again to continue)", err)
	}
	if err := writeJSON(c, report); err != nil {
		return statusFailed, err
	}
	if report.Compared.Differences > 0 {
		return statusFaults, nil
	}
	return statusGood, nil
}

// check refuses the game, the Redis or the database, and names everything that is wrong.
func (b *bringing) check(ctx context.Context) (err error) {
	if b.game, err = b.load(b.c); err != nil {
		return err
	}
	m := b.file.Manifest
	if m.Game != b.game.Name {
		err = fmt.Errorf("the backup is of the game %s, and this is %s: name its file with --game FILE or $GAME", m.Game, b.game.Name)
	} else if rules, wrong := ruleset.Parse(m.Rules); wrong != nil {
		err = wrong
	} else {
		err = ruleset.Check([]ruleset.Rules{rules}, ruleset.Of(b.game), b.game.Today(m.MadeAt))
	}
	var redis, database error
	b.target, database = b.file.Into(ctx, b.database, archive.SchemaVersion)
	if b.app, redis = b.boards(ctx, b.c); redis == nil {
		redis = b.free(ctx)
	}
	if err = errors.Join(err, database, redis); err != nil {
		if b.target != nil {
			b.target.Close(ctx)
		}
		if !errors.Is(err, backup.ErrRefused) {
			err = fmt.Errorf("%w: %w", err, backup.ErrRefused)
		}
	}
	return err
}

// free refuses a Redis that has keys, unless an earlier run has begun to restore it.
func (b *bringing) free(ctx context.Context) error {
	if b.target != nil && b.target.Redis() == b.redisName() {
		return rightGame(ctx, b.app)
	}
	clients := map[string]*upstash.Client{"Redis": b.app.Redis()}
	further, failed := app.BandsFrom(b.c.getenv, b.app.Redis())
	for name, client := range further.All() {
		if client != b.app.Redis() {
			clients["the database "+name+" of bands"] = client
		}
	}
	for name, client := range clients {
		var keys int64
		reply, err := client.Do(ctx, upstash.Cmd("DBSIZE"))
		if err == nil {
			keys, err = reply.Int64()
		}
		if err == nil && keys > 0 {
			err = fmt.Errorf("%s is not empty, it has %d keys: use an empty one", name, keys)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// redisName is the address of Redis without secrets.
func (b *bringing) redisName() string { return deployed.host(b.c) }

// run brings the rows into Postgres, makes Redis from them, and compares the two.
func (b *bringing) run(ctx context.Context, report *broughtBack) error {
	if err := b.rows(ctx); err != nil {
		return err
	}
	if report.LeftOut = b.target.LeftOut; len(report.LeftOut) > 0 {
		b.c.notice("left out, since no migration makes them: " + fmt.Sprint(report.LeftOut))
	}
	if b.target.Schema() < archive.SchemaVersion {
		if _, err := migrations.Up(ctx, b.direct()); err != nil {
			return directly(err)
		}
	}
	history, err := b.history(b.c)
	if err != nil {
		return err
	}
	defer history.Close(context.WithoutCancel(ctx))
	job := bothSides(b.app, history)
	if err := b.target.BeginRedis(ctx, b.redisName()); err != nil {
		return err
	}
	restored, err := restoreShown(ctx, job, closing.RestoreOptions{}, b.c)
	if err != nil {
		return err
	}
	report.Redis = &restored
	toStderr := b.c
	toStderr.stdout = b.c.stderr
	compared, err := compare(ctx, job, toStderr)
	if err != nil {
		return err
	}
	report.Compared = &compared
	if err := job.note(ctx, "restore", "backup of "+b.file.Manifest.MadeAt.Format("2006-01-02T15:04:05Z")); err != nil {
		return err
	}
	return b.target.Done(ctx)
}

// rows makes the tables that are missing, and loads what the backup has.
func (b *bringing) rows(ctx context.Context) error {
	if b.target.Schema() < b.file.Manifest.Schema {
		if _, err := migrations.UpTo(ctx, b.direct(), b.file.Manifest.Schema); err != nil {
			return directly(err)
		}
	}
	seen, stop := showRows(b.c)
	defer stop()
	return b.target.Load(ctx, seen)
}

// direct is the address for migrations.
func (b *bringing) direct() string {
	return cmp.Or(b.placeFlags.database, b.c.getenv("DATABASE_URL_DIRECT"), b.database)
}
