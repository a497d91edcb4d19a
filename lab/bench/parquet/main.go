// Command parquet makes lbctl store a closed day of a million players as a Parquet file
// and read it back into an empty history. It prints what that took: seconds, the peak
// memory of the process, bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
	"github.com/framedle/leaderboards/migrations"
)

func main() {
	n := flag.Int("n", 1_000_000, "players of the day")
	flag.Parse()
	if err := run(context.Background(), *n); err != nil {
		fmt.Fprintln(os.Stderr, "parquet:", err)
		os.Exit(1)
	}
}

const file = "mode=daily_frame/period=day/key=2026-11-16/board.parquet"

func run(ctx context.Context, n int) (err error) {
	dir, err := os.MkdirTemp("", "parquet-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tool := filepath.Join(dir, "lbctl")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tool, "./cmd/lbctl").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	server, err := postgresd.Start(ctx, postgresd.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	full, empty := filepath.Join(dir, "full"), filepath.Join(dir, "again")
	if err := fill(ctx, server.URL(), n); err != nil {
		return err
	}
	args := func(args ...string) []string {
		return append(args, "-now", "2026-11-17T12:00:00Z", "-modes", "daily_frame", "-first", "2026-11-16", "-last", "2026-11-16", "-database-url", server.URL())
	}
	if err := measure(ctx, "archive -to a folder", dir, tool, args("archive", "-to", full)...); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(full, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	fmt.Printf("the file of %d players: %.1f MB\n", n, float64(info.Size())/1e6)
	if err := measure(ctx, "archive once more", dir, tool, args("archive", "-to", full)...); err != nil {
		return err
	}
	if err := measure(ctx, "archive to another folder", dir, tool, args("archive", "-to", empty)...); err != nil {
		return err
	}
	if err := same(full, empty); err != nil {
		return err
	}
	if err := forget(ctx, server.URL()); err != nil {
		return err
	}
	return measure(ctx, "restore -from", dir, tool, args("restore", "-from", full)...)
}

// measure runs the tool and prints what its process took.
func measure(ctx context.Context, name, dir, tool string, args ...string) error {
	c := exec.CommandContext(ctx, tool, args...)
	c.Env = append(os.Environ(), "TMPDIR="+dir)
	var said strings.Builder
	c.Stdout, c.Stderr = &said, os.Stderr
	began := time.Now()
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, said.String())
	}
	took := time.Since(began)
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("this system does not tell what a process used")
	}
	fmt.Printf("%-26s %6.2f s, CPU %6.2f s, %4d MB at most\n", name, took.Seconds(),
		(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), usage.Maxrss/1024)
	return nil
}

func fill(ctx context.Context, url string, n int) error {
	if _, err := migrations.Up(ctx, url); err != nil {
		return err
	}
	return statements(ctx, url,
		`SELECT ensure_results_partition('2026-11-16')`,
		fmt.Sprintf(`INSERT INTO results (mode, date, player, stored, scopes)
SELECT 'daily_frame', '2026-11-16', 'user_' || md5(i::text), (i::bigint * 7919 %% 1000) + (i %% 8192) / 8192.0 / 33, CASE WHEN i %% 3 > 0 THEN ARRAY['country:BR'] END
FROM generate_series(1, %d) AS i`, n),
		fmt.Sprintf(`INSERT INTO archived_days (mode, date, begun, finished, players, complete, archived_at, closing) VALUES ('daily_frame', '2026-11-16', 1, 1, %d, true, now(), 1)`, n),
		`VACUUM ANALYZE results`)
}

func forget(ctx context.Context, url string) error {
	return statements(ctx, url, `TRUNCATE results, archived_days`)
}

func statements(ctx context.Context, url string, all ...string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range all {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

func same(one, other string) error {
	was, err := os.ReadFile(filepath.Join(one, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	is, err := os.ReadFile(filepath.Join(other, filepath.FromSlash(file)))
	if err == nil && string(was) != string(is) {
		err = errors.New("two runs gave different bytes")
	}
	return err
}
