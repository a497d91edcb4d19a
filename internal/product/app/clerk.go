package app

import "github.com/framedle/leaderboards/internal/platform/auth/webhook"

const envWebhookSecrets = "CLERK_WEBHOOK_SECRETS" // comma-separated, secret; empty: no webhooks

// clerkWebhooks makes the verifier of Clerk's webhooks; nil if none are taken.
func clerkWebhooks(getenv func(string) string, p Parts) (*webhook.Verifier, error) {
	secrets := list(getenv(envWebhookSecrets))
	if len(secrets) == 0 {
		return nil, nil
	}
	return webhook.NewVerifier(secrets, p.Now)
}
