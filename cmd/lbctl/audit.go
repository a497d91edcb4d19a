package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"text/tabwriter"

	"github.com/framedle/leaderboards/internal/people"
)

const auditUsage = `Usage: lbctl audit -player PLAYER | -mode MODE [flags]

Prints what submissions did, in games whose file has an audit: the newest date first.
It is as old as the last run of cron-save; see docs/audit.md.

The operator's token comes from the environment: OPS_TOKEN. Where it is not set,
it is asked of a product that cmd/local runs on this machine.

Exit status: 0 done, 2 failed.

Flags:
`

func runAudit(ctx context.Context, args []string, c console) (int, error) {
	var f listFlags
	of := map[string]*string{}
	err := f.read("audit", auditUsage, args, c, true, func(flags *flag.FlagSet) {
		of["mode"] = flags.String("mode", "", "only what was sent for a `mode`")
		of["from"] = flags.String("from", "", "first `date` of the boards, up to 365 days before -to (default 30 days before it)")
		of["to"] = flags.String("to", "", "last `date` of the boards (default the newest that takes scores)")
	})
	if err != nil {
		return statusFailed, err
	}
	f.more = url.Values{}
	for name, value := range of {
		if *value != "" {
			f.more.Set(name, *value)
		}
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TAKEN\tMODE\tDATE\tPLAYER\tSENT\tBEFORE\tAFTER\tOUTCOME\tBY")
	err = f.pages(ctx, c, "/v1/ops/audit", func(body []byte) (int, *string, error) {
		var page people.AuditPage
		if err := json.Unmarshal(body, &page); err != nil {
			return 0, nil, err
		}
		for _, row := range page.Entries {
			by := "?"
			if row.SentBy != nil {
				by = *row.SentBy
			}
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.At.UTC().Format("2006-01-02 15:04:05.000"), row.Mode, row.Date, row.Player,
				shown(row.Score, row.Values), shown(row.Before, row.BeforeValues), shown(row.After, row.AfterValues), row.Outcome, by)
		}
		return len(page.Entries), page.Next, nil
	})
	if err != nil {
		return statusFailed, err
	}
	return statusGood, w.Flush()
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
