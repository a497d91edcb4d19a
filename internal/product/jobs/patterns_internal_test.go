package jobs

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
)

// deployment is what a stack of template.yaml passes to its functions.
type deployment struct {
	parameters map[string]template.Parameter
	variables  map[string]string // to the parameter that it refers to, or its value
	good       map[string]string // parameters with which every function starts
}

func newDeployment(t *testing.T) deployment {
	t.Helper()
	declared, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	d := deployment{parameters: map[string]template.Parameter{}, variables: map[string]string{}}
	for _, p := range declared.Parameters {
		d.parameters[p.Name] = p
	}
	for _, f := range declared.Functions {
		for name, value := range f.Env {
			d.variables[name] = value
		}
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	require.NoError(t, err)
	d.good = map[string]string{
		"UpstashRedisRestUrl": "https://name.upstash.io", "UpstashRedisRestToken": "token", "ClerkIssuer": "https://clerk.example.com",
		"ClerkJwtKey":  string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})),
		"UpstashEmail": "a@example.com", "UpstashApiKey": "key", "UpstashDatabaseId": "id",
		"AppsyncEventsUrl": "https://x.example.com", "AppsyncEventsKey": "key",
	}
	return d
}

// start makes, from a stack's parameters, everything that all functions together make when
// they start.
func (d deployment) start(parameters map[string]string) error {
	getenv := func(name string) string {
		parameter, refers := strings.CutPrefix(d.variables[name], "!Ref ")
		if !refers {
			return ""
		}
		for _, values := range []map[string]string{parameters, d.good} {
			if value, given := values[parameter]; given {
				return value
			}
		}
		return d.parameters[parameter].Default
	}
	if _, err := app.FromEnv(context.Background(), getenv, slog.New(slog.NewTextHandler(io.Discard, nil)), app.Linked{}); err != nil {
		return err
	}
	if _, err := billFrom(getenv); err != nil {
		return err
	}
	if _, err := status.NewPlan(getenv); err != nil {
		return err
	}
	_, err := OpenArchive(strings.TrimSpace(getenv(EnvDatabase)), 1)
	return err
}

// reference matches a parameter's reference to a secret, which CloudFormation resolves.
var reference = regexp.MustCompile(`\{\{resolve:secretsmanager:[^{}]+\}\}`)

// apart gives each operator but the first another name and token: a pattern cannot say that
// these differ.
func apart(operators string) string {
	entries := strings.Split(operators, ",")
	for i, entry := range entries[1:] {
		_, rest, _ := strings.Cut(entry, ":")
		role, _, _ := strings.Cut(rest, ":")
		entries[i+1] = fmt.Sprintf("o.%d:%s:%064x", i, role, i+1)
	}
	return strings.Join(entries, ",")
}

// Every function starts with any value that a parameter's pattern accepts.
func TestEveryValueThatAPatternTakesStartsTheFunctions(t *testing.T) {
	d := newDeployment(t)
	secrets := map[string]string{
		"UpstashRedisRestToken": "t", "DatabaseUrl": "postgres://u:p@h/db", "UpstashApiKey": "k",
		"AppsyncEventsKey": "k",
		"SigningKeys":      strings.Repeat("k", 32), "DeviceKeys": strings.Repeat("k", 32), "OpsToken": strings.Repeat("k", 32),
		"ClerkWebhookSecrets": "whsec_" + strings.Repeat("A", 32),
	}
	account := []string{"UpstashEmail", "UpstashApiKey", "UpstashDatabaseId"}
	together := map[string][]string{
		"ClerkIssuer": {"ClerkJwtKey", "ClerkJwksUrl"}, "UpstashEmail": account, "UpstashApiKey": account, "UpstashDatabaseId": account,
		"AppsyncEventsUrl": {"AppsyncEventsKey"}, "AppsyncEventsKey": {"AppsyncEventsUrl"},
	}
	drawn := 0
	for _, name := range referred(d) {
		p := d.parameters[name]
		if p.AllowedPattern == "" || name == "Game" || name == "ClerkJwtKey" {
			continue // a game must be a file of games/, a key is drawn by its own test
		}
		if name == furtherURLs || name == furtherTokens {
			continue // they name the same databases: see TestFurtherDatabasesStartTheFunctions
		}
		drawn++
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				value := rapid.StringMatching(p.AllowedPattern).Draw(r, name)
				require.Regexp(r, p.AllowedPattern, value)
				value = reference.ReplaceAllLiteralString(value, secrets[name])
				if name == "Operators" {
					value = apart(value)
				}
				parameters := map[string]string{name: value}
				if value == "" { // then the parameters that belong to it are left out too
					for _, other := range together[name] {
						parameters[other] = ""
					}
				}
				require.NoError(r, d.start(parameters))
			})
		})
	}
	require.GreaterOrEqual(t, drawn, 15)
}

// Two parameters name further databases.
const furtherURLs, furtherTokens = "UpstashRedisRestUrls", "UpstashRedisRestTokens"

func TestFurtherDatabasesStartTheFunctions(t *testing.T) {
	d := newDeployment(t)
	rapid.Check(t, func(r *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Za-z0-9_-]{1,9}`).Filter(func(name string) bool { return name != "main" }), 1, 4, rapid.ID).Draw(r, "names")
		var urls, tokens []string
		for _, name := range names {
			urls = append(urls, name+"=https://"+rapid.StringMatching(`[a-z0-9]([a-z0-9.-]{0,9}[a-z0-9])?`).Draw(r, "host"))
			tokens = append(tokens, name+"="+rapid.StringMatching(`[A-Za-z0-9_=-]{1,40}`).Draw(r, "token"))
		}
		between := rapid.SampledFrom([]string{",", ", ", " , "}).Draw(r, "between")
		parameters := map[string]string{furtherURLs: strings.Join(urls, between), furtherTokens: strings.Join(tokens, between)}
		for name, value := range parameters {
			require.Regexp(r, d.parameters[name].AllowedPattern, value)
		}
		require.NoError(r, d.start(parameters))
	})
}

// A key's line ends may have been lost or changed on the way.
func TestAKeyStartsTheFunctionsHoweverItsLinesEnd(t *testing.T) {
	d := newDeployment(t)
	const begin, end = "-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----"
	body := strings.Join(strings.Fields(strings.NewReplacer(begin, "", end, "").Replace(d.good["ClerkJwtKey"])), "")
	rapid.Check(t, func(r *rapid.T) {
		gap := func(what, pattern string) string { return rapid.StringMatching(pattern).Draw(r, what) }
		const ends = `([ \n\t]|\\n|\\r){0,3}`
		value := gap("before", `[\n "']{0,2}`)
		for range rapid.IntRange(1, 4).Draw(r, "keys") {
			value += begin + gap("first", ends)
			for rest := body; rest != ""; {
				n := rapid.IntRange(1, len(rest)).Draw(r, "line")
				value += rest[:n] + gap("end", ends)
				rest = rest[n:]
			}
			value += end + gap("last", `([\n "']|\\n){0,3}`)
		}
		require.Regexp(r, d.parameters["ClerkJwtKey"].AllowedPattern, value)
		require.NoError(r, d.start(map[string]string{"ClerkJwtKey": value}))
	})
}

// Values that a function refuses are refused when the stack is made.
func TestPatternsRefuseWhatTheFunctionsRefuse(t *testing.T) {
	d := newDeployment(t)
	key := strings.Repeat("k", 32)
	for name, values := range map[string][]string{
		"UpstashRedisRestUrl":    {"name.upstash.io", "https://u:p@name.upstash.io", "https://name.upstash.io?x=1"},
		"UpstashRedisRestToken":  {"", "a b"},
		"ClerkJwtKey":            {"-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----", "AAAA"},
		"ClerkIssuer":            {"clerk.example.com", "http://clerk.example.com", "https://clerk.framedle.localhost", "https://clerk.example.com?x"},
		"ClerkJwksUrl":           {"http://clerk.example.com/jwks", "https://u@clerk.example.com/", "https://h/#f"},
		"ClerkWebhookSecrets":    {"secret", "whsec_short", "whsec_" + strings.Repeat("A", 31), "whsec_" + strings.Repeat("A", 32) + "B="},
		"ClerkAuthorizedParties": {"example.com", "localhost:5173", "https://example.com/path", "https://a.example,https://b.example/x"},
		"SigningKeys":            {key[1:], key + ",short"},
		"DeviceKeys":             {key[1:], strings.Join([]string{key, key, key, key, key}, ",")},
		"OpsToken":               {key[1:], key + " " + key, key + "!", strings.Repeat("é", 32)},
		"DatabaseUrl":            {"postgres://u:p@h:99999/db", "postgres://u:%zz@h/db"},
		"PlanCommands":           {"0", "-1", "500,000", "1e6", "1000.5"},
		"UpstashEmail":           {"a:b@example.com"},
		"AppsyncEventsUrl":       {"http://example.com", "https://example.com/event"},
		"AppsyncEventsKey":       {"a b"},
		furtherURLs:              {"https://eu.upstash.io", "eu=eu.upstash.io", "e u=https://eu.upstash.io"},
		furtherTokens:            {"token", "eu=a b", "=token"},
		"DailySchedule":          {"0 0 * * *", "cron(20 0 * * *)", "cron(60 0 * * ? *)", "cron(20 0 * * * *)", "rate(1 hours)", "rate(often)"},
	} {
		pattern := regexp.MustCompile(d.parameters[name].AllowedPattern)
		for _, value := range values {
			require.Error(t, d.start(map[string]string{name: value}), "%s: %q", name, value)
			require.False(t, pattern.MatchString(value), "%s: %q", name, value)
		}
	}
}

// Any secret may be in Secrets Manager, alone or together with others.
func TestEverySecretMayBeAReference(t *testing.T) {
	d := newDeployment(t)
	const ref = "{{resolve:secretsmanager:leaderboards/prod:SecretString:ops-token}}"
	secrets := 0
	for _, name := range referred(d) {
		if p := d.parameters[name]; p.NoEcho {
			secrets++
			require.Regexp(t, p.AllowedPattern, ref, name)
			require.NotRegexp(t, p.AllowedPattern, "{{resolve:ssm-secure:"+strings.Repeat("n", 32)+"}}", "%s: it cannot be resolved into a function's environment", name)
		}
	}
	require.Greater(t, secrets, 10)
	require.Regexp(t, d.parameters["SigningKeys"].AllowedPattern, ref+","+strings.Repeat("k", 32))
}

// referred are the parameters that become variables of functions.
func referred(d deployment) []string {
	var names []string
	seen := map[string]bool{}
	for _, value := range d.variables {
		name, refers := strings.CutPrefix(value, "!Ref ")
		if _, declared := d.parameters[name]; refers && declared && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
