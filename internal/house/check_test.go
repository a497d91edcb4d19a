package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// source is a package as go list describes it; with tests, "x [y.test]" is x as the tests of y
// have it.
type source struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	ImportMap               map[string]string
	Module                  *struct{ Main bool }
	Error                   *struct{ Err string }
}

func (s source) own() bool { return s.Module != nil && s.Module.Main }

// compiles type-checks all packages in dir, tests included, and returns how many they are and all
// that is wrong. Other modules come from the cache of the compiler, which takes a tenth of the
// time of reading them too.
func compiles(t *testing.T, dir string) (checked int, faults []string) {
	t.Helper()
	c := checker{files: token.NewFileSet(), parsed: map[string]*ast.File{}, exports: map[string]string{}, made: map[string]*types.Package{}}
	all := sources(t, dir, "-test", "./...")
	others := []string{"-export"}
	for _, p := range all {
		if !p.own() && !strings.HasPrefix(p.ImportPath, module+"/") {
			others = append(others, p.ImportPath)
		}
	}
	for _, p := range sources(t, "../..", others...) {
		c.exports[p.ImportPath] = p.Export
	}
	c.rest = importer.ForCompiler(c.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(c.exports[path]) })
	for _, p := range all { // what a package imports comes before it
		if p.own() && !strings.HasSuffix(p.ImportPath, ".test") {
			checked++
			c.check(p)
		}
	}
	for i, fault := range c.faults {
		c.faults[i] = strings.ReplaceAll(fault, dir+"/", "")
	}
	slices.Sort(c.faults) // a file may be in several packages
	return checked, slices.Compact(c.faults)
}

// sources lists packages with what they import.
func sources(t *testing.T, dir string, arguments ...string) (all []source) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-e", "-deps", "-json=ImportPath,Dir,Export,GoFiles,ImportMap,Module,Error"}, arguments...)...)
	list.Dir = dir
	out, err := list.Output()
	require.NoError(t, err)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p source
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, p)
	}
}

type checker struct {
	files   *token.FileSet
	parsed  map[string]*ast.File
	exports map[string]string // the files of other modules' packages
	made    map[string]*types.Package
	rest    types.Importer
	faults  []string
}

func (c *checker) check(p source) {
	if p.Error != nil {
		c.faults = append(c.faults, p.ImportPath+": "+p.Error.Err)
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Dir, name)
		}
		if c.parsed[path] == nil {
			file, err := parser.ParseFile(c.files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				c.faults = append(c.faults, err.Error())
			}
			c.parsed[path] = file
		}
		files = append(files, c.parsed[path])
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	config := types.Config{Importer: importing{c, p.ImportMap}, Error: func(err error) { c.faults = append(c.faults, err.Error()) }}
	c.made[p.ImportPath], _ = config.Check(path, c.files, files, nil)
}

// importing is what a package imports.
type importing struct {
	*checker
	renamed map[string]string
}

func (i importing) Import(path string) (*types.Package, error) {
	if other := i.renamed[path]; other != "" {
		path = other
	}
	switch {
	case path == "unsafe":
		return types.Unsafe, nil
	case i.made[path] != nil:
		return i.made[path], nil
	case i.exports[path] == "":
		return nil, errors.New("there is no package " + path)
	}
	return i.rest.Import(path)
}
