package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// referenceCommand prints docs/reference/lbctl.md, which a test holds against it.
func referenceCommand(root *cobra.Command, c console) *cobra.Command {
	cmd, _ := define("reference", "print docs/reference/lbctl.md", "", 0)
	cmd.Hidden = true
	return does(cmd, func(context.Context, []string) (int, error) {
		common := commonFlags(c)
		_, _ = fmt.Fprintf(c.stdout, referenceHead, common.FlagUsages(), strings.TrimPrefix(historyPlaces, "\n"), strings.TrimPrefix(operatorToken, "\n"))
		for _, group := range groups {
			_, _ = fmt.Fprintf(c.stdout, "\n## %s\n", strings.TrimSuffix(group.Title, ":"))
			for _, of := range root.Commands() {
				if of.GroupID == group.ID && of.IsAvailableCommand() && of.Name() != "completion" && of.Name() != "help" {
					describe(c.stdout, of, common)
				}
			}
		}
		return statusGood, nil
	})
}

const referenceHead = `# lbctl

The operator's tool. This page is what ` + "`lbctl help COMMAND`" + ` prints, without what many commands share; ` + "`go run ./cmd/lbctl reference > docs/reference/lbctl.md`" + ` writes it.

` + "```sh" + `
go build -o lbctl ./cmd/lbctl
lbctl help                  # all commands
lbctl help close            # one of them
source <(lbctl completion bash)
` + "```" + `

- **Exit status:** 0 success; 1 problems or differences, as each command says; 2 failure, or wrong usage.
- **Standard output** has the result; standard error has everything else: notices, problems, and the progress of long commands, as a bar only on a terminal. Nothing is coloured.
- **` + "`-o json`" + `** prints for programs what is otherwise a table. Commands whose result is a report always print JSON.
- Flags have two dashes and may be anywhere. One dash (` + "`-dry-run`" + `) is accepted until the next release, with a warning.

## Common flags and settings

` + "```text" + `
%s` + "```" + `

Commands with ` + "`--database-url`" + `:

` + "```text" + `
%s` + "```" + `

Commands with ` + "`--url`" + `:

` + "```text" + `
%s` + "```" + `
`

// commonFlags are those of many commands.
func commonFlags(c console) *pflag.FlagSet {
	cmd, flags := define("common", "", "", 0)
	var places placeFlags
	var url string
	places.add(flags)
	addURL(flags, &url, c)
	addForm(cmd)
	return flags
}

func describe(out io.Writer, cmd *cobra.Command, common *pflag.FlagSet) {
	_, _ = fmt.Fprintf(out, "\n### %s\n\n", cmd.CommandPath())
	title := cmd.Short
	_, _ = fmt.Fprintf(out, "%s.\n\n```text\n", strings.ToUpper(title[:1])+title[1:])
	if cmd.HasAvailableSubCommands() {
		for _, sub := range cmd.Commands() {
			_, _ = fmt.Fprintln(out, sub.UseLine())
		}
	} else {
		_, _ = fmt.Fprintln(out, cmd.UseLine())
	}
	long := strings.NewReplacer(historyPlaces, "", operatorToken, "").Replace(cmd.Long)
	if parent := cmd.Parent(); long != "" && parent.Long != cmd.Long {
		_, _ = fmt.Fprintf(out, "\n%s\n", strings.TrimSuffix(long, "\n"))
	}
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags = false
	var shared []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if same := common.Lookup(f.Name); same == nil || same.Usage != f.Usage {
			own.AddFlag(f)
		} else {
			shared = append(shared, "--"+f.Name)
		}
	})
	if flags := own.FlagUsages(); flags != "" {
		_, _ = fmt.Fprintf(out, "\n%s", flags)
	}
	if len(shared) > 0 {
		_, _ = fmt.Fprintf(out, "\nCommon flags: %s\n", strings.Join(shared, ", "))
	}
	_, _ = fmt.Fprintln(out, "```")
	for _, sub := range cmd.Commands() {
		describe(out, sub, common)
	}
}
