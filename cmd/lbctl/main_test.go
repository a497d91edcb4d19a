package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// output is what a command left on its console.
type output struct{ stdout, stderr bytes.Buffer }

// lbctl runs a command with an environment of its own.
func lbctl(t *testing.T, env map[string]string, args ...string) (int, *output) {
	t.Helper()
	var out output
	status := run(t.Context(), args, console{&out.stdout, &out.stderr, false, func(name string) string { return env[name] }})
	return status, &out
}

func localProduct(t *testing.T) *local.Product {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	product.Clock.Set(time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)) // two days after the scores below
	return product
}

// scores is a file of three players of one closed day, the last with a score
// of the test's own.
func scores(t *testing.T, last string) string {
	path := filepath.Join(t.TempDir(), "scores.csv")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `player,mode,date,score,played_at
user_a,daily_frame,2026-11-10,800,2026-11-10T10:00:00Z
user_b,daily_frame,2026-11-10,800,2026-11-10T09:00:00Z
user_c,daily_frame,2026-11-10,%s,2026-11-10T09:00:00Z
`, last), 0o600))
	return path
}

type misunderstood map[string]struct {
	args []string
	says string
}

func TestCommandsThatAreNotUnderstoodFail(t *testing.T) {
	file := scores(t, "1000")
	misunderstood{
		"nothing":             {nil, "\n  close "},
		"an unknown command":  {[]string{"clsoe"}, "unknown command \"clsoe\" for \"lbctl\"\n\nDid you mean this?\n\tclose\n"},
		"of a family":         {[]string{"game", "chekc", file}, `lbctl game has no command "chekc", did you mean check?; use lbctl game check, diff or accept`},
		"a family alone":      {[]string{"game"}, "use lbctl game check, diff or accept"},
		"an unknown flag":     {[]string{"close", "--quickly"}, "unknown flag: --quickly; see lbctl close --help"},
		"nearly a flag":       {[]string{"close", "--dry-rnu", "day"}, "unknown flag: --dry-rnu, did you mean --dry-run?; see lbctl close --help"},
		"one dash, unknown":   {[]string{"close", "-quickly"}, "unknown flag: --quickly"},
		"a form that is none": {[]string{"status", "-o", "xml"}, "use table or json"},
		"no Redis":            {[]string{"close", "day"}, "no Redis: set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or REDIS_URL"},
		"no database":         {[]string{"migrate"}, "no database: use --database-url, or set DATABASE_URL_DIRECT or DATABASE_URL"},
		"no operator":         {[]string{"operator", "ada"}, "missing NAME and ROLE"},
		"no role, no name":    {[]string{"operator", "Ada", "admin"}, `"Ada" is not an operator's name; use 1 to 32 of a-z, 0-9, _ . and -; "admin" is not a role; use read, moderate, administer`},
		"nobody who acts":     {[]string{"close", "--as", "Ada L", "day"}, `--as: "Ada L" is not an operator's name`},
	}.fail(t)
}

func (commands misunderstood) fail(t *testing.T) {
	for name, test := range commands {
		t.Run(name, func(t *testing.T) {
			status, out := lbctl(t, nil, test.args...)
			require.Equal(t, statusFailed, status)
			require.Contains(t, out.stderr.String(), test.says)
			require.Empty(t, out.stdout.String())
		})
	}
}

func TestHelpIsThereForEveryCommand(t *testing.T) {
	status, list := lbctl(t, nil, "help")
	require.Equal(t, statusGood, status)
	root := newRoot(console{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }})
	for _, command := range root.Commands() {
		if command.Hidden {
			continue
		}
		require.Contains(t, list.stdout.String(), "  "+command.Name()+" ")
		for _, args := range [][]string{{"help", command.Name()}, {command.Name(), "--help"}, {command.Name(), "-h"}} {
			status, out := lbctl(t, nil, args...)
			require.Equal(t, statusGood, status, args)
			require.Contains(t, out.stdout.String(), "lbctl "+command.Name(), args)
			require.Empty(t, out.stderr.String(), args)
		}
	}
	status, out := lbctl(t, nil, "completion", "bash")
	require.Equal(t, statusGood, status)
	require.Contains(t, out.stdout.String(), "bash completion V2 for lbctl")
	status, out = lbctl(t, nil, "__complete", "usage", "--by", "")
	require.Equal(t, statusGood, status)
	require.Contains(t, out.stdout.String(), "function\nroute\ncaller\nschedule\n")
}

func TestTheReferenceIsWhatTheToolSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/lbctl.md")
	require.NoError(t, err)
	_, out := lbctl(t, nil, "reference")
	require.Equal(t, out.stdout.String(), string(page), "go run ./cmd/lbctl reference > docs/reference/lbctl.md")
}
