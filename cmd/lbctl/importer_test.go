package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestImportsThatAreNotUnderstoodFail(t *testing.T) {
	file := scores(t, "1000")
	misunderstood{
		"no file":             {[]string{"import"}, "missing FILE"},
		"two files":           {[]string{"import", "a", "b"}, `unexpected argument "b"`},
		"no credentials":      {[]string{"import", file}, "SIGNING_KEYS and OPS_TOKEN must be set"},
		"no progress, resume": {[]string{"import", "--no-progress", "--resume", "x", file}, "use either --resume or --no-progress"},
		"no such game":        {[]string{"import", "--game", file + ".none", file}, "no such file"},
		"a file that is none": {[]string{"import", "--dry-run", file + ".none"}, "no such file"},
		"an address in clear": {[]string{"import", "--local", "--url", "http://example.com", file}, "use https"},
	}.fail(t)
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
