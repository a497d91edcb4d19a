package webhookstore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	signed "github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

// The programs of docs/build/webhooks-out.md take what is sent, and nothing else.
func TestTheExamplesVerify(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/build/webhooks-out.md")
	require.NoError(t, err)
	secret, body, now := webhookstore.SecretOf(secretOne, "shop"), []byte(`{"type":"period.closed"}`), time.Now()
	good, err := signed.Sign(secret, "evt_a", now, body)
	require.NoError(t, err)
	old, err := signed.Sign(webhookstore.SecretOf(secretTwo, "shop"), "evt_a", now, body)
	require.NoError(t, err)
	late, err := signed.Sign(secret, "evt_a", now.Add(-10*time.Minute), body)
	require.NoError(t, err)
	both := good
	both.Signature = old.Signature + " " + good.Signature
	// Each line: id, time, signatures, body.
	var args []string
	for _, h := range []signed.Headers{good, both, old, late} {
		args = append(args, h.ID, h.Timestamp, h.Signature, string(body))
	}
	args = append(args, "evt_b", good.Timestamp, good.Signature, string(body), "evt_a", good.Timestamp, good.Signature, string(body)+" ")
	want := "true true false false false false"

	for language, one := range map[string]struct {
		file, more string
		run        []string
	}{
		"go": {"verify_main.go", `
func main() {
	for a := os.Args[2:]; len(a) > 0; a = a[4:] {
		h := http.Header{"Webhook-Id": {a[0]}, "Webhook-Timestamp": {a[1]}, "Webhook-Signature": {a[2]}}
		os.Stdout.WriteString(strconv.FormatBool(verify(os.Args[1], h, []byte(a[3]))) + " ")
	}
}
`, []string{"go", "run"}},
		"js": {"verify.mjs", `
for (let [secret, ...a] = process.argv.slice(2); a.length > 0; a = a.slice(4)) {
  const headers = { "webhook-id": a[0], "webhook-timestamp": a[1], "webhook-signature": a[2] };
  process.stdout.write(verify(secret, headers, Buffer.from(a[3])) + " ");
}
`, []string{"node"}},
	} {
		t.Run(language, func(t *testing.T) {
			found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(page)
			require.Len(t, found, 2)
			program := string(found[1]) + one.more
			if language == "go" {
				program = regexp.MustCompile(`"net/http"`).ReplaceAllString(program, "\"net/http\"\n\t\"os\"")
			}
			file := filepath.Join(t.TempDir(), one.file)
			require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
			out, err := exec.CommandContext(t.Context(), one.run[0], append(append(one.run[1:], file, secret), args...)...).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, want+" ", string(out), strconv.Quote(program))
		})
	}
}
