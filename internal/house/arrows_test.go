// Package house tests rules for the project as a whole: which package may import which,
// and what no file of the product may do. It contains tests only.
package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/framedle/leaderboards"

// kernel are the packages under internal/ that know what a leaderboard is. They import each other
// and nothing of the other districts but tools.
var kernel = []string{"game", "gamefile", "redis", "control", "archive", "bands", "derive", "leaderboard", "player", "lru", "fault"}

// districts says for each folder under internal/ what its packages may import beside packages of
// their own district. docs/internals/architecture.md has the same table.
var districts = map[string][]string{
	"kernel":    nil,
	"lifecycle": {"kernel"},
	"api":       {"kernel", "lifecycle", "platform"},
	"platform":  {"kernel", "lifecycle", "api"},
	"feature":   {"kernel", "lifecycle", "api", "platform"}, // and not another feature
	"product":   {"kernel", "lifecycle", "api", "platform", "feature"},
	"dev":       {"kernel", "lifecycle", "api", "platform", "feature", "product"},
}

// tools are packages that know nothing of leaderboards. Every district may use them.
var tools = []string{"platform/wait", "platform/trace", "platform/budget"}

// edges are the imports that the table does not allow and that are not turned round yet. The list
// only becomes shorter.
var edges = []string{}

// between are the imports of one feature by another, which stay: the first cannot be without the
// second.
var between = []string{
	"feature/backfill -> feature/importer",         // files of history have the form of an import's
	"feature/badge/badgestore -> feature/activity", // badges for acts with peers
	"feature/duel -> feature/live",                 // streams of duels
	"feature/graph -> feature/duel",                // a query reads duels as their routes show them
	"feature/graph -> feature/friend",              // and friends
	"feature/queue -> feature/activity",            // a message has a score or events
	"feature/race -> feature/duel",                 // both move the same ratings
	"feature/race -> feature/live",                 // streams of races
	"feature/race -> feature/play",                 // racers play the same challenge
}

// testKits are the packages that only tests import.
var testKits = []string{"archive/archivetest", "platform/auth/authtest", "platform/host/lambdatest", "dev/npmtest", "feature/coldstorage/s3test", "platform/otlp/collectortest", "dev/testkit", "dev/apitest"}

type listed struct {
	ImportPath, Name, Doc              string
	Imports, TestImports, XTestImports []string
}

// packages returns all packages of this module, by path below it.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Name,Doc,Imports,TestImports,XTestImports", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	require.NoError(t, err)
	all := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		all[strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")] = p
	}
	require.Greater(t, len(all), 50)
	return all
}

// ours returns the imports that are packages of this module, by path below it.
func ours(imports []string) (own []string) {
	for _, path := range imports {
		if rest, ok := strings.CutPrefix(path, module); ok {
			own = append(own, strings.TrimPrefix(rest, "/"))
		}
	}
	return own
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// A package that is renamed or joined with another says so in its comment too.
func TestPackageCommentsNameTheirPackage(t *testing.T) {
	for path, p := range packages(t) {
		if p.Name != "main" && p.Doc != "" {
			require.True(t, strings.HasPrefix(p.Doc, "Package "+p.Name+" "), "%s: %s", path, p.Doc)
		}
	}
}

// Nothing that is deployed or that users run links the laboratory.
func TestNothingOutsideTheLabImportsIt(t *testing.T) {
	for path, p := range packages(t) {
		if within(path, "lab") {
			continue
		}
		for _, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			for _, other := range ours(imports) {
				require.False(t, within(other, "lab"), "%s imports %s", path, other)
			}
		}
	}
}

// Any Go program can use the Upstash client and the local server without the rest.
func TestTheUpstashClientImportsNothingOfTheProduct(t *testing.T) {
	for path, p := range packages(t) {
		if !within(path, "upstash") {
			continue
		}
		for _, other := range ours(p.Imports) {
			require.True(t, within(other, "upstash"), "%s imports %s", path, other)
		}
	}
}

// A game server that imports the client gets the standard library with it and
// nothing else.
func TestTheClientOfGameServersImportsTheStandardLibraryAlone(t *testing.T) {
	for _, path := range packages(t)["client"].Imports {
		first, _, _ := strings.Cut(path, "/")
		require.NotContains(t, first, ".", path)
	}
}

// district returns the district of a package, by path below internal/.
func district(path string) string {
	first, _, _ := strings.Cut(path, "/")
	if slices.Contains(kernel, first) {
		return "kernel"
	}
	return first
}

// feature returns the folder of a feature's package.
func feature(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "feature/"), "/")
	return name
}

func allowed(from, to string) bool {
	own, other := district(from), district(to)
	switch {
	case slices.Contains(tools, to):
		return true
	case own == "feature" && other == "feature":
		return feature(from) == feature(to)
	}
	return own == other || slices.Contains(districts[own], other)
}

func TestPackagesImportWhatTheirDistrictMay(t *testing.T) {
	var wrong []string
	for path, p := range packages(t) {
		from, inside := strings.CutPrefix(path, "internal/")
		if inside && from != "house" && !slices.Contains(testKits, from) {
			require.Contains(t, districts, district(from), "%s is in no district", path)
		}
		for _, imported := range ours(p.Imports) {
			to, internal := strings.CutPrefix(imported, "internal/")
			kit := internal && slices.Contains(testKits, to)
			require.False(t, kit && !slices.Contains(testKits, from) && !within(path, "lab") && !within(path, "cmd/invoke"), "%s imports %s, which is for tests", path, imported)
			require.False(t, inside && (within(imported, "functions") || within(imported, "cmd")), "%s imports %s", path, imported)
			if inside && internal && !kit && !slices.Contains(testKits, from) && !allowed(from, to) {
				wrong = append(wrong, from+" -> "+to)
			}
		}
	}
	require.ElementsMatch(t, slices.Concat(edges, between), wrong)
}
