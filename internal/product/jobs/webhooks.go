package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/feature/webhook"
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
	secrets, err := webhook.Secrets(list)
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
	sender := webhook.Sender{Game: j.closing.Game, Books: kept.Webhooks, Now: j.closing.Now, Log: j.log, GaveUp: usage.ReportProblem, Secrets: j.webhooks}
	done, err := sender.Run(ctx, webhooksReserve)
	if done != (webhook.Done{}) {
		j.log.LogAttrs(ctx, slog.LevelInfo, "webhooks were delivered", slog.Any("done", done))
	}
	return err
}

// announceWebhooks makes the archive write events for the endpoints from now on.
func (j *Jobs) announceWebhooks() {
	if kept := j.closing.Archive; kept != nil && len(j.closing.Game.Webhooks) > 0 {
		kept.Announce(j.closing.Game.Webhooks)
	}
}
