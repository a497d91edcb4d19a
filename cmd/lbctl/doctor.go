package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/platform/doctor"
)

const doctorLong = `Runs diagnostics against a deployment, local or not, and prints a line for each
check with its result and, for problems, how to fix them. URL is the address of the
API without /v1; by default $LEADERBOARDS_URL.

Credentials come from the environment; checks without their credential are skipped:
OPS_TOKEN (stores, schedules, addresses), SIGNING_KEYS (the first one signs),
SESSION_TOKEN (a player's session token). Routes that change something are requested
without a credential and with half a body, so nothing changes. It sends some 40
requests, which cost hardly any Redis commands.

With --write it submits a test score in the given mode, for a player who is not on
the board, and removes it.

Exit status: 0 no problems, 1 problems, 2 not run.
`

func doctorCommand(c console) *cobra.Command {
	cmd, flags := define("doctor [flags] [URL]", "run diagnostics against a deployment", doctorLong, 1)
	o := doctor.Options{OpsToken: first(c.getenv("OPS_TOKEN")), SigningKey: first(c.getenv("SIGNING_KEYS")), Session: strings.TrimSpace(c.getenv("SESSION_TOKEN"))}
	flags.StringVar(&o.Origin, "origin", "", "`origin` of the page that calls the API, as https://example.com")
	write := flags.Bool("write", false, "submit and remove a test score; needs --mode")
	flags.StringVar(&o.Mode, "mode", "", "`mode` of the test score")
	flags.StringVar(&o.Player, "player", "doctor_plays", "`player` of the test score, who is on no board")
	flags.StringVar(&o.Score, "score", "1", "`score` of the test")
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if *write != (o.Mode != "") {
			return statusFailed, errors.New("--write and --mode require each other")
		}
		o.URL = cmp.Or(strings.Join(plain, ""), c.getenv("LEADERBOARDS_URL"))
		if o.URL == "" {
			return statusFailed, errors.New("missing URL: use the address of the API, as in lbctl doctor https://api.example.com")
		}
		report := doctor.Examine(ctx, o)
		if err := ctx.Err(); err != nil {
			return statusFailed, err
		}
		if form.json() {
			if err := writeJSON(c, report); err != nil {
				return statusFailed, err
			}
		} else {
			_, _ = fmt.Fprint(c.stdout, report)
		}
		if report.Sick() {
			return statusFaults, nil
		}
		return statusGood, nil
	})
}
