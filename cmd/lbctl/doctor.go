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

const doctorLong = `Asks a deployment, local or not, everything once, and prints a line for each check:
what was found and, where something is wrong, what to do. URL is the address of the
API, without /v1; $LEADERBOARDS_URL where it is left out.

Credentials come from the environment; what is not set is not checked:
OPS_TOKEN (stores, schedules, addresses), SIGNING_KEYS (the first one signs),
SESSION_TOKEN (a player's session token). Routes that change something are asked
without a credential and with half a body, so that none of them can. Some 40
requests are sent; Redis is asked for next to nothing.

With --write a player who is not on the board plays in the mode that is named, and
the score is taken away again.

Exit status: 0 nothing is wrong, 1 something is, 2 not examined.
`

func doctorCommand(c console) *cobra.Command {
	cmd, flags := define("doctor [flags] [URL]", "ask a deployment everything once, and say what is wrong", doctorLong, 1)
	o := doctor.Options{OpsToken: first(c.getenv("OPS_TOKEN")), SigningKey: first(c.getenv("SIGNING_KEYS")), Session: strings.TrimSpace(c.getenv("SESSION_TOKEN"))}
	flags.StringVar(&o.Origin, "origin", "", "`origin` of the page that calls the API, as https://example.com")
	write := flags.Bool("write", false, "play a score and take it away again; needs --mode")
	flags.StringVar(&o.Mode, "mode", "", "`mode` to play in with --write")
	flags.StringVar(&o.Player, "player", "doctor_plays", "`player` who plays with --write, and is on no board")
	flags.StringVar(&o.Score, "score", "1", "`score` to play with --write")
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, plain []string) (int, error) {
		if *write != (o.Mode != "") {
			return statusFailed, errors.New("--write and --mode belong together: give both to play a score, none to read only")
		}
		o.URL = cmp.Or(strings.Join(plain, ""), c.getenv("LEADERBOARDS_URL"))
		if o.URL == "" {
			return statusFailed, errors.New("which deployment? give the address of the API, as lbctl doctor https://api.example.com")
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
