package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/audit"
)

const auditLong = `Shows recorded submissions, newest date first, of games whose file has audit. It is
as recent as the last run of cron-save; see docs/operate/audit.md.
` + operatorToken + `
Exit status: 0 done, 2 failed.
`

func auditCommand(c console) *cobra.Command {
	f := listFlags{more: url.Values{}}
	cmd, flags := define("audit --player PLAYER | --mode MODE [flags]", "show recorded submissions", auditLong, 0)
	f.add(flags, c, true)
	of := map[string]*string{
		"mode": flags.String("mode", "", "only submissions to a `mode`"),
		"from": flags.String("from", "", "first `date` of the boards, up to 365 days before --to (default 30 days before it)"),
		"to":   flags.String("to", "", "last `date` of the boards (default the newest open one)"),
	}
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		for name, value := range of {
			if *value != "" {
				f.more.Set(name, *value)
			}
		}
		rows, err := rowsOf(ctx, &f, c, "/v1/ops/audit", func(page audit.Page) ([]audit.Row, *string) { return page.Entries, page.Next })
		if err != nil {
			return statusFailed, err
		}
		if form.json() {
			return statusGood, writeJSON(c, audit.Page{Entries: rows})
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "TAKEN\tMODE\tDATE\tPLAYER\tSENT\tBEFORE\tAFTER\tOUTCOME\tBY")
		for _, row := range rows {
			by := "?"
			if row.SentBy != nil {
				by = *row.SentBy
			}
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.At.UTC().Format("2006-01-02 15:04:05.000"), row.Mode, row.Date, row.Player,
				shown(row.Score, row.Values), shown(row.Before, row.BeforeValues), shown(row.After, row.AfterValues), row.Outcome, by)
		}
		return statusGood, w.Flush()
	})
}

// shown returns a score for a table, or its values if it has several.
func shown(score, values json.RawMessage) string {
	switch {
	case len(values) > 0:
		return oneLine(string(values))
	case len(score) == 0 || string(score) == "null":
		return "-"
	}
	return string(score)
}
