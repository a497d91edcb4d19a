// Command settings says what is wrong with settings of .env.deploy before
// anything is deployed, in the words of the template. It is a part of
// scripts/deploy.sh.
//
// Settings come in as NAME=value, each ended by a zero byte: some are secrets, and
// arguments are shown to every process of the machine. For each that would be
// refused a line goes out, without the value, and the exit status is 1. What is
// empty is not looked at: the template's default stands for it.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/template"
)

func main() {
	good, err := check(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

func check(in io.Reader, out io.Writer) (good bool, err error) {
	t, err := template.Parse(leaderboards.Template)
	if err != nil {
		return false, err
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return false, err
	}
	good = true
	for setting := range strings.SplitSeq(string(data), "\x00") {
		name, value, _ := strings.Cut(setting, "=")
		if fault := checkOne(t, name, value); value != "" && fault != nil {
			good = false
			if _, err := fmt.Fprintf(out, "%s: %v\n", name, fault); err != nil {
				return false, err
			}
		}
	}
	return good, nil
}

// region is how AWS names its regions: eu-west-1, us-gov-east-1.
var region = regexp.MustCompile(`^[a-z]{2,4}(-[a-z]+)+-[1-9][0-9]?$`)

func checkOne(t *template.Template, name, value string) error {
	if name == "AWS_REGION" && !region.MatchString(value) {
		return errors.New("want the code of a region, as in eu-west-1")
	}
	for _, p := range t.Parameters {
		if p.Setting() == name {
			return p.Check(value)
		}
	}
	return nil
}
