// Package migrations has the SQL that makes the history's tables, and applies it.
//
// It knows the order of the files, and which of them were applied to a database. No function
// may import it: a deployed function does not change tables, and does not link the code that
// does.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"math"
	"net"
	"path"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// versionTable is the table that lists the migrations of a database.
const versionTable = "schema_migrations"

// A run looks each second whether another run has ended, for 5 minutes.
const (
	lockSeconds  = 1
	lockAttempts = 300
)

// ErrPooled says that a URL leads to a connection pooler, according to its host name or its
// errors. A pooler may give each transaction another session. Then the lock that keeps two runs
// from working at the same time has no effect, and prepared statements are in another session.
var ErrPooled = errors.New("this is the address of a connection pooler, and migrations need a session of their own: use the direct address")

// Migration is one file.
type Migration struct {
	Version   int64
	Name      string        // 00001_history.sql
	Took      time.Duration // set by Up
	AppliedAt time.Time     // set by Status, in UTC; zero: not applied yet
}

// Up applies the migrations that the database at a postgres:// URL lacks, each file in a
// transaction. It returns those that it has applied, also with an error. Any number of runs may
// begin at the same time: they wait for each other, at most 5 minutes. Errors: ErrPooled, or
// that of the database.
func Up(ctx context.Context, url string) (applied []Migration, err error) {
	return UpTo(ctx, url, math.MaxInt64)
}

// UpTo is Up to the migration of a version.
func UpTo(ctx context.Context, url string, version int64) (applied []Migration, err error) {
	err = with(ctx, url, func(p *goose.Provider, _ *sql.DB) error {
		results, err := p.UpTo(ctx, version)
		var partial *goose.PartialError
		if errors.As(err, &partial) {
			results = partial.Applied
			err = fmt.Errorf("%s: %w", path.Base(partial.Failed.Source.Path), partial.Err)
		}
		for _, r := range results {
			applied = append(applied, Migration{Version: r.Source.Version, Name: path.Base(r.Source.Path), Took: r.Duration})
		}
		return err
	})
	return applied, err
}

// Status returns for each file whether it was applied to the database, and changes nothing.
// Errors: as Up.
func Status(ctx context.Context, url string) (all []Migration, err error) {
	err = with(ctx, url, func(p *goose.Provider, db *sql.DB) error {
		// The provider would make its table if there is none.
		var begun bool
		if err := db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", versionTable).Scan(&begun); err != nil {
			return err
		}
		if !begun {
			for _, source := range p.ListSources() {
				all = append(all, Migration{Version: source.Version, Name: path.Base(source.Path)})
			}
			return nil
		}
		states, err := p.Status(ctx)
		for _, s := range states {
			all = append(all, Migration{Version: s.Source.Version, Name: path.Base(s.Source.Path), AppliedAt: s.AppliedAt.UTC()})
		}
		return err
	})
	return all, err
}

func with(ctx context.Context, url string, use func(*goose.Provider, *sql.DB) error) (err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("migrations: the database's address: %w", err)
	}
	if pooled(config.Host) {
		return fmt.Errorf("migrations: %s: %w", config.Host, ErrPooled)
	}
	db := stdlib.OpenDB(*config)
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
		if otherSession(err) {
			err = fmt.Errorf("%w (%w)", ErrPooled, err)
		}
		if err != nil {
			err = fmt.Errorf("migrations: %s: %w", net.JoinHostPort(config.Host, fmt.Sprint(config.Port)), err)
		}
	}()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockSeconds, lockAttempts))
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithTableName(versionTable), goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	return use(provider, db)
}

// pooled reports whether a host is a pooler of Neon: the first label of its name ends in
// -pooler. https://neon.com/docs/connect/connection-pooling
func pooled(host string) bool {
	label, _, _ := strings.Cut(host, ".")
	return strings.HasSuffix(label, "-pooler")
}

// otherSession recognizes the errors of a session in which a statement was not prepared, or in
// which another client has prepared one of the same name.
func otherSession(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && (said.Code == "42P05" || said.Code == "26000")
}
