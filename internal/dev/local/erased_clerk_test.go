package local_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/apitest"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

// clerkTells has Clerk tell of a player and a membership.
func (a *all) clerkTells(x string) {
	a.t.Helper()
	ms := a.p.Clock.Now().UnixMilli()
	a.clerk(fmt.Sprint("msg_user", a.round), fmt.Sprintf(`{"type":"user.updated","data":{"id":%q,"first_name":"Ana","updated_at":%d}}`, x, ms))
	a.clerk(fmt.Sprint("msg_member", a.round), fmt.Sprintf(`{"type":"organizationMembership.created","timestamp":%d,"data":{"id":"orgmem_%d","organization":{"id":"org_a"},"public_user_data":{"user_id":%q},"updated_at":%d}}`, ms, a.round, x, ms))
}

func (a *all) clerk(id, body string) {
	a.t.Helper()
	h, err := webhook.Sign(a.p.Secrets.WebhookSecret, id, time.Now(), []byte(body)) // by the real clock
	require.NoError(a.t, err)
	status, answer := a.do("POST", apitest.ClerkPath, body, map[string]string{
		"Content-Type": "application/json", "svix-id": h.ID, "svix-timestamp": h.Timestamp, "svix-signature": h.Signature,
	})
	require.Less(a.t, status, 300, "%v", answer)
}
