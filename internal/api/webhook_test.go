package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// userSaved is a message about a player, from a moment so many seconds after noon.
func userSaved(player, name string, seconds int) string {
	return fmt.Sprintf(`{"type":"user.updated","data":{"id":"%s","first_name":"%s","updated_at":%d}}`,
		player, name, noon.Add(time.Duration(seconds)*time.Second).UnixMilli())
}

func (s *stack) nameOf(player string) string {
	s.handler = s.process() // which has not seen any name
	var b struct {
		Mode, Period, Key, Scope string
		Entries                  []struct {
			Rank                         int
			Player                       string
			Score                        int
			Name, Picture, Country, Note string
		}
	}
	s.want(http.StatusOK, post(lookup, `{"players":["`+player+`"]}`)).into(s, &b)
	require.Len(s, b.Entries, 1)
	return b.Entries[0].Name
}

func TestTheNewestThatIsToldOfAPlayerIsShown(t *testing.T) {
	for _, database := range []bool{false, true} {
		t.Run(fmt.Sprint("with a database: ", database), func(t *testing.T) {
			s := newStack(t)
			if database {
				s.befriend()
			}
			s.play("user_a", "daily", "500")
			s.want(http.StatusOK, s.told("msg_1", userSaved("user_a", "Ana", 2)))
			require.Equal(t, "Ana", s.nameOf("user_a"))
			s.want(http.StatusOK, s.told("msg_2", userSaved("user_a", "Older", 1)))
			require.Equal(t, "Ana", s.nameOf("user_a"))
			s.want(http.StatusOK, s.told("msg_3", userSaved("user_a", "Anna", 3)))
			require.Equal(t, "Anna", s.nameOf("user_a"))
			s.want(http.StatusOK, s.told("msg_4", `{"type":"email.created","data":{}}`))
		})
	}
}

func TestADeletedPlayerIsErasedForGood(t *testing.T) {
	s := newFriendsStack(t)
	s.play("user_a", "daily", "500")
	s.want(http.StatusOK, s.told("msg_1", userSaved("user_a", "Ana", 2)))
	gone := s.told("msg_2", `{"type":"user.deleted","data":{"id":"user_a","deleted":true}}`)
	s.want(http.StatusOK, gone)
	s.want(http.StatusNotFound, get(card)).problem(t, "not-on-board")
	s.want(http.StatusOK, s.told("msg_3", userSaved("user_a", "Ana", 9)))
	stored, err := s.redis.Server.Redis().Do(t.Context(), "HGET", "profiles", "user_a")
	require.NoError(t, err)
	require.Nil(t, stored, "late news of somebody who is gone change nothing")
}

func TestAMessageThatComesAgainHasNoSecondEffect(t *testing.T) {
	s := newStack(t)
	s.clock.Stop()
	s.play("user_a", "daily", "500")
	first := s.told("msg_1", userSaved("user_a", "Ana", 2))
	s.want(http.StatusOK, first)
	commands, trips := s.spent(func() { s.want(http.StatusOK, first) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips})
	s.want(http.StatusOK, s.told("msg_1", `{"type":"user.deleted","data":{"id":"user_a"}}`))
	require.Equal(t, "Ana", s.nameOf("user_a"), "a message is known by its id")
}

func TestAMessageWhoseEffectFailedIsTakenAgain(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "500")
	c := s.told("msg_1", userSaved("user_a", "Ana", 2))
	s.fail(redisDown)
	s.want(http.StatusServiceUnavailable, c)
	s.mendRedis()
	s.want(http.StatusOK, c)
	require.Equal(t, "Ana", s.nameOf("user_a"))
}

func TestForgedWebhooksAreRefusedBeforeAnythingIsAsked(t *testing.T) {
	s := newStack(t)
	body := userSaved("user_a", "Mallory", 2)
	good := s.told("msg_1", body)
	altered := good
	altered.body = strings.Replace(body, "user_a", "user_b", 1)
	spaced := good
	spaced.body = body + " "
	for name, c := range map[string]call{
		"no headers":               post(clerkPath, body),
		"no id":                    post(clerkPath, body).with("svix-timestamp", good.header["svix-timestamp"]).with("svix-signature", good.header["svix-signature"]),
		"another body":             altered,
		"a space more":             spaced,
		"another id":               good.with("svix-id", "msg_2"),
		"another time":             good.with("svix-timestamp", fmt.Sprint(s.clock.Now().Unix()+7)),
		"another signature":        good.with("svix-signature", "v1,"+strings.Repeat("A", 43)+"="),
		"another scheme":           good.with("svix-signature", strings.Replace(good.header["svix-signature"], "v1,", "v2,", 1)),
		"six minutes ago":          s.toldAt("msg_1", body, s.clock.Now().Add(-6*time.Minute)),
		"in six minutes":           s.toldAt("msg_1", body, s.clock.Now().Add(6*time.Minute)),
		"a game server's":          post(clerkPath, body).signed(),
		"a player's session token": s.as("user_a", post(clerkPath, body)),
	} {
		before := s.exchanges.Load()
		s.want(http.StatusUnauthorized, c).problem(t, "unauthenticated")
		require.Equal(t, before, s.exchanges.Load(), name)
	}
	for _, body := range []string{`[]`, `{"type":"user.updated","data":{"id":"a b","updated_at":1}}`, `{"type":"user.deleted","data":{}}`} {
		s.want(http.StatusBadRequest, s.told("msg_1", body)).problem(t, "invalid-request")
	}
}

// membership is a message about user_a's membership of a group.
func membership(kind, id, group string) string {
	return fmt.Sprintf(`{"type":"organizationMembership.%s","timestamp":%d,"data":{"id":"%s","organization":{"id":"%s"},"public_user_data":{"user_id":"user_a"},"updated_at":%d}}`,
		kind, noon.UnixMilli(), id, group, noon.UnixMilli())
}

func TestMembersMayPlayForTheirGroups(t *testing.T) {
	s := newStack(t)
	n := 0
	tell := func(body string) {
		n++
		s.want(http.StatusOK, s.told(fmt.Sprint("msg_", n), body))
		s.handler = s.process() // which remembers no members
	}
	play := s.as("user_a", post(scores, `{"mode":"daily","score":500,"groups":["org_a"]}`))
	refused := func() {
		t.Helper()
		s.want(http.StatusForbidden, play).problem(t, "forbidden")
		commands, _ := s.spent(func() { s.want(http.StatusForbidden, play) })
		require.Zero(t, commands, "it is remembered")
	}
	refused()
	tell(membership("deleted", "orgmem_1", "org_a")) // before its beginning
	tell(membership("created", "orgmem_1", "org_a"))
	refused()
	tell(membership("created", "orgmem_2", "org_a"))
	tell(membership("created", "orgmem_3", "org_b"))
	tell(membership("updated", "orgmem_3", "org_b"))
	s.want(http.StatusCreated, play)
	tell(membership("deleted", "orgmem_1", "org_a")) // again: it is not that of now
	s.want(http.StatusOK, play)
	tell(membership("deleted", "orgmem_2", "org_a"))
	refused()
	s.want(http.StatusOK, s.as("user_a", post(scores, `{"mode":"daily","score":500,"groups":["org_b"]}`)))
	tell(`{"type":"user.deleted","data":{"id":"user_a"}}`)
	tell(membership("created", "orgmem_4", "org_a"))
	refused()
}
