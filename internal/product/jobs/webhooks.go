package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// EnvWebhookSecrets are the secrets that sign webhooks, comma-separated, secret; without them
// none is delivered.
const EnvWebhookSecrets = "WEBHOOK_SECRETS"

// webhooksReserve is the part of a run's time that webhooks leave to the rest of the run.
const webhooksReserve = 15 * time.Second

// Secrets makes the schedules deliver webhooks, signed with each of the secrets.
func (j *Jobs) Secrets(secrets []string) { j.webhooks = secrets }

func (j *Jobs) webhooksFromEnv(getenv func(string) string) (err error) {
	j.webhooks, err = WebhookSecrets(getenv)
	return err
}

// WebhookSecrets reads the secrets from the environment.
func WebhookSecrets(getenv func(string) string) ([]string, error) {
	var list []string
	for secret := range strings.SplitSeq(getenv(EnvWebhookSecrets), ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			list = append(list, secret)
		}
	}
	secrets, err := webhookstore.Secrets(list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvWebhookSecrets, err)
	}
	return secrets, nil
}

// deliverWebhooks delivers events, also those that an earlier run could not deliver.
func (j *Jobs) deliverWebhooks(ctx context.Context) error {
	kept := j.closing.Archive
	if kept == nil {
		return nil
	}
	sender := webhookstore.Sender{Game: j.closing.Game, Books: webhookstore.In(kept), Now: j.closing.Now, Log: j.log, GaveUp: usage.ReportProblem, Secrets: j.webhooks}
	sender.Badge = badge.RulesOf(j.closing.Game).Title
	done, err := sender.Run(ctx, webhooksReserve)
	if done != (webhookstore.DeliveryReport{}) {
		j.log.LogAttrs(ctx, slog.LevelInfo, "webhooks were delivered", slog.Any("done", done))
	}
	return err
}

// announceWebhooks makes the archive write events for the endpoints from now on.
func (j *Jobs) announceWebhooks() {
	if kept := j.closing.Archive; kept != nil && len(webhook.EndpointsOf(j.closing.Game)) > 0 {
		kept.Announce(webhook.EndpointsOf(j.closing.Game).Listening)
	}
}

// webhookStates are the states of all endpoints.
func webhookStates(ctx context.Context, history *archive.Archive) ([]status.Webhook, error) {
	lanes, err := webhookstore.In(history).States(ctx)
	all := make([]status.Webhook, len(lanes))
	for i, s := range lanes {
		all[i] = status.Webhook{Endpoint: s.Endpoint, Event: s.Kind, Waiting: s.Waiting, Dead: s.Dead, Failures: s.Failures, Error: s.Error}
		if !s.Oldest.IsZero() {
			all[i].Oldest = &s.Oldest
		}
	}
	return all, err
}
