package local_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// log is a writer that many may use.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func options(t *testing.T) local.Options {
	t.Helper()
	g, err := app.LoadGame("")
	require.NoError(t, err)
	return local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard}
}

// profiles counts what is in a table that the migrations make.
func profiles(t *testing.T, url string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM profiles").Scan(&n))
	return n
}

func TestSchedulesFireByThemselvesWhenTheClockPassesThem(t *testing.T) {
	o, lines := options(t), &log{}
	o.Schedules, o.Log = true, lines
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	defer p.Close()
	c := &client{t, p.URL}
	far := time.Now().UTC().AddDate(1, 0, 0)
	monday := far.AddDate(0, 0, int(time.Monday-far.Weekday())).Truncate(24 * time.Hour)
	c.do("DELETE", "/_local/usage", "", nil)
	c.clock(monday.Add(6 * time.Hour).Format(time.RFC3339))
	for function, hour := range map[string]string{"cron-daily": "00", "cron-weekly": "00", "cron-usage": "02", "cron-save": "04"} {
		fired := `"function":"` + function + `","due":"` + monday.Format(time.DateOnly) + `T` + hour + `:`
		require.Eventually(t, func() bool { return strings.Contains(lines.String(), fired) }, time.Minute, 5*time.Millisecond, lines)
	}
	_, usage := c.do("GET", "/_local/usage", "", nil)
	require.NotZero(t, usage["by_function"].(map[string]any)["cron-daily"].(map[string]any)["round_trips"])
	require.NoError(t, p.Close())
	require.Equal(t, 4, strings.Count(lines.String(), "schedule fired"), "once each: %s", lines)
}

func TestThePostgresOfThisMachineKeepsTheHistoryInTheDataFolder(t *testing.T) {
	o := options(t)
	o.DatabaseURL, o.Data = local.DatabaseAuto, filepath.Join(t.TempDir(), "data")
	for want := range 2 {
		p, err := local.Start(t.Context(), o)
		require.NoError(t, err)
		defer p.Close()
		_, secrets := (&client{t, p.URL}).do("GET", "/_local/secrets", "", nil)
		require.Equal(t, p.Database, secrets["database_url"])
		require.Equal(t, want, profiles(t, p.Database))
		conn, err := pgx.Connect(t.Context(), p.Database)
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), "INSERT INTO profiles (player, updated_at) VALUES ('user_ana', now()) ON CONFLICT DO NOTHING")
		require.NoError(t, err)
		require.NoError(t, p.Close(), "with a connection open")
	}
	require.DirExists(t, filepath.Join(o.Data, "postgres"))
}

func TestAGivenDatabaseIsBroughtUpToDate(t *testing.T) {
	o := options(t)
	o.DatabaseURL = archivetest.Database(t)
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	defer p.Close()
	require.Equal(t, o.DatabaseURL, p.Database)
	require.Zero(t, profiles(t, p.Database))
}

func TestWithoutAPostgresThereIsNoHistory(t *testing.T) {
	t.Setenv("PG_BIN", t.TempDir())
	o := options(t)
	o.DatabaseURL = local.DatabaseAuto
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	defer p.Close()
	require.Empty(t, p.Database)
	require.Contains(t, p.DatabaseKind, "install postgresql")
	status, _ := (&client{t, p.URL}).do("GET", "/v1/leaderboards/daily_frame", "", nil)
	require.Equal(t, 200, status)
}

func TestADatabaseThatCannotBeUsedIsSaid(t *testing.T) {
	o := options(t)
	for url, says := range map[string]string{
		"mysql://x": "postgres://user:password@host:port/name",
		"postgres://u:secret@ep-a-1-pooler.eu.aws.neon.tech/db": "direct address",
		"postgres://u:secret@127.0.0.1:1/db":                    "127.0.0.1:1",
	} {
		o.DatabaseURL = url
		_, err := local.Start(t.Context(), o)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "secret")
	}
}
