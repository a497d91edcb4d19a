package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

func TestCommandsThatAreNotUnderstoodFail(t *testing.T) {
	file := scores(t, "1000")
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"nothing":             {nil, "\n  import "},
		"an unknown command":  {[]string{"clsoe"}, "unknown command \"clsoe\" for \"lbctl\"\n\nDid you mean this?\n\tclose\n"},
		"of a family":         {[]string{"game", "chekc", file}, `lbctl game has no command "chekc", did you mean check?; use lbctl game check, diff or accept`},
		"a family alone":      {[]string{"webhooks"}, "use lbctl webhooks list, resend or secret"},
		"an unknown flag":     {[]string{"import", "--fast"}, "unknown flag: --fast; see lbctl import --help"},
		"nearly a flag":       {[]string{"close", "--dry-rnu", "day"}, "unknown flag: --dry-rnu, did you mean --dry-run?; see lbctl close --help"},
		"one dash, unknown":   {[]string{"import", "-fast"}, "unknown flag: --fast"},
		"a form that is none": {[]string{"status", "-o", "xml"}, "use table or json"},
		"no Redis":            {[]string{"close", "day"}, "no Redis: set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or REDIS_URL"},
		"no database":         {[]string{"migrate"}, "no database: use --database-url, or set DATABASE_URL_DIRECT or DATABASE_URL"},
		"no file":             {[]string{"import"}, "missing FILE"},
		"two files":           {[]string{"import", "a", "b"}, `unexpected argument "b"`},
		"no credentials":      {[]string{"import", file}, "SIGNING_KEYS and OPS_TOKEN must be set"},
		"no progress, resume": {[]string{"import", "--no-progress", "--resume", "x", file}, "use either --resume or --no-progress"},
		"no operator":         {[]string{"operator", "ada"}, "missing NAME and ROLE"},
		"no role, no name":    {[]string{"operator", "Ada", "admin"}, `"Ada" is not an operator's name; use 1 to 32 of a-z, 0-9, _ . and -; "admin" is not a role; use read, moderate, administer`},
		"nobody who acts":     {[]string{"settle", "--as", "Ada L"}, `--as: "Ada L" is not an operator's name`},
		"no such game":        {[]string{"import", "--game", file + ".none", file}, "no such file"},
		"a file that is none": {[]string{"import", "--dry-run", file + ".none"}, "no such file"},
		"an address in clear": {[]string{"import", "--local", "--url", "http://example.com", file}, "use https"},
	} {
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

func TestFlagsWithOneDashAreTakenWithAWarning(t *testing.T) {
	file := scores(t, "800")
	status, out := lbctl(t, nil, "import", "-dry-run", file)
	require.Equal(t, statusGood, status)
	require.Equal(t, "lbctl: -dry-run is accepted until the next release; use --dry-run\n", out.stderr.String())
	status, old := lbctl(t, nil, "import", "-history", "-dry-run=true", file)
	require.Equal(t, statusGood, status, old.stderr.String())
	require.Contains(t, old.stderr.String(), "lbctl import --history is accepted until the next release; use lbctl import-history")
	status, now := lbctl(t, nil, "import-history", "--dry-run", file)
	require.Equal(t, statusGood, status)
	took := regexp.MustCompile(`in \S+( \(.*\))?`) // how long it took
	require.Equal(t, took.ReplaceAllString(now.stdout.String(), ""), took.ReplaceAllString(old.stdout.String(), ""))
}

func TestTheReferenceIsWhatTheToolSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/lbctl.md")
	require.NoError(t, err)
	_, out := lbctl(t, nil, "reference")
	require.Equal(t, out.stdout.String(), string(page), "go run ./cmd/lbctl reference > docs/reference/lbctl.md")
}

func TestImportEndsWithAStatusToTrust(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{"LEADERBOARDS_URL": product.URL, "SIGNING_KEYS": product.Secrets.SigningKey + ", old", "OPS_TOKEN": product.Secrets.OpsToken}

	file := scores(t, "1000")
	status, out := lbctl(t, env, "import", file)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), ": 3 lines\n  accepted         3  3 accepted\n  rejected         0\n")

	status, out = lbctl(t, env, "import", file)
	require.Equal(t, statusGood, status)
	require.Contains(t, out.stdout.String(), "was imported completely by ")

	status, out = lbctl(t, nil, "import", file, "--no-progress", "--local", "--url", product.URL)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Contains(t, out.stdout.String(), "3 replayed")

	empty := filepath.Join(t.TempDir(), "empty.csv")
	require.NoError(t, os.WriteFile(empty, []byte("player,mode,date,score\n"), 0o600))
	for _, more := range [][]string{{"import", "--dry-run"}, {"import"}, {"import-history", "--dry-run", "--url", "http://127.0.0.1:1"}} {
		status, out = lbctl(t, env, append(more, empty)...)
		require.Equal(t, statusGood, status, out.stderr.String())
		require.Contains(t, out.stdout.String(), "0 lines", more)
	}

	bad := scores(t, "1001")
	status, out = lbctl(t, env, "import", bad)
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stdout.String(), "  rejected         1  see "+bad+".rejected.csv\n            1  Score out of bounds (first in line 4)\n")
	require.FileExists(t, bad+".rejected.csv")
	named := filepath.Join(t.TempDir(), "named.csv")
	status, _ = lbctl(t, env, "import", "--no-progress", "--refused", named, bad)
	require.Equal(t, statusFaults, status)
	require.FileExists(t, named, "the flag of earlier versions")

	status, _ = lbctl(t, env, "import", bad)
	require.Equal(t, statusFaults, status, "what was refused stays refused")

	env["OPS_TOKEN"] = "another token that is long enough"
	status, out = lbctl(t, env, "import", "--no-progress", file)
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "the batch was rejected: status 401")
}

func TestAnInterruptedImportSaysSo(t *testing.T) {
	product := localProduct(t)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out output
	status := run(ctx, []string{"import", "--url", product.URL, scores(t, "1000")}, console{&out.stdout, &out.stderr, true, func(name string) string {
		return map[string]string{"SIGNING_KEYS": product.Secrets.SigningKey, "OPS_TOKEN": product.Secrets.OpsToken}[name]
	}})
	require.Equal(t, statusFailed, status)
	require.Contains(t, out.stderr.String(), "lbctl: interrupted")
}

func TestADryRunSendsNothing(t *testing.T) {
	file := scores(t, "many")
	status, out := lbctl(t, nil, "import", "--dry-run", file)
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stdout.String(), "  valid            2  (not sent)\n")
	require.Contains(t, out.stdout.String(), "  line 4: score: ")
	require.NoFileExists(t, file+".progress")
	require.NoFileExists(t, file+".rejected.csv")

	game := filepath.Join(t.TempDir(), "game.yaml")
	require.NoError(t, os.WriteFile(game, []byte("name: other\nmodes:\n  daily_frame:\n    max: 500\n"), 0o600))
	status, out = lbctl(t, nil, "import", "--dry-run", "--game", game, scores(t, "500"))
	require.Equal(t, statusFaults, status)
	require.Contains(t, out.stdout.String(), "outside the bounds")
}
