package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// define makes a command that takes at most the given number of arguments besides flags.
func define(use, short, long string, most int) (*cobra.Command, *pflag.FlagSet) {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: strings.TrimSpace(long),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > most {
				return fmt.Errorf("unexpected argument %q; see %s --help", args[most], cmd.CommandPath())
			}
			return nil
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().SortFlags = false
	return cmd, cmd.Flags()
}

// does says what a command does with its arguments.
func does(cmd *cobra.Command, run func(ctx context.Context, args []string) (int, error)) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		status, err := run(cmd.Context(), args)
		if status == statusGood && err == nil {
			return nil
		}
		return &ended{status, err}
	}
	return cmd
}

// family makes a command that only holds others.
func family(name, short, long string, members ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Long: strings.TrimSpace(long), SuggestionsMinimumDistance: 2, FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	var names []string
	for _, member := range members {
		names = append(names, member.Name())
	}
	cmd.AddCommand(members...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		text := fmt.Sprintf("use lbctl %s %s or %s", name, strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
		if len(args) > 0 {
			text = fmt.Sprintf("lbctl %s has no command %q%s; %s", name, args[0], didYouMean(cmd.SuggestionsFor(args[0]), ""), text)
		}
		return errors.New(text)
	}
	return cmd
}

func didYouMean(names []string, before string) string {
	if len(names) == 0 {
		return ""
	}
	return ", did you mean " + before + strings.Join(names, " or "+before) + "?"
}

// flagError adds to an error about a flag what may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	meant := ""
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		known := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra compares names of commands alone
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			known.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		})
		meant = didYouMean(known.SuggestionsFor(unknown.GetSpecifiedName()), "--")
	}
	return fmt.Errorf("%w%s; see %s --help", err, meant, cmd.CommandPath())
}

var singleDash = regexp.MustCompile(`^-([a-z][a-z-]+)(=.*)?$`)

// modern writes arguments as they are written since v0.5.0: flags with two dashes, and
// import-history for import -history. What is older is taken for one more release, and said.
func modern(root *cobra.Command, args []string, c console) []string {
	names, letters := map[string]bool{"help": true, "history": true, "json": true}, "h"
	var collect func(*cobra.Command)
	collect = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true; letters += f.Shorthand })
		for _, sub := range cmd.Commands() {
			collect(sub)
		}
	}
	collect(root)
	args = slices.Clone(args)
	old := func(was, is string) {
		c.notice(was + " is accepted until the next release; use " + is)
	}
	for i, arg := range args {
		if arg == "--" {
			break
		}
		m := singleDash.FindStringSubmatch(arg)
		if m == nil || !names[m[1]] && strings.Contains(letters, m[1][:1]) {
			continue
		}
		args[i] = "-" + arg
		if names[m[1]] && m[1] != "history" && m[1] != "json" {
			old("-"+m[1], "--"+m[1])
		}
	}
	if i := slices.Index(args, "--history"); i > 0 && args[0] == "import" {
		old("lbctl import --history", "lbctl import-history")
		args = append([]string{"import-history"}, slices.Delete(args, i, i+1)[1:]...)
	}
	if i := slices.Index(args, "--json"); i > 0 && args[0] == "status" {
		old("lbctl status --json", "lbctl status -o json")
		args[i] = "--output=json"
	}
	return args
}

// form is how a command prints: for people, or for programs.
type form string

func (f *form) String() string { return string(*f) }

// Type is what the help calls a value.
func (f *form) Type() string { return "form" }

// Set takes table or json.
func (f *form) Set(text string) error {
	if text != "table" && text != "json" {
		return errors.New("use table or json")
	}
	*f = form(text)
	return nil
}

// addForm adds --output to a command that prints a table.
func addForm(cmd *cobra.Command) *form {
	f := form("table")
	cmd.Flags().VarP(&f, "output", "o", "table, or json for programs")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"table", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return &f
}

func (f *form) json() bool { return *f == "json" }
