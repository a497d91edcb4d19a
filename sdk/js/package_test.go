package js_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/npmtest"
)

// mostGzipped is what the client may weigh in a page that uses all of it, in bytes.
const mostGzipped = 4 << 10

// The built files and the types are what the sources and the document give.
func TestBuiltFilesAreFresh(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	fresh := t.TempDir()
	command(t, ".", "node", "build.mjs", fresh)
	require.Equal(t, content(t, fresh, "src/types.gen.ts"), content(t, ".", "src/types.gen.ts"), "src/types.gen.ts is not api/openapi.yaml's: run make web")
	built := files(t, "dist")
	require.Equal(t, files(t, filepath.Join(fresh, "dist")), built, "run make web")
	for _, name := range built {
		require.True(t, content(t, filepath.Join(fresh, "dist"), name) == content(t, "dist", name), "dist/%s is stale: run make web", name)
	}
}

func TestTheClientIsSmall(t *testing.T) {
	require.LessOrEqual(t, gzipped(t, "dist/leaderboards.min.js"), mostGzipped)
}

// A frontend that imports some classes of errors does not pay for the others.
func TestWhatIsNotUsedIsNotPaidFor(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	bundle := command(t, ".", "node_modules/.bin/esbuild", "dist/index.js", "--bundle", "--minify", "--format=esm")
	entry := filepath.Join(t.TempDir(), "entry.js")
	here, err := filepath.Abs("dist/index.js")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(entry, []byte("import { createClient, RateLimitedError } from "+quoted(t, here)+";\nconsole.log(createClient, RateLimitedError);\n"), 0o600))
	used := command(t, ".", "node_modules/.bin/esbuild", entry, "--bundle", "--minify", "--format=esm")
	require.Contains(t, bundle, "ScoreOutOfBoundsError")
	require.NotContains(t, used, "ScoreOutOfBoundsError")
	require.Contains(t, used, "RateLimitedError")
}

// The package is what npm publishes: complete, and good for those who install it.
func TestThePackageCanBePublished(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	var is struct {
		Name, Version, License string
		Repository             struct{ URL, Directory string }
		SideEffects            bool
		PublishConfig          struct {
			Access     string
			Provenance bool
		}
		Dependencies map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(content(t, ".", "package.json")), &is))
	require.Equal(t, "@framedle/leaderboards", is.Name)
	require.Equal(t, "Apache-2.0", is.License)
	require.Equal(t, "sdk/js", is.Repository.Directory)
	require.Equal(t, "public", is.PublishConfig.Access)
	require.True(t, is.PublishConfig.Provenance)
	require.Empty(t, is.Dependencies, "a page pays for each")
	require.Equal(t, content(t, "../..", "LICENSE"), content(t, ".", "LICENSE"))

	var packed []struct {
		Filename string
		Files    []struct{ Path string }
	}
	folder := t.TempDir()
	require.NoError(t, json.Unmarshal([]byte(command(t, ".", "npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder)), &packed))
	var paths []string
	for _, file := range packed[0].Files {
		paths = append(paths, file.Path)
		require.Regexp(t, `^(dist/.*\.(js|d\.ts)|README\.md|LICENSE|custom-elements\.json|package\.json)$`, file.Path)
	}
	require.Subset(t, paths, []string{"README.md", "LICENSE", "custom-elements.json", "dist/elements.d.ts", "dist/elements.js", "dist/index.js", "dist/index.d.ts", "dist/ops.js", "dist/envelope.js", "dist/races.js", "dist/values.js", "dist/wallets.js", "dist/badges.js", "dist/types.gen.d.ts", "dist/react.js", "dist/vue.js", "dist/svelte.js", "dist/react.d.ts", "dist/vue.d.ts", "dist/svelte.d.ts", "dist/leaderboards.min.js"})

	// Installed into a folder that knows nothing else, as a user does.
	user := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(user, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o600))
	command(t, user, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", filepath.Join(folder, packed[0].Filename))
	said := command(t, user, "node", "--input-type=module", "--eval", `
		import * as sdk from "@framedle/leaderboards";
		import "@framedle/leaderboards/elements";
		import { createOps } from "@framedle/leaderboards/ops";
		import { createEnvelopeClient } from "@framedle/leaderboards/envelope";
		import { createResults } from "@framedle/leaderboards/results";
		import { stream } from "@framedle/leaderboards/stream";
		import { formatScore } from "@framedle/leaderboards/values";
		import { startPlay } from "@framedle/leaderboards/plays";
		import { races } from "@framedle/leaderboards/races";
		import { createWallets } from "@framedle/leaderboards/wallets";
		import { createBadges } from "@framedle/leaderboards/badges";
		import { watchDuel } from "@framedle/leaderboards/watch";
		console.log([watchDuel, startPlay].map((does) => typeof does).join());
		console.log([sdk.createClient, createOps, createEnvelopeClient, createResults, createWallets, createBadges, races].map((make) => typeof make({ baseUrl: "", stream })).join());
		console.log(formatScore({ decimals: 1 }, { score: 3 }, "en"));
		console.log(new sdk.BannedError({ status: 403, code: "banned", detail: "no" }) instanceof sdk.LeaderboardsError);`)
	require.Equal(t, "function,function\nobject,object,object,object,object,object,object\n3.0\ntrue\n", said)
	require.NoError(t, os.WriteFile(filepath.Join(user, "use.ts"), []byte(content(t, "test/consumer", "use.ts")), 0o600))
	tsc, err := filepath.Abs("node_modules/typescript/bin/tsc")
	require.NoError(t, err)
	for _, resolution := range []string{"bundler", "nodenext"} {
		module := map[string]string{"bundler": "esnext", "nodenext": "nodenext"}[resolution]
		command(t, user, "node", tsc, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", module, "--moduleResolution", resolution, "use.ts")
	}
}

// Frameworks' own types know the wrappers.
func TestTheWrappersHaveTheirTypes(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	command(t, ".", "node", "node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--jsx", "react-jsx", "--target", "es2022", "--lib", "es2022,dom", "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck", "test/consumer/frameworks.tsx")
}

// npm takes the package as it is: it neither warns of it, nor mends anything.
func TestNpmTakesThePackage(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	publish := exec.CommandContext(t.Context(), "npm", "publish", "--dry-run", "--ignore-scripts", "--offline", "--tag", "latest")
	publish.Dir = "."
	said, err := publish.CombinedOutput()
	require.NoError(t, err, "%s", said)
	for _, line := range strings.Split(string(said), "\n") {
		require.False(t, strings.Contains(line, "warn") && !strings.Contains(line, "logged in"), line)
	}
}

// Each code of a problem has a class of its own, by its name.
func TestEveryProblemHasItsClass(t *testing.T) {
	document := content(t, "../..", "api/openapi.yaml")
	_, enum, found := strings.Cut(document, "    ProblemCode:\n")
	require.True(t, found)
	codes := regexp.MustCompile(`(?m)^        - ([a-z-]+)$`).FindAllStringSubmatch(enum, -1)
	require.Greater(t, len(codes), 30)
	problems := content(t, "src", "problems.ts")
	for _, code := range codes {
		name := ""
		for _, part := range strings.Split(strings.TrimSuffix(code[1], "-error"), "-") {
			name += strings.ToUpper(part[:1]) + part[1:]
		}
		require.Contains(t, problems, "export const "+name+`Error = /* @__PURE__ */ classOf<"`+code[1]+`">("`+name+`Error");`)
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	require.NoError(t, err)
	return string(out)
}

func command(t *testing.T, folder, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir = folder
	var said, complained bytes.Buffer
	c.Stdout, c.Stderr = &said, &complained
	require.NoError(t, c.Run(), "%s %s\n%s%s", program, strings.Join(args, " "), &said, &complained)
	return said.String()
}

func content(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	return names
}

func gzipped(t *testing.T, name string) int {
	t.Helper()
	var into bytes.Buffer
	w, err := gzip.NewWriterLevel(&into, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write([]byte(content(t, ".", name)))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return into.Len()
}
