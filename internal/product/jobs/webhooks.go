package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// EnvWebhookSecrets are the secrets that sign webhooks, comma-separated, secret; without them
// none is delivered.
const EnvWebhookSecrets = "WEBHOOK_SECRETS"

// webhooksReserve is the part of a run's time that webhooks leave to the rest of the run.
const webhooksReserve = 15 * time.Second

// Secrets makes the schedules deliver webhooks, signed with each of the secrets.
func (j *Jobs) Secrets(secrets []string) { j.secrets = secrets }

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

// delivering delivers webhooks.
type delivering struct{ *Jobs }

// after runs a schedule's work and then delivers its events, and those that an earlier run
// could not deliver.
func (j delivering) after(ctx context.Context, work func(context.Context) (any, error)) (any, error) {
	report, err := work(ctx)
	return report, errors.Join(err, j.run(ctx))
}

func (j delivering) run(ctx context.Context) error {
	kept := j.closing.Archive
	if kept == nil {
		return nil
	}
	sender := webhook.Sender{Game: j.closing.Game, Books: kept.Webhooks, Now: j.closing.Now, Log: j.log, GaveUp: usage.ReportProblem, Secrets: j.secrets}
	done, err := sender.Run(ctx, webhooksReserve)
	if done != (webhook.Done{}) {
		j.log.LogAttrs(ctx, slog.LevelInfo, "webhooks were delivered", slog.Any("done", done))
	}
	return err
}

// announce makes the archive write events for the endpoints from now on.
func announce(kept *archive.Archive, j *Jobs) {
	if kept != nil && len(j.closing.Game.Webhooks) > 0 {
		kept.Announce(j.closing.Game.Webhooks)
	}
}
