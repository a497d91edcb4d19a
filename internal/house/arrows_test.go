// Package house tests rules for the project as a whole: which package may import which,
// and what no file of the product may do. It contains tests only.
package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/framedle/leaderboards"

// floors are the packages of the product, from the bottom up. A package imports only
// packages on lower floors. So there is one order in which to read them, and pure
// packages stay pure. docs/architecture.md has the same picture.
var floors = [][]string{
	{"trace", "child", "wait"},
	{ // pure, or about one thing of the machine
		"game", "friends", "host", "template", "template/schedule", "price", "progress", "postgresd", "redisd",
		"archive/querymeter", "auth/internal/jwks", "deadletters", "localclient", "lru",
	},
	{ // one store or one file format each
		"archive", "auth/internal/profile", "budget", "game/gamefile", "game/ruleset", "activity/tally", "badge",
		"limit", "move", "play", "queue/inprocess", "queue/kafka", "queue/sqsqueue", "rdb", "runs", "usage/bill", "demo", "appsync", "boardfile", "objectstore", "sse",
	},
	{ // packages with scripts of their own in Redis; what every process knows or counts
		"duel", "race", "friends/lists", "idem", "auth/internal/session", "usage", "memory", "notices", "live", "presence", "play/keystrokes", "held", "longterm", "bands",
	},
	// The boards, in order of events: what happens, what follows from it, what undoes it.
	{"auth", "profiles", "rollup", "wallet", "play/proofs"},
	{"auth/devissuer", "auth/webhook", "play/once", "played", "xp"},
	{"activity", "board", "daily", "league", "roster", "webhooks"},
	{"queue", "repair", "world"},
	{"claim", "export", "removal", "restore"},
	{"people", "sides", "standings", "status"},
	{"problem"},
	{"answers", "fields"},
	{"gate"},
	{"submission", "viewing"},
	{"dealing", "devices", "earnings", "friendships", "matches", "ops"},
	{"api", "closing", "doctor", "importer", "playersync"},
	{"app", "graph", "history", "metrics", "otlp", "past"},
	{"jobs"},
	{"local"},
}

// testKits are the packages that only tests import.
var testKits = []string{"archive/archivetest", "auth/authtest", "host/lambdatest", "npmtest", "objectstore/s3test", "otlp/collectortest", "testkit"}

type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// packages returns all packages of this module, by path below it.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
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

func TestEachFloorImportsOnlyFloorsBelow(t *testing.T) {
	floor := map[string]int{}
	for n, names := range floors {
		for _, name := range names {
			floor["internal/"+name] = n
		}
	}
	kits := map[string]bool{}
	for _, name := range testKits {
		kits["internal/"+name] = true
	}
	all := packages(t)
	for path := range floor {
		require.Contains(t, all, path, "take it off its floor")
	}
	for path, p := range all {
		for _, other := range ours(p.Imports) {
			require.False(t, kits[other] && !kits[path] && !within(path, "lab") && !within(path, "cmd/invoke"), "%s imports %s, which is for tests", path, other)
		}
		own, known := floor[path]
		if !known {
			require.False(t, within(path, "internal") && !kits[path] && len(p.Imports) > 0, "give %s a floor", path)
			continue
		}
		for _, other := range ours(p.Imports) {
			if below, inside := floor[other]; inside {
				require.Less(t, below, own, "%s imports %s, which is not below it", path, other)
			}
			require.False(t, within(other, "functions") || within(other, "cmd"), "%s imports %s", path, other)
		}
	}
}
