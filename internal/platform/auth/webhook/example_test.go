package webhook_test

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

// A message is verified as it came, and read only then.
func Example() {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	body := []byte(`{"type":"user.updated","data":{"id":"user_a","first_name":"Ana","updated_at":1795262398123}}`)
	headers, err := webhook.Sign(secret, "msg_a", now, body)
	if err != nil {
		fmt.Println(err)
		return
	}

	verifier, err := webhook.NewVerifier([]string{secret}, func() time.Time { return now })
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := verifier.Verify(headers, body); err != nil {
		fmt.Println(err)
		return
	}
	event, err := webhook.Parse(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch e := event.(type) {
	case webhook.UserSaved:
		fmt.Println(e.Player, e.Name, e.Moment.Format(time.RFC3339Nano))
	case webhook.Ignored:
		fmt.Println("ignored", e.Type)
	}
	fmt.Println(verifier.Verify(headers, []byte(`{"type":"user.deleted","data":{"id":"user_a"}}`)))
	// Output:
	// user_a Ana 2026-11-21T11:59:58.123Z
	// the webhook's signature does not match its body
}
