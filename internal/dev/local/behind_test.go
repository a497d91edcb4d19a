package local_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/local"
)

// A build on tables that are older than it needs, or on none: what needs what is
// missing is 503 and says what to do, nothing is 500, and play goes on.
func TestOlderTablesAreToldAndPlayGoesOn(t *testing.T) {
	o := options(t)
	o.DatabaseURL = local.DatabaseAuto
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Close()) }()
	c := &client{t, p.URL}
	conn, err := pgx.Connect(t.Context(), p.Database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	began := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	p.Clock.Set(began)
	ana := c.token("user_ana")
	operator := map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken}
	health := func() map[string]any {
		status, answer := c.do("GET", "/v1/ops/health", "", operator)
		require.Equal(t, http.StatusOK, status)
		return answer
	}
	require.Equal(t, "ok", health()["database"])
	for i, step := range []struct {
		statement, pending string
		missing            int // routes that cannot be answered
	}{
		{fmt.Sprintf(`ALTER TABLE archived_days DROP COLUMN source; DELETE FROM schema_migrations WHERE version_id = %d`, archive.SchemaVersion), fmt.Sprintf("migration %d is pending", archive.SchemaVersion), 0},
		{`DROP SCHEMA public CASCADE; CREATE SCHEMA public`, fmt.Sprintf("migrations 1 to %d are pending", archive.SchemaVersion), 4},
	} {
		_, err := conn.Exec(t.Context(), step.statement)
		require.NoError(t, err)
		p.Clock.Set(began.AddDate(0, 0, i))
		require.Equal(t, "behind", health()["database"])
		require.Contains(t, health()["detail"], step.pending)
		missing := 0
		for _, r := range ofTheDatabase(ana, operator) {
			status, answer := c.do(r.method, r.path, r.body, r.header)
			t.Log(r.method, r.path, status, answer["detail"])
			if status == http.StatusServiceUnavailable {
				missing++
				require.Contains(t, answer["detail"], "lbctl migrate", "%s %s", r.method, r.path)
				continue
			}
			require.Less(t, status, 500, "%s %s: %v", r.method, r.path, answer)
		}
		if step.missing == 0 {
			require.Zero(t, missing, "what the older tables have is answered")
		} else {
			require.GreaterOrEqual(t, missing, step.missing)
		}
		status, answer := c.do("GET", "/v1/ops/status", "", operator)
		require.Equal(t, http.StatusOK, status, answer)
		require.Equal(t, false, answer["good"])
	}
}

// question is a request.
type question struct {
	method, path, body string
	header             map[string]string
}

// ofTheDatabase are requests that ask Postgres, or may.
func ofTheDatabase(ana, operator map[string]string) []question {
	return []question{
		{"POST", "/v1/scores", `{"mode":"daily_frame","score":700}`, ana},
		{"GET", "/v1/leaderboards/daily_frame", "", nil},
		{"GET", "/v1/leaderboards/daily_frame?date=2025-01-01", "", nil},
		{"GET", "/v1/leaderboards/daily_frame?period=month&date=2025-01-01", "", nil},
		{"GET", "/v1/leaderboards/daily_frame/players/me", "", ana},
		{"GET", "/v1/leaderboards/daily_frame/around/me", "", ana},
		{"GET", "/v1/leaderboards/daily_frame/friends", "", ana},
		{"GET", "/v1/me", "", ana},
		{"PATCH", "/v1/me", `{"name":"Ana"}`, ana},
		{"GET", "/v1/me/export", "", ana},
		{"GET", "/v1/me/ranks?mode=daily_frame", "", ana},
		{"GET", "/v1/friends", "", ana},
		{"GET", "/v1/leagues/me", "", ana},
		{"POST", "/v1/friends/requests", `{"player":"user_ben"}`, ana},
		{"POST", "/v1/duels", `{}`, ana},
		{"GET", "/v1/duels", "", ana},
		{"GET", "/v1/ops/bans", "", operator},
		{"GET", "/v1/ops/log", "", operator},
		{"GET", "/v1/ops/players/user_ana", "", operator},
		{"GET", "/v1/ops/usage", "", operator},
		{"DELETE", "/v1/ops/players/user_zoe", "", operator},
	}
}
