package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/webhooks"
)

const webhooksUsage = `Usage: lbctl webhooks list [flags]
       lbctl webhooks resend -endpoint NAME [-id ID] [flags]
       lbctl webhooks secret -endpoint NAME [flags]

list says how it goes with telling the endpoints of the game: what waits, what was
given up, and the last error. resend has an event told again by the next run of a
schedule, or, without -id, all that were given up. secret prints what the endpoint
verifies messages by, for each of $WEBHOOK_SECRETS.

list and resend work on the history in the Postgres at -database-url or
$DATABASE_URL.

Exit status: 0 good; 1 something was given up or fails; 2 failed.

Flags:
`

func runWebhooks(ctx context.Context, args []string, c console) (int, error) {
	var f placeFlags
	flags := flagsOf("webhooks", webhooksUsage, c)
	f.add(flags)
	endpoint := flags.String("endpoint", "", "`name` of an endpoint in the game file")
	id := flags.String("id", "", "`id` of an event, as in the header Webhook-Id")
	words, err := parse(flags, args, 1)
	if err != nil {
		return statusFailed, err
	}
	g, err := f.load(c)
	if err != nil {
		return statusFailed, err
	}
	what := cmp.Or(append(words, "")...)
	if what == "resend" || what == "secret" {
		if *endpoint == "" {
			return statusFailed, fmt.Errorf("which one? name it with -endpoint: lbctl webhooks %s -endpoint NAME", what)
		}
		if _, ok := g.Webhooks.Named(*endpoint); !ok {
			return statusFailed, fmt.Errorf("-endpoint %q is none of %s: use a name under webhooks in its file", *endpoint, g.Name)
		}
	}
	switch what {
	case "list":
		return f.listWebhooks(ctx, c)
	case "resend":
		return f.resendWebhooks(ctx, c, *endpoint, *id)
	case "secret":
		secrets, err := jobs.WebhookSecrets(c.getenv)
		if err == nil && len(secrets) == 0 {
			err = fmt.Errorf("%s must be set", jobs.EnvWebhookSecrets)
		}
		if err != nil {
			return statusFailed, err
		}
		for _, secret := range secrets {
			_, _ = fmt.Fprintln(c.stdout, webhooks.SecretOf(secret, *endpoint))
		}
		return statusGood, nil
	}
	return statusFailed, errors.New("use lbctl webhooks list, resend or secret")
}

func (f *placeFlags) listWebhooks(ctx context.Context, c console) (int, error) {
	history, err := f.history(c)
	if err == nil && history == nil {
		err = errNoDatabase
	}
	if err != nil {
		return statusFailed, err
	}
	defer history.Close(ctx)
	states, err := history.Webhooks.States(ctx)
	if err != nil {
		return statusFailed, err
	}
	status := statusGood
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ENDPOINT\tEVENT\tWAITING\tSINCE\tGIVEN UP\tFAILURES\tERROR")
	for _, s := range states {
		since := "-"
		if !s.Oldest.IsZero() {
			since = s.Oldest.UTC().Format(time.RFC3339)
		}
		if s.Dead+s.Failures > 0 {
			status = statusFaults
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%d\t%s\n", s.Endpoint, s.Kind, s.Waiting, since, s.Dead, s.Failures, s.Error)
	}
	return status, table.Flush()
}

func (f *placeFlags) resendWebhooks(ctx context.Context, c console, endpoint, id string) (int, error) {
	history, err := f.history(c)
	if err == nil && history == nil {
		err = errNoDatabase
	}
	if err != nil {
		return statusFailed, err
	}
	defer history.Close(ctx)
	now := time.Now()
	if f.now != "" {
		if now, err = parseNow(f.now); err != nil {
			return statusFailed, err
		}
	}
	n, err := history.Webhooks.Resend(ctx, endpoint, id, now)
	if err != nil {
		return statusFailed, err
	}
	if n == 0 && id != "" {
		return statusFailed, fmt.Errorf("there is no event %.60s of %s: ids are kept for 35 days", id, endpoint)
	}
	_, _ = fmt.Fprintf(c.stdout, "%d to be told again by the next run of a schedule\n", n)
	return statusGood, nil
}
