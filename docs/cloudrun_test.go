package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/template"
)

// Tools that record what they are told, a line a call; secrets come on standard input.
const (
	fakeGcloud = `#!/bin/sh
printf 'gcloud' >> "$RECORD"
for a in "$@"; do printf ' [%s]' "$a" >> "$RECORD"; done
case "$*" in
  *data-file=-*) printf ' < %s' "$(cat)" >> "$RECORD" ;;
  *projectNumber*) echo 42 ;;
  *status.url*) echo https://leaderboards-x.a.run.app ;;
esac
echo >> "$RECORD"
`
	fakeGo = `#!/bin/sh
echo "go $* OPS_TOKEN=$OPS_TOKEN SIGNING_KEYS=$SIGNING_KEYS" >> "$RECORD"
`
)

// The page is followed to the letter, with programs in place of Google's that only
// record.
func TestCloudRunIsSixCommands(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^   ```sh cloudrun\n(.*?)^   ```$").FindAllStringSubmatch(read(t, "docs/operate/deploy.md"), -1)
	require.Len(t, blocks, 6)
	script := "set -eu\n"
	for _, block := range blocks {
		script += strings.ReplaceAll("\n"+block[1], "\n   ", "\n")
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"gcloud": fakeGcloud, "go": fakeGo} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700)) //nolint:gosec // it is run
	}
	record := filepath.Join(folder, "record")
	run := exec.CommandContext(t.Context(), "bash", "-c", script)
	run.Env = []string{
		"PATH=" + folder + ":" + os.Getenv("PATH"), "RECORD=" + record, "PROJECT=p", "REGION=europe-west1", "UPSTASH_TOKEN=AX==", "DATABASE_URL=postgres://u:p@h/d?sslmode=require&a=b",
	}
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	said := string(text)

	stored := map[string]string{}
	for _, secret := range regexp.MustCompile(`(?m)\[secrets\] \[create\] \[(.*?)\].* < (.*)$`).FindAllStringSubmatch(said, -1) {
		stored[secret[1]] = secret[2]
	}
	require.Equal(t, "AX==", stored["upstash-token"])
	require.Equal(t, "postgres://u:p@h/d?sslmode=require&a=b", stored["database-url"])
	mounted := regexp.MustCompile(`([A-Z_]+)=([a-z-]+):latest`).FindAllStringSubmatch(said, -1)
	require.Len(t, mounted, len(stored))
	page := read(t, "docs/reference/environment.md")
	for _, m := range mounted {
		require.Contains(t, stored, m[2])
		require.Contains(t, page, "| `"+m[1]+"` |", "a variable that is described")
	}
	require.Contains(t, said, "go run ./cmd/lbctl doctor https://leaderboards-x.a.run.app OPS_TOKEN="+stored["ops-token"]+" SIGNING_KEYS="+stored["signing-keys"])
	require.Contains(t, said, "[serviceAccount:42-compute@developer.gserviceaccount.com]")

	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	fired := 0
	for _, f := range tmpl.Functions {
		if len(f.Schedules) == 0 || f.Condition != "" { // not every game has it
			continue
		}
		fired++
		require.Contains(t, said, "[--uri] [https://leaderboards-x.a.run.app/v1/ops/schedules/"+f.Name+"] [--http-method] [POST] [--headers] [Authorization=Bearer "+stored["schedule-token"]+"]", f.Name)
	}
	require.Equal(t, fired, strings.Count(said, "[scheduler] [jobs] [create]"), "every schedule of the template, and no other")
}
