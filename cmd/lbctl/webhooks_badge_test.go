package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func TestAnOperatorSeesWhatWaitsAndHasItToldAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.yaml")
	text := []byte("name: g\nmodes: {a: {max: 5}}\nbadges: {week: {title: A week, streak: 7}}\nwebhooks: {shop: {url: https://shop.example.com, events: [badge.given]}}\n")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	g, err := gamefile.Parse(file, text)
	require.NoError(t, err)
	const secret = "one one one one one one one one one one"
	env := map[string]string{"DATABASE_URL": archivetest.Database(t), "WEBHOOK_SECRETS": secret}
	kept, err := archive.Open(archive.Options{URL: env["DATABASE_URL"]})
	require.NoError(t, err)
	defer kept.Close(t.Context())

	status, out := lbctl(t, env, "webhooks", "list", "--game", file)
	require.Equal(t, statusGood, status, out.stderr.String())
	kept.Announce(webhook.EndpointsOf(g).Listening)
	at, day := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), game.NewDate(2026, 11, 21)
	_, err = badgestore.In(kept).Give(t.Context(), []badgestore.PlayerBadge{{Player: "user_a", Badge: badge.Badge{Rule: "week", Earned: day, Since: day}}}, at)
	require.NoError(t, err)
	lane := webhookstore.Lane{Endpoint: "shop", Kind: "badge.given"}
	_, err = webhookstore.In(kept).Take(t.Context(), lane, "run", at, at.Add(time.Minute))
	require.NoError(t, err)
	news, err := webhookstore.In(kept).Next(t.Context(), lane)
	require.NoError(t, err)
	_, err = webhookstore.In(kept).Settle(t.Context(), lane, "run", news.ID, true, at, at)
	require.NoError(t, err)
	require.NoError(t, webhookstore.In(kept).Leave(t.Context(), lane, "run", at, "status 503"))

	status, out = lbctl(t, env, "webhooks", "list", "--game", file)
	require.Equal(t, statusFaults, status, out.stderr.String())
	require.Regexp(t, `(?m)^shop +badge.given +0 +- +1 +1 +status 503$`, out.stdout.String())
	status, out = lbctl(t, env, "webhooks", "list", "--game", file, "-o", "json")
	require.Equal(t, statusFaults, status, out.stderr.String())
	require.JSONEq(t, `[{"endpoint":"shop","event":"badge.given","waiting":0,"since":null,"given_up":1,"failures":1,"error":"status 503"}]`, out.stdout.String())
	status, out = lbctl(t, env, "webhooks", "resend", "--endpoint", "shop", "--game", file)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, "events queued for the next scheduled run: 1\n", out.stdout.String())
	status, out = lbctl(t, env, "webhooks", "list", "--game", file)
	require.Equal(t, statusFaults, status)
	require.Regexp(t, `shop +badge.given +1 +20\S+Z +0 +1 +status 503`, out.stdout.String())

	status, out = lbctl(t, env, "webhooks", "secret", "--endpoint", "shop", "--game", file)
	require.Equal(t, statusGood, status, out.stderr.String())
	require.Equal(t, webhookstore.SecretOf(secret, "shop")+"\n", out.stdout.String())
	for want, args := range map[string][]string{
		`there is no event evt_x of shop`:           {"resend", "--endpoint", "shop", "--id", "evt_x"},
		`--endpoint "bot" is none of g`:             {"secret", "--endpoint", "bot"},
		"missing --endpoint":                        {"resend"},
		`use lbctl webhooks list, resend or secret`: {"forget"},
	} {
		status, out := lbctl(t, env, append(append([]string{"webhooks"}, args...), "--game", file)...)
		require.Equal(t, statusFailed, status)
		require.Contains(t, out.stderr.String(), want)
	}
}
