package template_test

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeSAM records its arguments and the file of parameters.
const fakeSAM = `#!/bin/sh
echo "$@" >> "$RECORD/arguments"
while [ $# -gt 0 ]; do
  if [ "$1" = --config-file ]; then
    cp "$2" "$RECORD/samconfig.toml"
    ls -l "$2" | cut -c1-10 > "$RECORD/mode"
  fi
  shift
done
`

// deployment runs scripts/deploy.sh as make deploy does, with a SAM CLI that only
// records.
type deployment struct {
	*testing.T
	folder string
}

func newDeployment(t *testing.T, settings string) deployment {
	t.Helper()
	d := deployment{t, t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(d.folder, "sam"), []byte(fakeSAM), 0o700)) //nolint:gosec // it is run
	if settings != "" {
		require.NoError(t, os.WriteFile(d.settings(), []byte(settings), 0o600))
	}
	return d
}

func (d deployment) settings() string { return filepath.Join(d.folder, ".env.deploy") }

func (d deployment) run(answers string, env ...string) (out string, err error) {
	script, err := filepath.Abs(filepath.Join(root, "scripts", "deploy.sh"))
	require.NoError(d, err)
	c := exec.CommandContext(d.Context(), "bash", script)
	c.Env = append([]string{
		"PATH=" + d.folder + ":" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "SETTINGS=" + d.settings(), "RECORD=" + d.folder,
	}, env...)
	c.Stdin = strings.NewReader(answers)
	var all bytes.Buffer
	c.Stdout, c.Stderr = &all, &all
	err = c.Run()
	return all.String(), err
}

func (d deployment) read(name string) string {
	data, err := os.ReadFile(filepath.Join(d.folder, name))
	require.NoError(d, err)
	return string(data)
}

// parameters returns the overrides as SAM reads them: each is a TOML string with
// Name="value".
func (d deployment) parameters() map[string]string {
	all := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^  (".*"),$`).FindAllStringSubmatch(d.read("samconfig.toml"), -1) {
		text, err := strconv.Unquote(line[1])
		require.NoError(d, err)
		name, value, _ := strings.Cut(text, "=")
		all[name] = strings.ReplaceAll(value[1:len(value)-1], `\"`, `"`)
	}
	return all
}

var thirtyTwo = strings.Repeat("k", 32)

const upstash = "UPSTASH_REDIS_REST_URL=https://name.upstash.io\nUPSTASH_REDIS_REST_TOKEN=the-token\n"

func TestADeploymentAsksNothingTwiceAndShowsNoSecret(t *testing.T) {
	d := newDeployment(t, "")
	const answers = "eu-west-1\n\nhttps://name.upstash.io\nthe-token\nhttps://clerk.example.com\n\nhttps://example.com\n\n"
	out, err := d.run(answers, "DEPLOY_ASKS=1")
	require.NoError(t, err, out)
	first := d.read(".env.deploy")
	p := d.parameters()
	require.Equal(t, "https://name.upstash.io", p["UpstashRedisRestUrl"])
	require.Equal(t, "the-token", p["UpstashRedisRestToken"])
	require.Equal(t, "https://example.com", p["AllowedOrigins"])
	require.Len(t, p["OpsToken"], 64)
	require.Len(t, p["SigningKeys"], 64)
	require.NotContains(t, p, "DatabaseUrl", "what is empty has the template's default")
	require.Equal(t, "-rw-------", strings.TrimSpace(d.read("mode")))
	arguments := d.read("arguments")
	require.Contains(t, arguments, "build --parallel\ndeploy --config-file ")
	require.Contains(t, arguments, "--stack-name framedle-leaderboards --region eu-west-1 --resolve-s3 --capabilities CAPABILITY_IAM --no-confirm-changeset --no-fail-on-empty-changeset")
	for _, secret := range []string{"the-token", p["OpsToken"], p["SigningKeys"]} {
		require.NotContains(t, arguments+out, secret)
	}
	info, err := os.Stat(d.settings())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	out, err = d.run("", "DEPLOY_ASKS=1")
	require.NoError(t, err, out)
	require.Equal(t, first, d.read(".env.deploy"), "nothing is asked or made again")
	require.NotContains(t, out, "UPSTASH_REDIS_REST_TOKEN =")
}

func TestParametersOfADeploymentArriveAsTheyAreMeant(t *testing.T) {
	pem := "-----BEGIN PUBLIC KEY-----\nMIIB/+=\n-----END PUBLIC KEY-----\n"
	file := filepath.Join(t.TempDir(), "clerk.pem")
	require.NoError(t, os.WriteFile(file, []byte(pem), 0o600))
	key := `k"e'y$(x)\` + strings.Repeat("k", 32)
	d := newDeployment(t, "AWS_REGION=eu-west-1\n"+upstash+"CLERK_ISSUER='https://clerk.example.com'\nCLERK_JWT_KEY_FILE="+file+
		"\nSIGNING_KEYS="+key+"\nOPS_TOKEN={{resolve:secretsmanager:a:SecretString:b}}\nALARM_EMAIL=\"a@example.com\"\nWEEKLY_SCHEDULE=cron(0 13 ? * MON *)\nSTACK_NAME=other\n")
	out, err := d.run("")
	require.NoError(t, err, out)
	require.Equal(t, map[string]string{
		"UpstashRedisRestUrl": "https://name.upstash.io", "UpstashRedisRestToken": "the-token", "ClerkIssuer": "https://clerk.example.com",
		"ClerkJwtKey": strings.ReplaceAll(pem, "\n", `\n`), "SigningKeys": key, "OpsToken": "{{resolve:secretsmanager:a:SecretString:b}}",
		"AlarmEmail": "a@example.com", "WeeklySchedule": "cron(0 13 ? * MON *)",
	}, d.parameters())
	require.Contains(t, d.read("arguments"), "--stack-name other")
	declared := map[string]bool{}
	for _, p := range project(t).Parameters {
		declared[p.Name] = true
	}
	for name := range d.parameters() {
		require.True(t, declared[name], "%s is no parameter of the template", name)
	}
}

func TestADeploymentSaysWhatIsMissing(t *testing.T) {
	for settings, says := range map[string]string{
		"AWS_REGION=eu-west-1\n": "UPSTASH_REDIS_REST_URL is missing in",
		"AWS_REGION=\n":          "AWS_REGION is empty in",
		"AWS_REGION=eu-west-1\n" + upstash + "CLERK_JWT_KEY=k\n":             "CLERK_JWT_KEY needs CLERK_ISSUER",
		"AWS_REGION=eu-west-1\n" + upstash + "CLERK_JWT_KEY_FILE=/no/file\n": "/no/file cannot be read",
	} {
		d := newDeployment(t, settings)
		out, err := d.run("")
		require.Error(t, err)
		require.Contains(t, out, says)
		require.NoFileExists(t, filepath.Join(d.folder, "arguments"))
	}
}

// A value that the template would refuse minutes later is refused at once, with the template's
// words and without the value, and asked for again on a terminal.
func TestADeploymentExplainsWrongValues(t *testing.T) {
	d := newDeployment(t, "")
	out, err := d.run("Frankfurt\neu-central-1\nname.upstash.io\nhttps://name.upstash.io\nthe token\nthe-token\n"+
		"clerk.example.com\nhttps://clerk.example.com\n\nhttps://example.com/\nhttps://example.com,http://localhost:5173\n\n", "DEPLOY_ASKS=1")
	require.NoError(t, err, out)
	for _, says := range []string{
		"invalid value: want the code of a region, as in eu-west-1", "invalid value: want an https URL, as the Upstash console shows",
		"invalid value: want a token without spaces", "as in https://clerk.example.com", "or origins without a slash at the end",
	} {
		require.Contains(t, out, says)
	}
	require.Equal(t, 5, strings.Count(out, "invalid value: "))
	require.Equal(t, "https://example.com,http://localhost:5173", d.parameters()["AllowedOrigins"])
	require.Contains(t, d.read("arguments"), "--region eu-central-1")

	d = newDeployment(t, "AWS_REGION=eu-west-1\n"+upstash+"SIGNING_KEYS=short\nLOG_RETENTION_DAYS=8\nTRUSTED_PROXY_HOPS=11\nTHROTTLING_RATE=many\nALARM_MAIL=a@example.com\n")
	out, err = d.run("")
	require.Error(t, err)
	for _, says := range []string{
		"SIGNING_KEYS: want empty, or keys of at least 32 visible characters", "LOG_RETENTION_DAYS: want one of 1, 3, 5,",
		"TRUSTED_PROXY_HOPS: want a whole number from 0 to 10\n", "THROTTLING_RATE: want a whole number from 1\n", "unknown setting ALARM_MAIL",
	} {
		require.Contains(t, out, says)
	}
	require.NotContains(t, out, "short")
	require.NoFileExists(t, filepath.Join(d.folder, "arguments"))

	d = newDeployment(t, "AWS_REGION=eu-west-1\n"+upstash+"DATABASE_URL={{resolve:secretsmanager:a:SecretString:b}}\n")
	out, err = d.run("")
	require.Error(t, err)
	require.Contains(t, out, "give DATABASE_URL_DIRECT for the migrations")
}

// In a workflow every setting is in the environment. The script makes no secrets there,
// since the machine would not know them the next time.
func TestAWorkflowDeploysFromItsEnvironmentAndMakesNoSecret(t *testing.T) {
	env := []string{"CI=true", "AWS_REGION=eu-west-1", "UPSTASH_REDIS_REST_URL=https://name.upstash.io", "UPSTASH_REDIS_REST_TOKEN=the-token"}
	d := newDeployment(t, "")
	out, err := d.run("", env...)
	require.Error(t, err)
	require.Contains(t, out, "OPS_TOKEN is missing: make one with openssl rand -hex 32")
	out, err = d.run("", append(env, "OPS_TOKEN=", "SIGNING_KEYS="+thirtyTwo)...)
	require.Error(t, err, "a secret that the workflow does not have is an empty variable: %s", out)
	require.NoFileExists(t, filepath.Join(d.folder, "arguments"))

	pem := "-----BEGIN PUBLIC KEY-----\nMIIB/+=\n-----END PUBLIC KEY-----"
	env = append(env, "OPS_TOKEN="+thirtyTwo, "SIGNING_KEYS="+thirtyTwo, "CLERK_ISSUER=https://clerk.example.com", "CLERK_JWT_KEY="+pem, "ALARM_EMAIL=")
	out, err = d.run("", env...)
	require.NoError(t, err, out)
	require.Empty(t, d.read(".env.deploy"))
	require.Equal(t, map[string]string{
		"UpstashRedisRestUrl": "https://name.upstash.io", "UpstashRedisRestToken": "the-token", "OpsToken": thirtyTwo, "SigningKeys": thirtyTwo,
		"ClerkIssuer": "https://clerk.example.com", "ClerkJwtKey": strings.ReplaceAll(pem, "\n", `\n`),
	}, d.parameters(), "a variable that is empty has the template's default")
}

// Every parameter of the template can be set, by its name in capitals.
func TestEveryParameterCanBeDeployed(t *testing.T) {
	values := map[string]string{
		"UpstashRedisRestUrl": "https://name.upstash.io", "UpstashRedisRestToken": "the-token",
		"UpstashRedisRestUrls": "eu=https://eu.upstash.io", "UpstashRedisRestTokens": "eu=token",
		"Site": "eu", "SiteRedisRestUrls": "us=https://us.upstash.io", "SiteRedisRestTokens": "us=token",
		"ClerkJwtKey": `-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----`, "ClerkIssuer": "https://clerk.example.com",
		"ClerkJwksUrl": "https://clerk.example.com/keys", "ClerkWebhookSecrets": "whsec_" + thirtyTwo, "ClerkAuthorizedParties": "https://example.com,native",
		"SigningKeys": thirtyTwo, "DeviceKeys": thirtyTwo, "OpsToken": thirtyTwo, "Operators": "ada:read:" + strings.Repeat("0a", 32), "Secret": thirtyTwo, "WebhookSecrets": thirtyTwo, "OriginSecret": thirtyTwo,
		"Maintenance": "moving", "LiveUrl": "https://live.example.com", "AppsyncEventsUrl": "https://x.appsync-api.eu-west-1.amazonaws.com", "AppsyncEventsKey": "da2-key", "AlarmEmail": "a@example.com", "UpstashEmail": "a@example.com", "UpstashApiKey": "api-key", "UpstashDatabaseId": "id-1",
		"PagesDomainName": "boards.example.com", "PagesCertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000",
		"PermissionsBoundary": "arn:aws:iam::123456789012:policy/deploy-framedle-Boundary-1",
		"DomainName":          "api.example.com", "CertificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/00000000-0000-0000-0000-000000000000",
	}
	settings, want := "AWS_REGION=eu-west-1\n", map[string]string{}
	for _, p := range project(t).Parameters {
		if p.Name == "DatabaseUrl" {
			settings += "DATABASE_URL=\n" // else the script would run the migrations
			continue
		}
		want[p.Name] = cmp.Or(values[p.Name], p.Default)
		require.NotEmpty(t, want[p.Name], "the test has no value for %s", p.Name)
		settings += p.Setting() + "=" + want[p.Name] + "\n"
	}
	d := newDeployment(t, settings)
	out, err := d.run("")
	require.NoError(t, err, out)
	require.NotContains(t, out, "no setting")
	require.Equal(t, want, d.parameters())
}
