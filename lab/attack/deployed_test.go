package attack_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const module = "github.com/framedle/leaderboards/"

// built compiles a function as it is deployed. It also reads all files that the build
// uses: the test cache notices changes of files that the test reads, not of those that
// the compiler reads.
func built(t *testing.T, name string) (bootstrap string, packages []string) {
	t.Helper()
	root := filepath.Join("..", "..")
	list := exec.CommandContext(t.Context(), "go", "list", "-tags", lambdatest.Tags, "-deps", "-f", "{{.ImportPath}} {{.Dir}}", "./functions/"+name)
	list.Dir = root
	out, err := list.Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		path, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		packages = append(packages, path)
		if strings.HasPrefix(path, module) {
			files, err := filepath.Glob(filepath.Join(folder, "*.go"))
			require.NoError(t, err)
			for _, file := range files {
				_, _ = os.Stat(file)
			}
		}
	}
	bootstrap = filepath.Join(t.TempDir(), "bootstrap")
	require.NoError(t, lambdatest.Build(t.Context(), root, "./functions/"+name, bootstrap))
	return bootstrap, packages
}

// servedBy returns the routes of each function; in other deployments another function may
// serve a route.
func servedBy(t *testing.T) map[string][]route {
	t.Helper()
	declared, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	own, served := map[string][]route{}, map[string]bool{}
	for _, conditional := range []bool{false, true} { // functions with a condition take over routes of others
		mux, names := http.NewServeMux(), map[string]string{}
		for _, f := range declared.Functions {
			for _, route := range f.Routes {
				if route.Path != "$default" && (f.Condition != "") == conditional {
					mux.Handle(route.Pattern(), http.NotFoundHandler())
					names[route.Pattern()] = f.Name
				}
			}
		}
		for _, r := range routes(t) {
			sent, err := http.NewRequestWithContext(t.Context(), r.method, "http://api.test"+r.path, nil)
			require.NoError(t, err)
			if _, pattern := mux.Handler(sent); pattern != "" {
				own[names[pattern]] = append(own[names[pattern]], r)
				served[r.name()] = true
			}
		}
	}
	for _, r := range routes(t) {
		require.True(t, served[r.name()], r.name())
	}
	return own
}

// event is a request in the form in which API Gateway passes it to a function.
func (r request) event(t *testing.T) []byte {
	t.Helper()
	header := map[string]string{"content-type": "application/json"}
	for name, value := range r.header {
		header[strings.ToLower(name)] = value
	}
	event, err := json.Marshal(map[string]any{
		"version": "2.0", "rawPath": r.path, "headers": header, "body": r.body,
		"requestContext": map[string]any{"http": map[string]string{"method": r.method, "path": r.path}},
	})
	require.NoError(t, err)
	return event
}

func invoke(t *testing.T, f *lambdatest.Function, r request) (status int, body string) {
	t.Helper()
	response, err := f.Invoke(t.Context(), r.event(t))
	require.NoError(t, err)
	var a struct {
		StatusCode int    `json:"statusCode"`
		Body       string `json:"body"`
	}
	require.NoError(t, json.Unmarshal(response.Payload, &a), "%s", response.Payload)
	return a.StatusCode, a.Body
}

// Every function, built as it is deployed, accepts a player's token on its routes. It
// refuses a development token, though the function trusts the key that signed it. And it
// does not start when it is told to trust the development issuer.
func TestNoFunctionTakesADevelopmentToken(t *testing.T) {
	development, err := devissuer.New()
	require.NoError(t, err)
	players, now := authtest.New(t), time.Now()
	devToken, err := development.Issue(devissuer.Claims{Player: "user_a"}, now, time.Hour)
	require.NoError(t, err)
	ofFunction := servedBy(t)
	require.GreaterOrEqual(t, len(ofFunction), 5)
	for name, own := range ofFunction {
		t.Run(name, func(t *testing.T) {
			bootstrap, packages := built(t, name)
			require.Contains(t, packages, module+"internal/platform/auth")
			for _, barred := range []string{"internal/platform/auth/devissuer", "internal/platform/auth/authtest", "internal/dev/local"} {
				require.NotContains(t, packages, module+barred)
			}
			binary, err := os.ReadFile(bootstrap)
			require.NoError(t, err)
			require.False(t, bytes.Contains(binary, []byte(strings.TrimPrefix(development.Issuer(), "https://"))), "the function knows the development issuer by name")

			redis := upstashtest.Start(t, upstashtest.Options{})
			launch := func(variables ...string) (*lambdatest.Function, error) {
				return lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Name: name, Env: append(variables,
					"UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token(),
					"OPS_TOKEN="+opsToken, "SIGNING_KEYS="+signingKey, "CLERK_WEBHOOK_SECRETS="+webhookSecret,
					// A queue that cannot be reached; nothing else outside this machine
					// can be reached either.
					"QUEUE_URL=http://127.0.0.1:1/123456789012/scores", "HTTPS_PROXY=http://127.0.0.1:1",
					"AWS_ACCESS_KEY_ID=none", "AWS_SECRET_ACCESS_KEY=none")})
			}
			for _, key := range []string{"", development.PEM(), players.PEM()} {
				_, err = launch("CLERK_ISSUER="+development.Issuer(), "CLERK_JWT_KEY="+key)
				require.ErrorIs(t, err, lambdatest.ErrExited)
				require.ErrorContains(t, err, "is for development")
			}
			f, err := launch("CLERK_ISSUER="+authtest.IssuerURL, "CLERK_JWT_KEY="+players.PEM()+development.PEM())
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, f.Close()) })
			for _, r := range own {
				status, body := invoke(t, f, r.with(bearer(devToken)))
				if status == http.StatusNotFound {
					// Or the request reaches the default route, where the function of its
					// feature is not deployed.
					require.Regexp(t, "anonymous play is off|no such endpoint", body, r.name())
					continue
				}
				require.Equal(t, http.StatusUnauthorized, status, "%s: %s", r.name(), body)
				if r.take(session) {
					require.Contains(t, body, "another issuer", r.name())
					status, body = invoke(t, f, r.with(bearer(players.Token(authtest.Claims("user_a", time.Now(), nil)))))
					require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, status, "%s: %s", r.name(), body)
				}
			}
		})
	}
}

// A function that cannot fetch keys judges no token, and says why in the operator's log.
func TestAFunctionSaysWhyItHasNoKeys(t *testing.T) {
	bootstrap, _ := built(t, "submit")
	players := authtest.New(t)
	keys := authtest.NewKeyServer(t, players) // with a certificate that no authority signed
	redis := upstashtest.Start(t, upstashtest.Options{})
	f, err := lambdatest.Start(t.Context(), lambdatest.Options{Bootstrap: bootstrap, Name: "submit", Env: []string{
		"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(),
		"CLERK_ISSUER=" + authtest.IssuerURL, "CLERK_JWKS_URL=" + keys.Config(time.Now).JWKSURL,
	}})
	require.NoError(t, err)
	token := players.Token(authtest.Claims("user_a", time.Now(), nil))
	play := request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":800}`}
	status, body := invoke(t, f, play.with(bearer(token)))
	require.Equal(t, http.StatusServiceUnavailable, status, body)
	require.NotContains(t, body, "certificate")
	require.NoError(t, f.Close()) // afterwards everything that it wrote has arrived
	require.Contains(t, f.Stderr(), "Clerk's keys could not be fetched")
	require.Contains(t, f.Stderr(), "certificate")
	require.NotContains(t, f.Stderr(), token)
}
