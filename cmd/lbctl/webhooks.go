package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const webhooksListLong = `Lists for each endpoint of the game its pending and failed events and the last error,
from the Postgres at --database-url or $DATABASE_URL.

Exit status: 0 OK; 1 deliveries have failed; 2 failed.`

const webhooksResendLong = `Queues an event, or without --id all failed ones, for delivery by the next scheduled
run. It uses the Postgres at --database-url or $DATABASE_URL.

Exit status: 0 done, 2 failed.`

const webhooksSecretLong = `Prints the secret with which the endpoint verifies messages, for each of
$WEBHOOK_SECRETS.

Exit status: 0 done, 2 failed.`

func webhooksCommand(c console) *cobra.Command {
	var of, again, whose placeFlags
	list, flags := define("list [flags]", "list pending and failed events", webhooksListLong, 0)
	of.add(flags)
	form := addForm(list)
	does(list, func(ctx context.Context, _ []string) (int, error) { return of.listWebhooks(ctx, c, form.json()) })

	resend, flags := define("resend --endpoint NAME [--id ID] [flags]", "send events again", webhooksResendLong, 0)
	again.add(flags)
	to := flags.String("endpoint", "", "`name` of an endpoint in the game file")
	id := flags.String("id", "", "`id` of an event, as in the header Webhook-Id")
	does(resend, func(ctx context.Context, _ []string) (int, error) {
		if err := again.knows(*to, "resend", c); err != nil {
			return statusFailed, err
		}
		return again.resendWebhooks(ctx, c, *to, *id)
	})

	secret, flags := define("secret --endpoint NAME [flags]", "print the secret with which an endpoint verifies messages", webhooksSecretLong, 0)
	whose.addGame(flags)
	by := flags.String("endpoint", "", "`name` of an endpoint in the game file")
	does(secret, func(context.Context, []string) (int, error) {
		if err := whose.knows(*by, "secret", c); err != nil {
			return statusFailed, err
		}
		secrets, err := jobs.WebhookSecrets(c.getenv)
		if err == nil && len(secrets) == 0 {
			err = fmt.Errorf("%s must be set", jobs.EnvWebhookSecrets)
		}
		if err != nil {
			return statusFailed, err
		}
		for _, secret := range secrets {
			_, _ = fmt.Fprintln(c.stdout, webhookstore.SecretOf(secret, *by))
		}
		return statusGood, nil
	})
	return family("webhooks", "list or resend outgoing webhooks", "", list, resend, secret)
}

// knows returns an error unless the game has the endpoint.
func (f *placeFlags) knows(endpoint, what string, c console) error {
	if endpoint == "" {
		return fmt.Errorf("missing --endpoint: use lbctl webhooks %s --endpoint NAME", what)
	}
	g, err := f.load(c)
	if err != nil {
		return err
	}
	if _, ok := webhook.EndpointsOf(g).Named(endpoint); !ok {
		return fmt.Errorf("--endpoint %q is none of %s: use a name under webhooks in its file", endpoint, g.Name)
	}
	return nil
}

func (f *placeFlags) listWebhooks(ctx context.Context, c console, asJSON bool) (int, error) {
	if _, err := f.load(c); err != nil {
		return statusFailed, err
	}
	history, err := f.history(c)
	if err == nil && history == nil {
		err = errNoDatabase
	}
	if err != nil {
		return statusFailed, err
	}
	defer history.Close(ctx)
	states, err := webhookstore.In(history).States(ctx)
	if err != nil {
		return statusFailed, err
	}
	status := statusGood
	rows := make([]endpointState, len(states))
	for i, s := range states {
		if s.Dead+s.Failures > 0 {
			status = statusFaults
		}
		rows[i] = endpointState{s.Endpoint, fmt.Sprint(s.Kind), int64(s.Waiting), nil, int64(s.Dead), int64(s.Failures), s.Error}
		if !s.Oldest.IsZero() {
			oldest := s.Oldest.UTC()
			rows[i].Since = &oldest
		}
	}
	if asJSON {
		return status, writeJSON(c, rows)
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ENDPOINT\tEVENT\tPENDING\tSINCE\tFAILED\tFAILURES\tERROR")
	for _, r := range rows {
		since := "-"
		if r.Since != nil {
			since = r.Since.Format(time.RFC3339)
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%d\t%s\n", r.Endpoint, r.Event, r.Waiting, since, r.GivenUp, r.Failures, r.Error)
	}
	return status, table.Flush()
}

// endpointState is the delivery of one kind of events to an endpoint.
type endpointState struct {
	Endpoint string     `json:"endpoint"`
	Event    string     `json:"event"`
	Waiting  int64      `json:"waiting"`
	Since    *time.Time `json:"since"` // null: nothing waits
	GivenUp  int64      `json:"given_up"`
	Failures int64      `json:"failures"`
	Error    string     `json:"error"`
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
	n, err := webhookstore.In(history).Resend(ctx, endpoint, id, now)
	if err != nil {
		return statusFailed, err
	}
	if n == 0 && id != "" {
		return statusFailed, fmt.Errorf("there is no event %.60s of %s: ids are kept for 35 days", id, endpoint)
	}
	_, _ = fmt.Fprintf(c.stdout, "events queued for the next scheduled run: %d\n", n)
	return statusGood, nil
}
