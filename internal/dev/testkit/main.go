package testkit

import (
	"flag"
	"testing"
)

// Main runs the tests of a package and returns the exit status. It sets the numbers of checks
// and steps of property tests, since each takes some round trips; "" keeps rapid's own number,
// and a flag on the command line wins.
func Main(m *testing.M, checks, steps string) int {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": checks, "rapid.steps": steps, "rapid.nofailfile": "true"} {
		if !given[name] && value != "" {
			_ = flag.Set(name, value)
		}
	}
	return m.Run()
}
