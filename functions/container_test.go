package functions_test

import (
	"debug/elf"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func dockerfile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("all/Dockerfile")
	require.NoError(t, err)
	return string(text)
}

// The command of the image builds a static program, which needs no other files.
func TestTheContainersProgramIsStaticAndAnswersForItself(t *testing.T) {
	step := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 .* go build .*) -o /leaderboards (\./functions/all)$`).FindStringSubmatch(dockerfile(t))
	require.Len(t, step, 3)
	binary := filepath.Join(t.TempDir(), "leaderboards")
	build := exec.CommandContext(t.Context(), "sh", "-c", step[1]+" -o "+binary+" "+step[2])
	build.Dir = ".."
	build.Env = append(os.Environ(), "TARGETOS="+runtime.GOOS, "TARGETARCH="+runtime.GOARCH)
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	if runtime.GOOS == "linux" {
		file, err := elf.Open(binary)
		require.NoError(t, err)
		require.False(t, slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }), "it asks for a dynamic linker")
		require.NoError(t, file.Close())
	}

	redis := upstashtest.Start(t, upstashtest.Options{})
	s := startBinary(t, binary, "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token(), "ORIGIN_SECRET="+strings.Repeat("o", 32))
	health := func(port string) ([]byte, error) {
		c := exec.CommandContext(t.Context(), binary, "health")
		c.Env = []string{"PORT=" + port}
		return c.CombinedOutput()
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), ":")
	out, err = health(port)
	require.NoError(t, err, string(out))
	require.NoError(t, redis.Refuse(true))
	out, err = health(port)
	require.NoError(t, err, "a process is not to blame for Redis: %s", out)
	s.stop()
	out, err = health(port)
	require.Error(t, err)
	require.Contains(t, string(out), "connection refused")
	out, err = health("")
	require.Error(t, err)
	require.Contains(t, string(out), "PORT")
	out, err = exec.CommandContext(t.Context(), binary, "-port", "80").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "environment variables")
}

func TestTheContainerIsBuiltByTheModulesGoAndRunsAsNobody(t *testing.T) {
	text := dockerfile(t)
	module, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	wants := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(module)
	has := regexp.MustCompile(`(?m)^FROM .*golang:(\S+) AS build$`).FindStringSubmatch(text)
	require.Equal(t, string(wants[1]), has[1])
	require.Regexp(t, `(?m)^FROM scratch$`, text)
	require.Regexp(t, `(?m)^USER [1-9]\d*:[1-9]\d*$`, text, "a number: scratch has no names")
	_, err = os.Stat("../Dockerfile")
	require.ErrorIs(t, err, os.ErrNotExist, "gcloud run deploy --source . would take it instead of GOOGLE_BUILDABLE")
}

// The files that the image's build copies are all that the program is compiled from.
func TestTheContainersBuildIsGivenAllThatItNeeds(t *testing.T) {
	text, err := os.ReadFile("all/Dockerfile.dockerignore")
	require.NoError(t, err)
	var given []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			given = append(given, name)
		}
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=Dir,Standard,Module,GoFiles,EmbedFiles", "./all")
	out, err := list.Output()
	require.NoError(t, err)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	found := 0
	for packages := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Dir                 string
			Standard            bool
			Module              *struct{ Main bool }
			GoFiles, EmbedFiles []string
		}
		err := packages.Decode(&p)
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if p.Module == nil || !p.Module.Main {
			continue
		}
		dir, err := filepath.Rel(root, p.Dir)
		require.NoError(t, err)
		for _, file := range append(p.GoFiles, p.EmbedFiles...) {
			name := path.Join(filepath.ToSlash(dir), file)
			require.True(t, slices.ContainsFunc(given, func(of string) bool { return name == of || strings.HasPrefix(name, of+"/") }), "%s is ignored", name)
			require.NotContains(t, name, "testdata/")
			found++
		}
	}
	require.Greater(t, found, 100)
}
