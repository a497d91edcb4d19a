package clerk_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheNewestThatIsToldOfAPlayerIsShown(t *testing.T) {
	for _, database := range []bool{false, true} {
		t.Run(fmt.Sprint("with a database: ", database), func(t *testing.T) {
			s := apitest.NewStack(t)
			if database {
				s.Keep()
			}
			s.Play("user_a", "daily", "500")
			s.Want(http.StatusOK, s.ClerkMessage("msg_1", apitest.UserSaved("user_a", "Ana", 2)))
			require.Equal(t, "Ana", s.NameOf("user_a"))
			s.Want(http.StatusOK, s.ClerkMessage("msg_2", apitest.UserSaved("user_a", "Older", 1)))
			require.Equal(t, "Ana", s.NameOf("user_a"))
			s.Want(http.StatusOK, s.ClerkMessage("msg_3", apitest.UserSaved("user_a", "Anna", 3)))
			require.Equal(t, "Anna", s.NameOf("user_a"))
			s.Want(http.StatusOK, s.ClerkMessage("msg_4", `{"type":"email.created","data":{}}`))
		})
	}
}

func TestADeletedPlayerIsErasedForGood(t *testing.T) {
	s := apitest.NewKeptStack(t)
	s.Play("user_a", "daily", "500")
	s.Want(http.StatusOK, s.ClerkMessage("msg_1", apitest.UserSaved("user_a", "Ana", 2)))
	gone := s.ClerkMessage("msg_2", `{"type":"user.deleted","data":{"id":"user_a","deleted":true}}`)
	s.Want(http.StatusOK, gone)
	s.Want(http.StatusNotFound, apitest.Get(apitest.Card)).Problem(t, "not-on-board")
	s.Want(http.StatusOK, s.ClerkMessage("msg_3", apitest.UserSaved("user_a", "Ana", 9)))
	stored, err := s.Redis.Server.Redis().Do(t.Context(), "HGET", "profiles", "user_a")
	require.NoError(t, err)
	require.Nil(t, stored, "late news of somebody who is gone change nothing")
}

func TestAMessageThatComesAgainHasNoSecondEffect(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Stop()
	s.Play("user_a", "daily", "500")
	first := s.ClerkMessage("msg_1", apitest.UserSaved("user_a", "Ana", 2))
	s.Want(http.StatusOK, first)
	commands, trips := s.Spent(func() { s.Want(http.StatusOK, first) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips})
	s.Want(http.StatusOK, s.ClerkMessage("msg_1", `{"type":"user.deleted","data":{"id":"user_a"}}`))
	require.Equal(t, "Ana", s.NameOf("user_a"), "a message is known by its id")
}

func TestAMessageWhoseEffectFailedIsTakenAgain(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "500")
	c := s.ClerkMessage("msg_1", apitest.UserSaved("user_a", "Ana", 2))
	s.FailRedis(apitest.RedisDown)
	s.Want(http.StatusServiceUnavailable, c)
	s.MendRedis()
	s.Want(http.StatusOK, c)
	require.Equal(t, "Ana", s.NameOf("user_a"))
}

func TestForgedWebhooksAreRefusedBeforeAnythingIsAsked(t *testing.T) {
	s := apitest.NewStack(t)
	body := apitest.UserSaved("user_a", "Mallory", 2)
	good := s.ClerkMessage("msg_1", body)
	altered := good
	altered.Body = strings.Replace(body, "user_a", "user_b", 1)
	spaced := good
	spaced.Body = body + " "
	for name, c := range map[string]apitest.Call{
		"no headers":               apitest.Post(apitest.ClerkPath, body),
		"no id":                    apitest.Post(apitest.ClerkPath, body).With("svix-timestamp", good.Header["svix-timestamp"]).With("svix-signature", good.Header["svix-signature"]),
		"another body":             altered,
		"a space more":             spaced,
		"another id":               good.With("svix-id", "msg_2"),
		"another time":             good.With("svix-timestamp", fmt.Sprint(s.Clock.Now().Unix()+7)),
		"another signature":        good.With("svix-signature", "v1,"+strings.Repeat("A", 43)+"="),
		"another scheme":           good.With("svix-signature", strings.Replace(good.Header["svix-signature"], "v1,", "v2,", 1)),
		"six minutes ago":          s.ClerkMessageAt("msg_1", body, s.Clock.Now().Add(-6*time.Minute)),
		"in six minutes":           s.ClerkMessageAt("msg_1", body, s.Clock.Now().Add(6*time.Minute)),
		"a game server's":          apitest.Post(apitest.ClerkPath, body).Signed(),
		"a player's session token": s.As("user_a", apitest.Post(apitest.ClerkPath, body)),
	} {
		before := s.Exchanges.Load()
		s.Want(http.StatusUnauthorized, c).Problem(t, "unauthenticated")
		require.Equal(t, before, s.Exchanges.Load(), name)
	}
	for _, body := range []string{`[]`, `{"type":"user.updated","data":{"id":"a b","updated_at":1}}`, `{"type":"user.deleted","data":{}}`} {
		s.Want(http.StatusBadRequest, s.ClerkMessage("msg_1", body)).Problem(t, "invalid-request")
	}
}

// membership is a message about user_a's membership of a group.
func membership(kind, id, group string) string {
	return fmt.Sprintf(`{"type":"organizationMembership.%s","timestamp":%d,"data":{"id":"%s","organization":{"id":"%s"},"public_user_data":{"user_id":"user_a"},"updated_at":%d}}`,
		kind, apitest.Noon.UnixMilli(), id, group, apitest.Noon.UnixMilli())
}

func TestMembersMayPlayForTheirGroups(t *testing.T) {
	s := apitest.NewStack(t)
	n := 0
	tell := func(body string) {
		n++
		s.Want(http.StatusOK, s.ClerkMessage(fmt.Sprint("msg_", n), body))
		s.Handler = s.Process() // which remembers no members
	}
	play := s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":500,"groups":["org_a"]}`))
	refused := func() {
		t.Helper()
		s.Want(http.StatusForbidden, play).Problem(t, "forbidden")
		commands, _ := s.Spent(func() { s.Want(http.StatusForbidden, play) })
		require.Zero(t, commands, "it is remembered")
	}
	refused()
	tell(membership("deleted", "orgmem_1", "org_a")) // before its beginning
	tell(membership("created", "orgmem_1", "org_a"))
	refused()
	tell(membership("created", "orgmem_2", "org_a"))
	tell(membership("created", "orgmem_3", "org_b"))
	tell(membership("updated", "orgmem_3", "org_b"))
	s.Want(http.StatusCreated, play)
	tell(membership("deleted", "orgmem_1", "org_a")) // again: it is not that of now
	s.Want(http.StatusOK, play)
	tell(membership("deleted", "orgmem_2", "org_a"))
	refused()
	s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":500,"groups":["org_b"]}`)))
	tell(`{"type":"user.deleted","data":{"id":"user_a"}}`)
	tell(membership("created", "orgmem_4", "org_a"))
	refused()
}

// clerkScenarios make every status of Clerk's messages.
func clerkScenarios() map[string]apitest.Scenario {
	const event = `{"type":"session.created","data":{}}`
	huge := strings.Repeat(" ", 256<<10) + "{}"
	return map[string]apitest.Scenario{
		"POST /v1/webhooks/clerk 200": {Call: func(s *apitest.Stack) apitest.Call { return s.ClerkMessage("msg_200", event) }},
		"POST /v1/webhooks/clerk 400": {Call: func(s *apitest.Stack) apitest.Call { return s.ClerkMessage("msg_400", `{"data":{}}`) }, Kind: "invalid-request"},
		"POST /v1/webhooks/clerk 401": {Call: apitest.Plain(apitest.Post(apitest.ClerkPath, event)), Kind: "unauthenticated"},
		"POST /v1/webhooks/clerk 413": {Call: apitest.Plain(apitest.Post(apitest.ClerkPath, huge)), Kind: "too-large"},
		"POST /v1/webhooks/clerk 415": {Call: apitest.Plain(apitest.Post(apitest.ClerkPath, event).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"POST /v1/webhooks/clerk 429": {Call: func(s *apitest.Stack) apitest.Call {
			return apitest.After(30, apitest.Plain(apitest.Post(apitest.ClerkPath, event).With("svix-id", "a").With("svix-timestamp", "1").With("svix-signature", "v1,x").CameFrom("192.0.2.90:1")))(s)
		}, Kind: "rate-limited"},
		"POST /v1/webhooks/clerk 500": {Call: func(s *apitest.Stack) apitest.Call { return s.ClerkMessage("msg_500", event) }, Fault: apitest.RefusedCommand, Kind: "internal"},
		"POST /v1/webhooks/clerk 503": {Call: func(s *apitest.Stack) apitest.Call { return s.ClerkMessage("msg_503", event) }, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestEveryStatusOfClerksMessagesHappens(t *testing.T) { apitest.EachStatus(t, clerkScenarios()) }
