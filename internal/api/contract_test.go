package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/platform/template"
)

func TestTheRoutesOfCodeTemplateAndDocumentAreTheSame(t *testing.T) {
	documented := slices.Sorted(maps.Keys(apitest.LoadContract(t).Operations()))
	declared, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	var coded, deployed []string
	functions := map[string][]string{}
	for _, row := range apitest.AllRows(t) {
		functions[row.Function] = append(functions[row.Function], row.Pattern)
	}
	for name, patterns := range functions {
		coded = append(coded, patterns...)
		f, ok := declared.Function(name)
		require.True(t, ok, name)
		var own []string
		for _, route := range f.Routes {
			switch {
			case route.Path == "$default": // it is there for the 404s and 405s
			case route.Path == "/v1/{scores}":
				own = append(own, "POST /v1/scores") // what another function takes over while it is there
			default:
				own = append(own, route.Pattern())
			}
		}
		require.ElementsMatch(t, patterns, own, "routes of the function %s", name)
		deployed = append(deployed, own...)
	}
	slices.Sort(coded)
	slices.Sort(deployed)
	require.Equal(t, coded, deployed)
	require.Equal(t, documented, slices.Compact(coded))
}

func TestTheDocumentKnowsEveryKindOfProblem(t *testing.T) {
	var kinds []string
	for kind := range problem.Kinds() {
		kinds = append(kinds, problem.Base+kind)
	}
	var documented []string
	for _, value := range apitest.LoadContract(t).Doc.Components.Schemas["ProblemType"].Value.Enum {
		documented = append(documented, value.(string))
	}
	require.ElementsMatch(t, append(kinds, "about:blank"), documented)
	codes := []any{"internal-server-error"} // of about:blank
	for kind := range problem.Kinds() {
		codes = append(codes, kind)
	}
	require.ElementsMatch(t, codes, apitest.LoadContract(t).Doc.Components.Schemas["ProblemCode"].Value.Enum)
}

// statuses of package http, by the name of their constant.
var statuses = map[string]int{
	"StatusOK": 200, "StatusCreated": 201, "StatusAccepted": 202, "StatusNoContent": 204, "StatusNotModified": 304, "StatusTemporaryRedirect": 307,
	"StatusBadRequest": 400, "StatusUnauthorized": 401, "StatusForbidden": 403, "StatusNotFound": 404, "StatusConflict": 409, "StatusTooManyRequests": 429, "StatusInternalServerError": 500, "StatusNotImplemented": 501, "StatusServiceUnavailable": 503,
}

func TestTheStatusesOfCodeAndDocumentAreTheSame(t *testing.T) {
	coded := map[int]bool{}
	for _, kind := range problem.Kinds() {
		coded[kind.Status] = true
	}
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Status") {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "http" {
					status, known := statuses[sel.Sel.Name]
					require.True(t, known, "%s is new here: document it", sel.Sel.Name)
					coded[status] = true
				}
			}
			return true
		})
	}
	c := apitest.LoadContract(t)
	documented := map[int]bool{}
	operations := slices.Collect(maps.Values(c.Operations()))
	for _, operation := range append(operations, c.Missing) {
		for status := range operation.Responses.Map() {
			n, err := strconv.Atoi(status)
			require.NoError(t, err)
			documented[n] = true
		}
	}
	require.Equal(t, coded, documented)
}

// sources are the files of this package, and those elsewhere that have what gate lets in:
// endpoints are in several packages. Tests are none of them.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	require.NoError(t, filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		if file.Name.Name == "api" || slices.ContainsFunc(file.Imports, importsGate) {
			files[name] = file
		}
		return nil
	}))
	return files
}

func importsGate(i *ast.ImportSpec) bool {
	return strings.HasSuffix(i.Path.Value, `/internal/api/gate"`)
}

func TestTheDocumentIsServedAsItIs(t *testing.T) {
	s := apitest.NewStack(t)
	a := s.Want(http.StatusOK, apitest.Get("/openapi.yaml"))
	require.Equal(t, "application/yaml", a.Header.Get("Content-Type"))
	require.Equal(t, string(openapi.Document), string(a.Body))
	require.Empty(t, s.Want(http.StatusOK, apitest.Call{Method: http.MethodHead, Target: "/openapi.yaml"}).Body)
}

// schemaTells reports whether a schema can express a fault. It cannot express the list of
// countries, a mode's decimals, what a caller may send, or how often a parameter occurs.
func schemaTells(fault struct{ Pointer, Detail string }) bool {
	if strings.HasPrefix(fault.Detail, "unknown field") {
		return fault.Pointer != "/played_at"
	}
	return tellable.MatchString(fault.Pointer) && !untold.MatchString(fault.Detail)
}

var (
	tellable = regexp.MustCompile(`^(/mode|/date|/groups.*|/players.*|/scores|\?(limit|offset|range|near|date|period))$`)
	untold   = regexp.MustCompile(`duplicate|no value|unknown parameter|alltime only`)
)

// What the code calls invalid, the document must refuse too.
func TestTheDocumentRefusesWhatTheCodeRefuses(t *testing.T) {
	s := apitest.NewStack(t)
	var held int
	for _, topic := range []func(*apitest.Stack) []bad{badFields, badIDs, badModes, badDates, badScopes, badQueries} {
		for _, b := range topic(s) {
			if b.status != http.StatusBadRequest || b.Method == http.MethodHead {
				continue
			}
			p := s.Send(b.Call).Problem(t, b.kind)
			if slices.ContainsFunc(p.Errors, schemaTells) {
				held++
				r := s.Request(b.Call)
				require.Error(t, openapi3filter.ValidateRequest(t.Context(), s.Contract.RequestOf(r, false)), "%s %s %.300q\n%s", b.Method, b.Target, b.Body, p.Detail)
			}
		}
	}
	require.Greater(t, held, 500)
}

// The contract is only worth something if it notices what is wrong.
func TestTheContractNoticesWhatIsWrong(t *testing.T) {
	s := apitest.NewStack(t)
	good := s.Want(http.StatusCreated, s.As("user_a", apitest.Post("/v1/scores", `{"mode":"daily","score":800}`)))
	spoil := func(from, to string) func(*apitest.Answer) {
		return func(a *apitest.Answer) {
			require.Contains(t, string(a.Body), from)
			a.Body = []byte(strings.Replace(string(a.Body), from, to, 1))
		}
	}
	for name, change := range map[string]func(*apitest.Answer){
		"a field too many":          spoil(`{`, `{"shoe_size":43,`),
		"a field missing":           spoil(`"rank":1,`, ``),
		"a field of the wrong type": spoil(`"rank":1`, `"rank":"1"`),
		"a value out of bounds":     spoil(`"rank":1`, `"rank":0`),
		"a word not in the list":    spoil(`"accepted"`, `"welcome"`),
		"a date that is none":       spoil(`"date":"2026-11-18"`, `"date":"2026-02-30"`),
		"no JSON":                   spoil(`}`, ``),
		"a status not documented":   func(a *apitest.Answer) { a.Status = http.StatusNoContent },
		"a header missing":          func(a *apitest.Answer) { a.Header.Del("Cache-Control") },
		"another media type":        func(a *apitest.Answer) { a.Header.Set("Content-Type", "text/plain") },
		"a request it should refuse": func(a *apitest.Answer) {
			a.Call.Body = `{"mode":"daily","score":800,"hat":true}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := good
			a.Header = good.Header.Clone()
			require.NoError(t, s.Contract.Check(s.Request(a.Call), a))
			change(&a)
			require.Error(t, s.Contract.Check(s.Request(a.Call), a))
		})
	}
}

func TestTheDocumentIsValid(t *testing.T) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(openapi.Document)
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaPatternValidation()))
	require.True(t, doc.IsOpenAPI31OrLater())
	require.NoError(t, apitest.LoadContract(t).Doc.Validate(t.Context(), openapi3.EnableExamplesValidation()), "the examples of answers have no field too many")
}
