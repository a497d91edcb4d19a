package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
	"github.com/framedle/leaderboards/migrations"
)

// The values of Options.DatabaseURL besides a postgres:// address.
const (
	DatabaseNone = "none" // no history
	DatabaseAuto = "auto" // a Postgres found on this machine, else none
)

// startDatabase starts the history's database if needed, brings its tables up to date, and
// sets p.Database to its address.
func (p *Product) startDatabase(ctx context.Context, o Options) error {
	url := o.DatabaseURL
	switch {
	case url == "" || url == DatabaseNone:
		p.DatabaseKind = "none: closed periods are lost when they expire in Redis"
		return nil
	case url == DatabaseAuto:
		dir := ""
		if o.Data != "" {
			dir = filepath.Join(o.Data, "postgres")
		}
		server, err := postgresd.Start(ctx, postgresd.Options{Dir: dir})
		if errors.Is(err, postgresd.ErrNotFound) {
			p.DatabaseKind = "none: no Postgres 14 or later was found (install postgresql, or use -database-url)"
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w (-database-url none runs without history)", err)
		}
		p.closers = append(p.closers, server.Stop)
		url, p.DatabaseKind = server.URL(), "Postgres at "+server.Addr()
		if dir == "" {
			p.DatabaseKind += ", deleted at the end"
		}
	case strings.HasPrefix(url, "postgres://"), strings.HasPrefix(url, "postgresql://"):
		p.DatabaseKind = "the Postgres given by -database-url"
	default:
		return errors.New("-database-url: use auto, none or postgres://user:password@host:port/name")
	}
	if _, err := migrations.Up(ctx, url); err != nil {
		return err
	}
	p.Database = url
	return nil
}
