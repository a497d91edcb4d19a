package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	span = regexp.MustCompile("`([^`\n]+)`")
	// place is a path below the root.
	place    = regexp.MustCompile(`^(?:\.github|api|cmd|docs|events|examples|functions|games|internal|lab|migrations|scripts|test|upstash)/[\w./-]*$`)
	testName = regexp.MustCompile(`^Test[A-Z]\w*$`)
	declared = regexp.MustCompile(`^([a-z]+)\.([A-Za-z]\w*(?:\.\w+)?)$`)
	fileName = regexp.MustCompile(`\.(?:go|json|md|yaml|yml)$`)
)

// names are what a package declares: functions, types, values, and methods and
// fields as Type.Name; by the package's name, since that is what pages say.
type names map[string]map[string]bool

func (n names) put(pkg, name string) {
	if n[pkg] == nil {
		n[pkg] = map[string]bool{}
	}
	n[pkg][name] = true
}

func (n names) read(file *ast.File) {
	pkg := file.Name.Name
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				n.put(pkg, d.Name.Name)
				continue
			}
			of := d.Recv.List[0].Type
			if pointer, ok := of.(*ast.StarExpr); ok {
				of = pointer.X
			}
			if of, ok := of.(*ast.Ident); ok {
				n.put(pkg, of.Name+"."+d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					n.put(pkg, s.Name.Name)
					if fields, ok := s.Type.(*ast.StructType); ok {
						for _, field := range fields.Fields.List {
							for _, name := range field.Names {
								n.put(pkg, s.Name.Name+"."+name.Name)
							}
						}
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						n.put(pkg, name.Name)
					}
				}
			}
		}
	}
}

// Pages for those who carry on are only worth something while what they name is
// there. Who moves or renames it finds here what to change.
func TestWhatThePagesForNewcomersNameExists(t *testing.T) {
	all := names{}
	for _, folder := range []string{"internal", "client", "upstash", "lab", "cmd", "functions", "docs"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			all.read(file)
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && strings.HasSuffix(path, "_test.go") {
					all.put("tests", f.Name.Name)
				}
			}
			return nil
		}))
	}
	checked := 0
	for _, page := range []string{"CONTRIBUTING.md", "docs/internals/architecture.md", "docs/internals/glossary.md", "docs/internals/life-of-a-day.md", "docs/internals/adding-things.md"} {
		for _, found := range span.FindAllStringSubmatch(read(t, page), -1) {
			text := found[1]
			name := declared.FindStringSubmatch(text)
			switch {
			case place.MatchString(text):
				_, err := os.Stat(filepath.Join(root, text))
				require.NoError(t, err, "%s names %s", page, text)
			case testName.MatchString(text):
				require.True(t, all["tests"][text], "%s names the test %s", page, text)
			case name != nil && all[name[1]] != nil && !fileName.MatchString(text):
				require.True(t, all[name[1]][name[2]], "%s names %s", page, text)
			default:
				continue
			}
			checked++
		}
	}
	require.Greater(t, checked, 150)
}
