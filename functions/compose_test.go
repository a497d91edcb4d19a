package functions_test

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/web"
)

// composed is compose.yaml. A key that is not here is not known to Compose, or not needed:
// https://github.com/compose-spec/compose-spec/blob/main/spec.md
type composed struct {
	Name     string
	Services map[string]composedService
	Volumes  map[string]*struct{}
}

type composedService struct {
	Image string
	Build *struct {
		Context, Dockerfile string
		Args                map[string]string
	}
	Entrypoint, Command, Volumes, Ports []string
	Environment                         map[string]string
	Restart                             string
	Healthcheck                         *struct {
		Test              []string
		Interval, Timeout string
		Retries           int
	}
	DependsOn       yaml.Node `yaml:"depends_on"`
	ReadOnly        bool      `yaml:"read_only"`
	CapDrop         []string  `yaml:"cap_drop"`
	SecurityOpt     []string  `yaml:"security_opt"`
	StopGracePeriod string    `yaml:"stop_grace_period"`
}

func readCompose(t *testing.T) (c composed) {
	t.Helper()
	text, err := os.ReadFile("../compose.yaml")
	require.NoError(t, err)
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	d.KnownFields(true)
	require.NoError(t, d.Decode(&c))
	return c
}

var variable = regexp.MustCompile(`\$\{(\w+)(?::[-?]([^}]*))?\}`)

func TestComposeIsGuarded(t *testing.T) {
	c := readCompose(t)
	require.ElementsMatch(t, []string{"redis", "postgres", "migrate", "leaderboards", "timer"}, keys(c.Services))
	for name, s := range c.Services {
		for _, port := range s.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s opens %s to other machines", name, port)
		}
		require.NotEqual(t, s.Image == "", s.Build == nil, name)
		if s.Build != nil {
			require.FileExists(t, filepath.Join("..", s.Build.Context, s.Build.Dockerfile))
		}
		for _, volume := range s.Volumes {
			named, _, _ := strings.Cut(volume, ":")
			require.Contains(t, c.Volumes, named)
		}
		var depends map[string]struct{ Condition string }
		if s.DependsOn.Kind == yaml.MappingNode {
			require.NoError(t, s.DependsOn.Decode(&depends))
		}
		for other, d := range depends {
			require.Contains(t, c.Services, other)
			require.Equal(t, d.Condition == "service_healthy", c.Services[other].Healthcheck != nil, other)
		}
	}
	for _, exposed := range []string{"leaderboards", "timer"} {
		require.True(t, c.Services[exposed].ReadOnly)
		require.Equal(t, []string{"ALL"}, c.Services[exposed].CapDrop)
	}
	redis := strings.Join(c.Services["redis"].Command, " ")
	require.Contains(t, redis, "--maxmemory-policy noeviction")
	require.Contains(t, redis, "--appendonly yes")
}

func keys[V any](of map[string]V) (all []string) {
	for name := range of {
		all = append(all, name)
	}
	return all
}

// Each program is started with the environment that compose.yaml gives it, with hosts of this
// machine in place of those of its network, and with the real servers. Docker is not used.
func TestTheProcessesOfComposeRunTogether(t *testing.T) {
	c := readCompose(t)
	secrets := map[string]string{"SIGNING_KEYS": signingKey, "OPS_TOKEN": operatorToken, "SCHEDULE_TOKEN": scheduleToken, "SECRET": strings.Repeat("s", 32), "POSTGRES_PASSWORD": "p"}
	redis, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(redis.Addr().String())
	require.NoError(t, err)
	require.NoError(t, redis.Close())
	command := c.Services["redis"].Command
	server := os.Getenv("REDIS_SERVER")
	for _, name := range []string{command[0], "redis-server"} {
		if found, err := exec.LookPath(name); server == "" && err == nil {
			server = found
		}
	}
	valkey := exec.CommandContext(t.Context(), server, append(command[1:], "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir())...)
	require.NoError(t, valkey.Start())
	t.Cleanup(func() { _ = valkey.Process.Kill(); _ = valkey.Wait() })
	require.Eventually(t, func() bool {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 20*time.Second, 20*time.Millisecond)

	environment := func(service string, replaced map[string]string) (all []string) {
		for name, value := range c.Services[service].Environment {
			value = variable.ReplaceAllStringFunc(value, func(found string) string {
				part := variable.FindStringSubmatch(found)
				if secret, given := secrets[part[1]]; given {
					return secret
				}
				require.NotContains(t, found, ":?", "a secret that this test does not give")
				return part[2]
			})
			if other, is := replaced[name]; is {
				value = other
			}
			all = append(all, name+"="+value)
		}
		return all
	}
	database := archivetest.Database(t)
	require.Contains(t, strings.Join(environment("migrate", nil), "\n"), "DATABASE_URL=postgres://postgres:p@postgres:5432/leaderboards?sslmode=disable")
	local := map[string]string{"REDIS_URL": "redis://127.0.0.1:" + port + "/0", "DATABASE_URL": database}
	s := startBinary(t, forAnyHost(t, "all"), environment("leaderboards", local)...)

	body := `{"mode":"daily_frame","player":"user_a","score":800}`
	require.Equal(t, 201, s.status(t, "POST", "/v1/scores", body, map[string]string{"Framedle-Signature": auth.Sign(signingKey, time.Now(), []byte(body))}))
	for _, page := range []string{"/", "/page.js", "/leaderboards.js", "/ops/", "/config.js"} {
		res := s.send("GET", page, "", nil)
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, 200, res.StatusCode, page)
		require.Equal(t, web.Policy, res.Header.Get("Content-Security-Policy"), page)
		require.NotContains(t, string(text), "local: true", "nobody signs in by name here")
	}
	for _, door := range []string{"/_local", "/_local/token", "/_local/reset", "/_local/clock"} {
		require.Equal(t, 404, s.status(t, "GET", door, "", nil), door)
		require.Equal(t, 404, s.status(t, "POST", door, "{}", nil), door)
	}
	require.Equal(t, 200, s.status(t, "GET", "/readyz", "", nil))

	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	timer := exec.CommandContext(ctx, forAnyHost(t, "all"), c.Services["timer"].Command...)
	timer.Env = append(environment("timer", map[string]string{"URL": s.url}), "SAVE_SCHEDULE=rate(1 minute)")
	log, err := timer.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, timer.Start())
	line := make([]byte, 4096)
	n, err := log.Read(line)
	require.NoError(t, err)
	require.Contains(t, string(line[:n]), `"schedule":"cron-save"`)
	require.Contains(t, string(line[:n]), `"msg":"fired"`)
	require.NoError(t, timer.Process.Signal(os.Interrupt))
	require.NoError(t, timer.Wait())

	wrong := exec.CommandContext(t.Context(), forAnyHost(t, "all"), "timer")
	wrong.Env = []string{"URL=leaderboards:8080", "SCHEDULE_TOKEN=short", "SAVE_SCHEDULE=daily"}
	out, err := wrong.CombinedOutput()
	require.Error(t, err)
	for _, says := range []string{"URL is not an address: use that of the program, such as", "SCHEDULE_TOKEN has 5 characters", "SAVE_SCHEDULE"} {
		require.Contains(t, string(out), says, "all at once")
	}
	s.stop()

	off := startBinary(t, forAnyHost(t, "all"), append(environment("leaderboards", local), "PAGES=off")...)
	require.Equal(t, 404, off.status(t, "GET", "/", "", nil))
	require.Equal(t, 404, off.status(t, "GET", "/ops/", "", nil))
	off.stop()

	some := startBinary(t, forAnyHost(t, "all"), append(environment("leaderboards", local), "PAGES=page, widget")...)
	for path, status := range map[string]int{"/": 200, "/page.js": 200, "/leaderboards.js": 200, "/gallery/": 200, "/ops/": 404, "/ops/ops.js": 404, "/play/typing/": 404} {
		require.Equal(t, status, some.status(t, "GET", path, "", nil), path)
	}
	some.stop()
}
