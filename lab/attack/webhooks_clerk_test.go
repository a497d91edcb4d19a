package attack_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

func TestOneRouteTakesWebhooks(t *testing.T) {
	require.Equal(t, 1, taking(t)[hook])
}

func TestForgedWebhooksAreRefused(t *testing.T) {
	database, callers := strayDatabase(t)
	p := start(t, "", database)
	now := p.clock.Now()
	const gone = `{"type":"user.deleted","data":{"id":"user_a","deleted":true}}`
	good := p.delivered("msg_1", gone, now)
	altered := good
	altered.body = strings.Replace(gone, "user_a", "user_b", 1)
	spaced := good
	spaced.body += " "
	emptied := good
	emptied.body = ""
	otherSecret, err := webhook.Sign("whsec_"+strings.Repeat("QUJD", 8), "msg_1", now, []byte(gone))
	require.NoError(t, err)
	for name, r := range map[string]request{
		"altered body":        altered,
		"a space more":        spaced,
		"no body":             emptied,
		"another id":          good.with(map[string]string{"svix-id": "msg_2"}),
		"another time":        good.with(map[string]string{"svix-timestamp": fmt.Sprint(now.Unix() + 1)}),
		"another secret":      good.with(map[string]string{"svix-signature": otherSecret.Signature}),
		"another scheme":      good.with(map[string]string{"svix-signature": "v1a" + otherSecret.Signature[2:]}),
		"no signature":        good.with(map[string]string{"svix-signature": ""}),
		"old":                 p.delivered("msg_1", gone, now.Add(-301*time.Second)),
		"a month old":         p.delivered("msg_1", gone, now.Add(-30*24*time.Hour)),
		"from the future":     p.delivered("msg_1", gone, now.Add(301*time.Second)),
		"a session token":     request{method: "POST", path: good.path, body: gone}.with(bearer(p.token("user_a"))),
		"the operator's":      request{method: "POST", path: good.path, body: gone}.with(bearer(opsToken)),
		"a game server's":     p.signed(request{method: "POST", path: good.path, body: gone}),
		"signed as a game is": p.signed(request{method: "POST", path: good.path, body: gone}).with(map[string]string{"svix-id": "msg_1", "svix-timestamp": fmt.Sprint(now.Unix()), "svix-signature": "v1," + strings.Repeat("A", 43) + "="}),
	} {
		p.refused(http.StatusUnauthorized, name, r)
	}
	require.Zero(t, callers.Load(), "the database was called")
}

// A delivery that is replayed within its five minutes has no second effect;
// later it is refused.
func TestAReplayedWebhookHasOneEffect(t *testing.T) {
	p := start(t, "", "")
	name := func() string {
		return string(p.do(request{method: "GET", path: "/v1/me"}.with(bearer(p.token("user_a")))).body)
	}
	got := func(called string, seconds int) string {
		return fmt.Sprintf(`{"type":"user.updated","data":{"id":"user_a","first_name":"%s","updated_at":%d}}`, called, noon.Add(time.Duration(seconds)*time.Second).UnixMilli())
	}
	first := p.delivered("msg_1", got("Ana", 1), p.clock.Now())
	require.Equal(t, http.StatusOK, p.do(first).status)
	require.Contains(t, name(), `"name":"Ana"`)
	require.Equal(t, http.StatusOK, p.do(p.delivered("msg_2", got("Bia", 2), p.clock.Now())).status)
	require.Contains(t, name(), `"name":"Bia"`)
	atOnce(16, 64, func(int) {
		before := p.exchanges.Load()
		if a, err := p.send(first); err != nil || a.status != http.StatusOK || p.exchanges.Load() < before {
			p.Errorf("%d %v", a.status, err)
		}
	})
	require.Contains(t, name(), `"name":"Bia"`)
	p.clock.Pass(301 * time.Second)
	p.refused(http.StatusUnauthorized, "replayed later", first)
}
