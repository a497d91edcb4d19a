package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/migrations"
)

const migrateLong = `Applies database migrations that are pending, each in a transaction, and prints them
with the time they took. Concurrent runs wait for each other.

The database is a Postgres 14 or later at --database-url, else $DATABASE_URL_DIRECT,
else $DATABASE_URL. It must be the direct address: at Neon the one without -pooler
in the host name.

Exit status: 0 done; 1 with --status: migrations are pending; 2 failed, and those that
were applied before remain applied.
`

type migrateFlags struct {
	url            string
	status, dryRun bool
}

func migrateCommand(c console) *cobra.Command {
	f := &migrateFlags{}
	cmd, flags := define("migrate [flags]", "apply database migrations", migrateLong, 0)
	flags.StringVar(&f.url, "database-url", "", "direct `address` of the database, as postgres://user:password@host/name")
	flags.BoolVar(&f.status, "status", false, "list migrations and their state; change nothing")
	flags.BoolVar(&f.dryRun, "dry-run", false, "list what would be applied; change nothing")
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		if f.status && f.dryRun {
			return statusFailed, errors.New("use either --status or --dry-run")
		}
		if form.json() && !f.status {
			return statusFailed, errors.New("-o json is for --status")
		}
		f.url = cmp.Or(f.url, c.getenv("DATABASE_URL_DIRECT"), c.getenv("DATABASE_URL"))
		if f.url == "" {
			return statusFailed, errors.New("no database: use --database-url, or set DATABASE_URL_DIRECT or DATABASE_URL")
		}
		if f.status || f.dryRun {
			return printMigrations(ctx, f, c, form.json())
		}
		applied, err := migrations.Up(ctx, f.url)
		for _, m := range applied {
			_, _ = fmt.Fprintf(c.stdout, "applied %s  %.1f ms\n", m.Name, float64(m.Took)/float64(time.Millisecond))
		}
		if err != nil {
			return statusFailed, directly(err)
		}
		if len(applied) == 0 {
			_, _ = fmt.Fprintln(c.stdout, "no pending migrations")
		}
		return statusGood, nil
	})
}

// migrationState is a migration in the answer of lbctl migrate --status -o json.
type migrationState struct {
	Name      string     `json:"name"`
	AppliedAt *time.Time `json:"applied_at"` // null: pending
}

// printMigrations prints what was applied or, without applying, what is pending.
func printMigrations(ctx context.Context, f *migrateFlags, c console, asJSON bool) (int, error) {
	all, err := migrations.Status(ctx, f.url)
	if err != nil {
		return statusFailed, directly(err)
	}
	missing, states, out := 0, []migrationState{}, c.stdout
	if asJSON {
		out = io.Discard
	}
	for _, m := range all {
		state := migrationState{Name: m.Name}
		if !m.AppliedAt.IsZero() {
			state.AppliedAt = &m.AppliedAt
		}
		states = append(states, state)
		pending := m.AppliedAt.IsZero()
		if pending {
			missing++
		}
		switch {
		case f.dryRun && pending:
			_, _ = fmt.Fprintln(out, "would apply", m.Name)
		case f.status && pending:
			_, _ = fmt.Fprintln(out, "pending", m.Name)
		case f.status:
			_, _ = fmt.Fprintf(out, "applied %s  %s\n", m.Name, m.AppliedAt.Format(time.RFC3339))
		}
	}
	if asJSON {
		if err := writeJSON(c, states); err != nil {
			return statusFailed, err
		}
	}
	switch {
	case missing == 0:
		_, _ = fmt.Fprintln(out, "no pending migrations")
	case f.status:
		return statusFaults, nil
	}
	return statusGood, nil
}

// directly adds to an error which settings take the direct address.
func directly(err error) error {
	if errors.Is(err, migrations.ErrPooled) {
		return fmt.Errorf("%w (at Neon the host name without -pooler; elsewhere the server's own port, not that of PgBouncer), in --database-url or DATABASE_URL_DIRECT", err)
	}
	return err
}
