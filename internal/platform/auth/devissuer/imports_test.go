package devissuer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

const (
	module     = "github.com/framedle/leaderboards"
	this       = module + "/internal/platform/auth/devissuer"
	testTokens = module + "/internal/platform/auth/authtest"
	testKit    = module + "/internal/dev/apitest" // only tests import it, see package house
)

// local is the product on a developer's machine, and what plays games against
// it there: what may issue tokens.
var local = []string{module + "/cmd/local", module + "/internal/dev/local", module + "/lab/soak", module + "/lab/bench/abuse"}

// neverDeployed is what no function may link, beside all of local.
var neverDeployed = []string{
	this, testTokens,
	module + "/internal/dev/redisd", module + "/upstash/upstashtest",
	module + "/internal/dev/postgresd", module + "/internal/archive/archivetest", module + "/migrations", "github.com/pressly/goose/v3",
}

// deployments are the build tags that functions are built with.
var deployments = []string{"", "lambda.norpc", lambdatest.Tags, "lambda.norpc,redis"}

// goList runs go list in the module's root and returns its lines.
func goList(t *testing.T, arguments ...string) []string {
	t.Helper()
	root := moduleRoot(t)
	lookAtSources(t, root)
	command := exec.Command("go", append([]string{"list", "-e"}, arguments...)...)
	command.Dir = root
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, stderr.String())
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// lookAtSources touches what go list is going to read. The test cache sees the
// files that a test looks at, not those of its child processes; without this
// an old success would outlive a new import.
func lookAtSources(t *testing.T, root string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			// An editor may remove a file meanwhile; go list decides.
			_, _ = os.Stat(path)
		}
		return nil
	}))
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		require.NotEqual(t, folder, parent, "go.mod is above this package")
		folder = parent
	}
}

func TestNoFunctionLinksWhatIsForDevelopment(t *testing.T) {
	// Proves that the list would show the packages if they were linked.
	require.Contains(t, goList(t, "-deps", this), this)

	for _, tags := range deployments {
		linked := goList(t, "-tags", tags, "-deps", "./functions/...")
		require.Contains(t, linked, module+"/internal/api", "go list found the functions")
		for _, barred := range slices.Concat(neverDeployed, local) {
			require.NotContains(t, linked, barred, "a function links %s", barred)
		}
	}
}

func TestOnlyTheLocalProductImportsTheDevelopmentIssuer(t *testing.T) {
	packages := goList(t, "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	require.Contains(t, strings.Join(packages, "\n"), this, "go list found the packages of the module")
	for _, line := range packages {
		importer, imports, _ := strings.Cut(line, " ")
		for _, imported := range strings.Fields(imports) {
			require.True(t, testTokens != imported || importer == testKit, "%s imports the test issuer outside its tests", importer)
			if imported == this {
				require.Contains(t, local, importer, "%s imports the development issuer; only the local product may", importer)
			}
		}
	}
}
