package apitest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// NewKeptStack is a stack with a database.
func NewKeptStack(t *testing.T) *Stack {
	s := NewStack(t)
	s.Keep()
	return s
}

// Keep gives the stack a database.
func (s *Stack) Keep() {
	s.Database = archivetest.Database(s)
	s.Handler = s.Process()
}

// Kept is the archive of the stack's database; nil without one.
func (s *Stack) Kept() *archive.Archive {
	if s.Database == "" {
		return nil
	}
	return testkit.Archive(s, s.Database, jobs.Tables()...)
}

// InDatabase runs a statement in the stack's database.
func (s *Stack) InDatabase(statement string, args ...any) {
	conn, err := pgx.Connect(s.Context(), s.Database)
	require.NoError(s, err)
	defer func() { require.NoError(s, conn.Close(context.Background())) }()
	_, err = conn.Exec(s.Context(), statement, args...)
	require.NoError(s, err)
}

// Without makes a call where there is no database.
func Without(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		s.Database = ""
		s.Handler = s.Process()
		return c(s)
	}
}

// Over makes a call where the database is another: of that name, or elsewhere.
func Over(where string, c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		u, err := url.Parse(s.Database)
		require.NoError(s, err)
		host, name, _ := strings.Cut(where, "/")
		if u.Path = name; host != "" {
			u.Host = host
		}
		s.Database = u.String()
		s.Handler = s.Process()
		return c(s)
	}
}

// WithoutRights makes a call where the database answers, and shows its tables to nobody.
func WithoutRights(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		u, err := url.Parse(s.Database)
		require.NoError(s, err)
		q := u.Query()
		q.Set("role", "pg_monitor")
		u.RawQuery = q.Encode()
		s.Database = u.String()
		s.Handler = s.Process()
		return c(s)
	}
}
