package webhook_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clerk/clerk-sdk-go/v2"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

var moment = time.Date(2026, 11, 21, 11, 59, 58, 123e6, time.UTC)

func event(kind, data string) string {
	return `{"object":"event","instance_id":"ins_a","timestamp":1795262400000,"event_attributes":{"http_request":{"client_ip":"192.0.2.1"}},"type":"` + kind + `","data":` + data + `}`
}

const (
	member = `{"object":"organization_membership","id":"orgmem_a","role":"org:member","permissions":["x"],
		"organization":{"object":"organization","id":"org_a","slug":"acme","members_count":2},
		"public_user_data":{"user_id":"user_a","first_name":"Ana"},"created_at":1795262398000,"updated_at":1795262398123}`
	ana = `{"object":"user","id":"user_a","username":"ana1","first_name":"Ana","last_name":"Lima","image_url":"https://img.clerk.com/a",
		"email_addresses":[{"id":"idn_a"}],"public_metadata":{"country":"BR","level":{"x":1}},"private_metadata":{},"unsafe_metadata":{"country":"US"},
		"created_at":1795262000000,"updated_at":1795262398123,"passkeys":[],"last_sign_in_at":null}`
)

func TestEventsAreRead(t *testing.T) {
	saved := webhook.UserSaved{Player: "user_a", Name: "Ana Lima", Picture: "https://img.clerk.com/a", Country: "BR", Moment: moment}
	for name, test := range map[string]struct {
		text string
		want webhook.Event
	}{
		"a user is created":       {event("user.created", ana), saved},
		"a user is updated":       {event("user.updated", ana), saved},
		"a user is deleted":       {event("user.deleted", `{"object":"user","id":"user_a","deleted":true}`), webhook.UserDeleted{Player: "user_a"}},
		"the least of a user":     {`{"type":"user.updated","data":{"id":"user_a","updated_at":1795262398123}}`, webhook.UserSaved{Player: "user_a", Moment: moment}},
		"a user of nulls":         {event("user.updated", `{"id":"user_a","username":null,"first_name":null,"last_name":null,"image_url":null,"public_metadata":null,"updated_at":1795262398123}`), webhook.UserSaved{Player: "user_a", Moment: moment}},
		"a membership is created": {event("organizationMembership.created", member), webhook.MembershipSaved{ID: "orgmem_a", Player: "user_a", Group: "org_a", Moment: moment}},
		"a membership is updated": {event("organizationMembership.updated", member), webhook.MembershipSaved{ID: "orgmem_a", Player: "user_a", Group: "org_a", Moment: moment}},
		"a membership has ended":  {event("organizationMembership.deleted", member), webhook.MembershipEnded{ID: "orgmem_a", Player: "user_a", Group: "org_a", Moment: noon}},
		"it ended, time untold":   {`{"type":"organizationMembership.deleted","data":` + member + `}`, webhook.MembershipEnded{ID: "orgmem_a", Player: "user_a", Group: "org_a", Moment: moment}},
		"an organization":         {event("organization.updated", `{"id":"org_a"}`), webhook.Ignored{Type: "organization.updated"}},
		"a session":               {event("session.created", `{"id":"sess_a"}`), webhook.Ignored{Type: "session.created"}},
		"a type unheard of":       {event("userz.created", `7`), webhook.Ignored{Type: "userz.created"}},
		"a type in another case":  {event("User.Created", ana), webhook.Ignored{Type: "User.Created"}},
		"a type without data":     {`{"type":"sms.created"}`, webhook.Ignored{Type: "sms.created"}},
		"a very long type":        {event(strings.Repeat("é", 60), "1"), webhook.Ignored{Type: strings.Repeat("é", 50)}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := webhook.Parse([]byte(test.text))
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestAProfileTakesWhatIsFitToBeShown(t *testing.T) {
	for name, test := range map[string]struct {
		fields string
		want   webhook.UserSaved
	}{
		"first name alone":         {`"first_name":"Ana"`, webhook.UserSaved{Name: "Ana"}},
		"last name alone":          {`"last_name":"Lima"`, webhook.UserSaved{Name: "Lima"}},
		"user name alone":          {`"username":"ana1"`, webhook.UserSaved{Name: "ana1"}},
		"names before user name":   {`"username":"ana1","first_name":"Ana"`, webhook.UserSaved{Name: "Ana"}},
		"names of white space":     {`"username":"ana1","first_name":" ","last_name":"\n"`, webhook.UserSaved{Name: "ana1"}},
		"name that reverses a row": {`"first_name":"A\u202en\u0000a"`, webhook.UserSaved{Name: "Ana"}},
		"name of 90 runes":         {`"first_name":"` + strings.Repeat("é", 90) + `"`, webhook.UserSaved{Name: strings.Repeat("é", 80)}},
		"picture over http":        {`"image_url":"http://img.clerk.com/a"`, webhook.UserSaved{}},
		"picture that is a script": {`"image_url":"javascript:alert(1)"`, webhook.UserSaved{}},
		"country in lower case":    {`"public_metadata":{"country":"br"}`, webhook.UserSaved{}},
		"country that is none":     {`"public_metadata":{"country":"XX"}`, webhook.UserSaved{}},
		"country not a text":       {`"public_metadata":{"country":{"code":"BR"}}`, webhook.UserSaved{}},
		"country in another case":  {`"public_metadata":{"Country":"BR"}`, webhook.UserSaved{}},
		"metadata not an object":   {`"public_metadata":["country"]`, webhook.UserSaved{}},
		"country set by the user":  {`"unsafe_metadata":{"country":"BR"}`, webhook.UserSaved{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := webhook.Parse([]byte(event("user.updated", `{"id":"user_a","updated_at":1795262398123,`+test.fields+`}`)))
			require.NoError(t, err)
			test.want.Player, test.want.Moment = "user_a", moment
			require.Equal(t, test.want, got)
		})
	}
}

func TestBodiesThatAreNoEventAreRefused(t *testing.T) {
	long := `"` + strings.Repeat("x", 129) + `"`
	for name, text := range map[string]string{
		"empty":                      "",
		"not JSON":                   "{",
		"two values":                 event("user.deleted", `{"id":"user_a"}`) + "{}",
		"an array":                   "[]",
		"null":                       "null",
		"no type":                    `{"data":{"id":"user_a"}}`,
		"type not a text":            `{"type":1}`,
		"a user without data":        `{"type":"user.created"}`,
		"a user that is null":        event("user.created", "null"),
		"a user without id":          event("user.created", `{"updated_at":1795262398123}`),
		"a user with a forged id":    event("user.created", `{"id":"a b","updated_at":1795262398123}`),
		"a user with a long id":      event("user.deleted", `{"id":`+long+`}`),
		"a user from no time":        event("user.updated", `{"id":"user_a"}`),
		"a user from before 1970":    event("user.updated", `{"id":"user_a","updated_at":-1}`),
		"a user from the year 10000": event("user.updated", `{"id":"user_a","updated_at":253402300800000}`),
		"a time with a fraction":     event("user.updated", `{"id":"user_a","updated_at":1.5}`),
		"a deletion of nobody":       event("user.deleted", `{"deleted":true}`),
		"a membership of nobody":     event("organizationMembership.created", `{"id":"orgmem_a","organization":{"id":"org_a"},"updated_at":1795262398123}`),
		"a membership of nothing":    event("organizationMembership.created", `{"id":"orgmem_a","public_user_data":{"user_id":"user_a"},"updated_at":1795262398123}`),
		"a membership without id":    event("organizationMembership.created", strings.Replace(member, `"orgmem_a"`, `""`, 1)),
		"a membership with long id":  event("organizationMembership.created", strings.Replace(member, `"orgmem_a"`, long, 1)),
		"a group that is forged":     event("organizationMembership.deleted", strings.Replace(member, `"org_a"`, `"org:a"`, 1)),
		"a membership from no time":  event("organizationMembership.created", strings.Replace(member, "updated_at", "changed_at", 1)),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := webhook.Parse([]byte(text))
			require.ErrorIs(t, err, webhook.ErrMalformed)
			require.Nil(t, got)
		})
	}
}

// What Clerk's SDK writes for a user is read as the SDK means it.
func TestUsersOfClerksSDKAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.Ptr(rapid.StringMatching(`[A-Za-zé]{1,20}`), true)
		country := rapid.SampledFrom([]string{"BR", "US", ""}).Draw(t, "country")
		u := clerk.User{
			Object: "user", ID: rapid.StringMatching(`user_[A-Za-z0-9]{27}`).Draw(t, "id"),
			Username: word.Draw(t, "username"), FirstName: word.Draw(t, "first"), LastName: word.Draw(t, "last"),
			UpdatedAt: rapid.Int64Range(1, 1<<41).Draw(t, "updated"),
		}
		if country != "" {
			u.PublicMetadata = json.RawMessage(`{"country":"` + country + `"}`)
		}
		text, err := json.Marshal(map[string]any{"type": "user.updated", "data": u})
		require.NoError(t, err)
		got, err := webhook.Parse(text)
		require.NoError(t, err)

		name := ""
		for _, part := range []*string{u.FirstName, u.LastName} {
			if part != nil {
				name = strings.TrimSpace(name + " " + *part)
			}
		}
		if name == "" && u.Username != nil {
			name = *u.Username
		}
		require.Equal(t, webhook.UserSaved{Player: u.ID, Name: name, Country: country, Moment: time.UnixMilli(u.UpdatedAt).UTC()}, got)
	})
}

// Whatever is signed, an event that comes of it can be acted on without
// another look.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", event("user.created", ana), event("user.deleted", `{"id":"user_a"}`),
		event("organizationMembership.deleted", member), event("session.created", "{}"),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := webhook.Parse(data)
		if err != nil {
			require.ErrorIs(t, err, webhook.ErrMalformed)
			require.Nil(t, got)
			return
		}
		switch e := got.(type) {
		case webhook.UserSaved:
			require.NoError(t, game.ValidPlayer(e.Player))
			require.Positive(t, e.Moment.UnixMilli())
		case webhook.UserDeleted:
			require.NoError(t, game.ValidPlayer(e.Player))
		case webhook.MembershipSaved:
			requireMembership(t, e)
		case webhook.MembershipEnded:
			requireMembership(t, webhook.MembershipSaved(e))
		case webhook.Ignored:
			require.True(t, utf8.ValidString(e.Type))
			require.LessOrEqual(t, len(e.Type), 100)
		default:
			require.Fail(t, "an event of no kind")
		}
	})
}

func requireMembership(t *testing.T, m webhook.MembershipSaved) {
	t.Helper()
	require.NoError(t, game.ValidPlayer(m.Player))
	_, err := game.GroupScope(m.Group)
	require.NoError(t, err)
	require.NotEmpty(t, m.ID)
	require.Positive(t, m.Moment.UnixMilli())
}
