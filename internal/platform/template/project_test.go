package template_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/template"
)

const root = "../../.."

func project(t *testing.T) *template.Template {
	t.Helper()
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	return tmpl
}

func TestEmbeddedTemplateIsTheFile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	require.NoError(t, err)
	require.Equal(t, string(data), string(leaderboards.Template))
}

func TestEveryFunctionHasItsFolderAndEveryFolderItsFunction(t *testing.T) {
	var folders, named []string
	entries, err := os.ReadDir(filepath.Join(root, "functions"))
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() && e.Name() != "all" && e.Name() != "live" { // programs for containers, which SAM does not deploy
			folders = append(folders, e.Name())
		}
	}
	for _, f := range project(t).Functions {
		named = append(named, f.Name)
		require.FileExists(t, filepath.Join(root, "functions", f.Name, "main.go"))
	}
	require.ElementsMatch(t, folders, named)
}

func TestEveryFunctionIsBuiltByMakeForARM(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	require.Contains(t, string(makefile), "\nTAGS    := "+lambdatest.Tags+"\n", "tests run what is deployed")
	for _, f := range project(t).Functions {
		require.Equal(t, lambdatest.Threads, "GOMAXPROCS="+f.Env["GOMAXPROCS"], "what is measured runs as it is deployed")
		require.Equal(t, "makefile", f.BuildMethod, f.LogicalID)
		require.Equal(t, ".", f.CodeURI, f.LogicalID)
		require.Equal(t, "bootstrap", f.Handler, f.LogicalID)
		require.Equal(t, "provided.al2023", f.Runtime, f.LogicalID)
		require.Equal(t, []string{"arm64"}, f.Architectures, f.LogicalID)
		require.Regexp(t, `(?m)^build-`+f.LogicalID+`: build/`+f.Name+`$`, string(makefile))
	}
}

func TestEveryFunctionIsReachedAndNoRouteTwice(t *testing.T) {
	mux := http.NewServeMux()
	seen := map[template.Route]string{}
	for _, f := range project(t).Functions {
		require.NotZero(t, len(f.Routes)+len(f.Schedules)+len(f.Queues), "nothing starts %s", f.LogicalID)
		for _, r := range f.Routes {
			require.NotContains(t, seen, r, "%s and %s share a route", seen[r], f.LogicalID)
			seen[r] = f.LogicalID
			require.NotPanics(t, func() { mux.Handle(r.Pattern(), http.NotFoundHandler()) })
		}
	}
}

func TestRoutesWithAMethodReachWhatTheyName(t *testing.T) {
	for route, name := range map[string]string{
		"POST /v1/{scores}":                            "submit", // /v1/scores, where enqueue is not deployed
		"POST /v1/scores":                              "enqueue",
		"POST /v1/scores/batch":                        "submit",
		"GET /v1/leaderboards/{mode}":                  "leaderboard",
		"GET /v1/leaderboards/{mode}/players/{player}": "leaderboard",
		"GET /v1/leaderboards/{mode}/around/{player}":  "leaderboard",
		"POST /v1/leaderboards/{mode}/lookup":          "leaderboard",
		"GET /openapi.yaml":                            "leaderboard",
		"PUT /v1/ops/bans/{player}":                    "ops",
		"DELETE /v1/ops/bans/{player}":                 "ops",
		"DELETE /v1/ops/players/{player}":              "ops",
		"DELETE /v1/ops/scores":                        "ops",
		"GET /v1/ops/health":                           "ops",
		"GET /v1/ops/status":                           "ops",
		"GET /v1/ops/maintenance":                      "ops",
		"GET /v1/ops/dead-letters":                     "ops",
		"POST /v1/ops/dead-letters/redrive":            "ops",
		"PUT /v1/ops/maintenance":                      "ops",
		"DELETE /v1/ops/maintenance":                   "ops",
		"POST /v1/duels":                               "duel",
		"GET /v1/duels":                                "duel",
		"POST /v1/duels/queue":                         "duel",
		"DELETE /v1/duels/queue":                       "duel",
		"GET /v1/duels/{id}":                           "duel",
		"DELETE /v1/duels/{id}":                        "duel",
		"POST /v1/duels/{id}/accept":                   "duel",
		"POST /v1/duels/{id}/result":                   "duel",
		"POST /v1/duels/{id}/rematch":                  "duel",
		"POST /v1/events":                              "events",
		"DELETE /v1/me":                                "me",
		"ANY $default":                                 "leaderboard",
	} {
		f, ok := project(t).Function(name)
		require.True(t, ok)
		method, path, _ := strings.Cut(route, " ")
		require.Contains(t, f.Routes, template.Route{Method: method, Path: path})
	}
}

// A route for every method would also take preflights.
func TestOnlyStrayRequestsHaveARouteWithoutAMethod(t *testing.T) {
	for _, f := range project(t).Functions {
		for _, r := range f.Routes {
			require.Equal(t, r.Path == "$default", r.Method == "ANY", "%s: %v", f.LogicalID, r)
		}
	}
}

func TestEveryScheduleIsOneThatEventBridgeTakes(t *testing.T) {
	for _, f := range project(t).Functions {
		for _, s := range f.Schedules {
			_, err := template.ParseExpression(s.Expression)
			require.NoError(t, err, f.LogicalID)
		}
	}
}

func TestEveryParameterIsDescribedAndTakesItsDefault(t *testing.T) {
	for _, p := range project(t).Parameters {
		require.NotEmpty(t, p.Description, p.Name)
		if p.AllowedPattern == "" {
			continue
		}
		pattern, err := regexp.Compile(p.AllowedPattern)
		require.NoError(t, err, p.Name)
		if p.HasDefault {
			require.True(t, pattern.MatchString(p.Default), "%s refuses its own default %q", p.Name, p.Default)
		}
	}
}

func TestPatternsTakeRealValues(t *testing.T) {
	pem := "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg/+=\n-----END PUBLIC KEY-----"
	tests := []struct {
		parameter, value string
		taken            bool
	}{
		{"UpstashRedisRestUrl", "https://eu1-fit-bat-1.upstash.io", true},
		{"UpstashRedisRestUrl", "http://eu1-fit-bat-1.upstash.io", false},
		{"ClerkJwtKey", pem + "\n", true},
		{"ClerkJwtKey", strings.ReplaceAll(pem, "\n", `\n`), true},
		{"ClerkJwtKey", strings.ReplaceAll(pem, "PUBLIC", "PRIVATE"), false},
		{"ClerkIssuer", "https://clerk.example.com", true},
		{"ClerkIssuer", "https://clerk.example.com/", true},
		{"ClerkAuthorizedParties", "https://a.example,http://localhost:3000", true},
		{"ClerkAuthorizedParties", "https://a.example, https://b.example/,native", true},
		{"ClerkAuthorizedParties", "https://a.example/path", false},
		{"SigningKeys", strings.Repeat("k", 32) + "," + strings.Repeat("-", 40), true},
		{"SigningKeys", strings.Repeat("k", 32) + ",short", false},
		{"OpsToken", strings.Repeat("t", 32), true},
		{"OpsToken", strings.Repeat("t", 31), false},
		{"OpsToken", strings.Repeat("n", 32) + "," + strings.Repeat("t", 32), true},
		{"OpsToken", strings.Repeat("n", 32) + ",short", false},
		{"Operators", "ada:read:" + strings.Repeat("0a", 32) + ", ben.2:administer:" + strings.Repeat("0b", 32), true},
		{"Operators", "ada:admin:" + strings.Repeat("0a", 32), false},
		{"Operators", "ada:read:" + strings.Repeat("t", 64), false},
		{"Secret", strings.Repeat("n", 32) + "," + strings.Repeat("t", 40), true},
		{"Secret", "short", false},
		{"Maintenance", "moving to another region", true},
		{"DailySchedule", "rate(1 day)", true},
		{"DailySchedule", "0 0 * * *", false},
	}
	for _, tt := range tests {
		for _, p := range project(t).Parameters {
			if p.Name == tt.parameter {
				require.Equal(t, tt.taken, regexp.MustCompile(p.AllowedPattern).MatchString(tt.value), "%s: %q", p.Name, tt.value)
			}
		}
	}
}

// namesOfHosts are variables that the host sets itself, or that only matter without a
// template.
var namesOfHosts = []string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_RUNTIME_API", "BACKUPS", "METRICS_TOKEN", "PAGES", "REDIS_URL", "SCHEDULE_TOKEN", "URL"}

func TestEnvironmentIsWhatTheCodeReads(t *testing.T) {
	given := map[string]bool{}
	for _, f := range project(t).Functions {
		for name := range f.Env {
			given[name] = true
		}
	}
	read := environmentRead(t, "functions", "internal/product/app", "internal/product/jobs", "internal/platform/status")
	for _, name := range namesOfHosts {
		delete(read, name)
	}
	read["GOMAXPROCS"] = true // Go itself reads it
	require.Equal(t, read, given)
}

// environmentRead finds the names of variables: the values of constants called env…, and
// the arguments of Getenv and LookupEnv.
func environmentRead(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			name, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			names[name] = true
		}
	}
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, ident := range n.Names {
				if strings.HasPrefix(strings.ToLower(ident.Name), "env") && i < len(n.Values) {
					add(n.Values[i])
				}
			}
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Getenv" || sel.Sel.Name == "LookupEnv") {
				add(n.Args[0])
			}
		}
		return true
	}
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err == nil {
				ast.Inspect(file, visit)
			}
			return err
		}))
	}
	return names
}
