package postgresd

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldest is the oldest supported major version: initdb of earlier ones lacks options that
// Start uses.
const oldest = 14

// binPatterns are where distributions keep the programs of each version,
// outside PATH: Debian and Ubuntu, the PostgreSQL project's RPMs, Homebrew on
// arm64 and on amd64.
var binPatterns = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// Find looks for the folder that contains initdb and postgres, version 14 or later. With
// $PG_BIN it looks only there. Otherwise it takes the newest of the distributions'
// versioned folders, then PATH.
func Find() (bin string, ok bool) {
	return find(func(int) bool { return true })
}

// find is Find among the major versions that suits accepts.
func find(suits func(major int) bool) (bin string, ok bool) {
	for _, bin := range candidates() {
		if major := version(bin); major >= oldest && suits(major) {
			return bin, true
		}
	}
	return "", false
}

func candidates() []string {
	if !supported {
		return nil
	}
	if bin := os.Getenv("PG_BIN"); bin != "" {
		return []string{bin}
	}
	var bins []string
	for _, pattern := range binPatterns {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		bins = append(bins, found...)
	}
	slices.SortStableFunc(bins, func(a, b string) int { return cmp.Compare(numberIn(b), numberIn(a)) })
	if path, err := exec.LookPath("postgres"); err == nil {
		// A link in PATH leads to the folder that has initdb too.
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		bins = append(bins, filepath.Dir(path))
	}
	return bins
}

var number = regexp.MustCompile(`[0-9]+`)

// numberIn is the version that a folder's path names.
func numberIn(bin string) int {
	n, _ := strconv.Atoi(number.FindString(filepath.Base(filepath.Dir(bin))))
	return n
}

// version asks the folder's postgres for its major version; 0 if the folder lacks a program
// that a server needs.
func version(bin string) int {
	if _, err := exec.LookPath(filepath.Join(bin, "initdb")); err != nil {
		return 0
	}
	out, err := exec.Command(filepath.Join(bin, "postgres"), "--version").Output() // postgres (PostgreSQL) 15.18 (Debian …)
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(out), ") ")
	n, _ := strconv.Atoi(number.FindString(rest))
	return n
}
