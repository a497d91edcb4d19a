package functions_test

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

func clerkSecrets() secret {
	whsec := func(name string) string { return "whsec_" + base64.StdEncoding.EncodeToString([]byte(long(name))) }
	return secret{name: "CLERK_WEBHOOK_SECRETS", old: whsec("old"), new: whsec("new"), separator: ",", refused: 401, use: func(s *service, key string) int {
		body := []byte(`{"type":"session.created","data":{}}`)
		h, err := webhook.Sign(key, fmt.Sprint("msg_", time.Now().UnixNano()), time.Now(), body)
		require.NoError(s, err)
		return s.status(s.T, "POST", "/v1/webhooks/clerk", string(body), map[string]string{"svix-id": h.ID, "svix-timestamp": h.Timestamp, "svix-signature": h.Signature})
	}}
}
