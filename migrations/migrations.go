// Package migrations holds the SQL that makes the history's tables, and applies
// it.
//
// It knows the order of the files and which of them a database has had. It must
// not be imported by a function: a deployed function neither changes tables nor
// carries what does.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
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

// versionTable is where a database's migrations are noted.
const versionTable = "schema_migrations"

// Waiting for another run to end: each second, for 5 minutes.
const (
	lockSeconds  = 1
	lockAttempts = 300
)

// ErrPooled says that a URL leads to a connection pooler, by its name or by what it
// does. A pooler gives each transaction another session, so the lock that keeps two
// runs apart would hold nothing, and statements that were prepared are another's.
var ErrPooled = errors.New("this is the address of a connection pooler, and migrations need a session of their own: use the direct address")

// Migration is one file.
type Migration struct {
	Version   int64
	Name      string        // 00001_history.sql
	Took      time.Duration // told by Up
	AppliedAt time.Time     // told by Status, in UTC; zero: not yet
}

// Up applies what the database at a postgres:// URL has not had yet, each file
// in a transaction, and tells what it applied, which after an error is what went
// before. Any number of runs at once are safe: they wait for each other, at most
// 5 minutes. Errors: ErrPooled, or what the database said.
func Up(ctx context.Context, url string) (applied []Migration, err error) {
	err = with(ctx, url, func(p *goose.Provider, _ *sql.DB) error {
		results, err := p.Up(ctx)
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

// Status tells of each file whether the database has had it, and changes
// nothing. Errors as Up.
func Status(ctx context.Context, url string) (all []Migration, err error) {
	err = with(ctx, url, func(p *goose.Provider, db *sql.DB) error {
		// The provider would make its table where there is none.
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

// pooled knows how Neon names its pooler: the first label of the host ends in
// -pooler. https://neon.com/docs/connect/connection-pooling
func pooled(host string) bool {
	label, _, _ := strings.Cut(host, ".")
	return strings.HasSuffix(label, "-pooler")
}

// otherSession recognizes what a session says that did not prepare a statement
// itself, or has one of that name from another client.
func otherSession(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && (said.Code == "42P05" || said.Code == "26000")
}
