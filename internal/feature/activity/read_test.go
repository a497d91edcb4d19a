package activity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
)

func TestWhatIsWrongWithAnEventIsToldWithWhatWouldBeRight(t *testing.T) {
	for text, detail := range map[string]string{
		`1`:                               "this is not a JSON object but of type number",
		`[]`:                              "this is not a JSON object but of type array",
		`{"id":1}`:                        "id is of type number; use a string",
		`{"users":"user_a"}`:              "users is of type string; use an array of strings",
		`{"users":[1]}`:                   "users is of type number; use a string",
		`{"at":"x"}`:                      "at is not a timestamp; use RFC 3339, such as 2026-11-21T12:00:00Z",
		`{"at":1}`:                        "at is not a timestamp; use RFC 3339, such as 2026-11-21T12:00:00Z",
		`{"form":"user_a"}`:               `unknown field "form"`,
		`{"id":"e`:                        "this is not a JSON object: unexpected end",
		``:                                "this is not a JSON object: unexpected end",
		`{} {}`:                           "there is more after the event",
		`{"at":"2026-11-21T12:00:00Z"} ]`: "there is more after the event",
	} {
		_, refusal := activity.Read([]byte(text))
		require.NotNil(t, refusal, text)
		require.Equal(t, activity.Unreadable, refusal.Reason, text)
		require.Equal(t, detail, refusal.Detail, text)
	}
}
