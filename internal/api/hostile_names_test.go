package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// hostileNames are texts of JSON, without quotes: some of what they say no string of Go
// can hold. Each would harm a page, or be taken for another one.
var hostileNames = []string{
	`Ana\u202egpj.exe`, `\u202bAna\u202c`, `A\u2066n\u2069a`, `Ana\u200d`, `An\u200ba`, `\ufeffAna`, `A\u00adna`, `Ana\u3164`,
	`Ana\udb40\udc41\udb40\udc42`, `Ana\ud800`, `\udc00Ana`, `Ana\u0000`, `Ana\r\nBen`, `Ana     Ben`, `Ana\u00a0\u00a0\u3000Ben`, `\t Ana \t`,
	`Ana` + strings.Repeat(`\u0301`, 300), strings.Repeat(`Z\u0300\u0301\u0302\u0303`, 40), strings.Repeat("n", 500), `\u0301\u0301Ana`,
	`Ana\ufe0f\ufe0f`, `Ana\udb40\udd01`, `A\u034fna`, `An\u2028a`, `\u202e\u202d`, `\u3164\u3164`, `....`, `\ud83d\ude00`, ``,
	`Ana\ud834\udd59`, `Ana\ud81b\udfe4`, `Ana\ufffe`, `Ana\u0378`, `Ana\ufffc`, `\ud80d\udc41`, `An\u200ca`, `\u0634\u200d\u0627`, `$\ufe0f1`, `Ana \ud83c\udff4\udb40\udc67\udb40\udc62`,
}

// honestNames are shown to the letter.
var honestNames = []string{"Ana", "José Müller", "Nguyễn", "שָׁלוֹם", "नमस्ते", "می\u200cخواهم", "李雷", "O'Neil", "<b>Ana</b>", "Zed 👩\u200d🚀", "1 ❤\ufe0f",
	"Ana 7\ufe0f\u20e3", "Ana " + blackFlag + "\U000E0065\U000E006E\U000E0067\U000E007F", "Ana " + blackFlag + "\U000E0073\U000E0063\U000E0074\U000E007F", "അവന്\u200d", "葛\U000E0100城", "র\u200d\u09cdযাচেল", "Ana \U0001FAE9"}

// blackFlag is how the flags of England and Scotland begin.
const blackFlag = "🏴\U000E0067\U000E0062"

// seemly is what every name that anybody is shown must be.
func seemly(tb require.TestingT, name string) {
	if name == "" {
		return
	}
	require.True(tb, utf8.ValidString(name))
	require.LessOrEqual(tb, utf8.RuneCountInString(name), 80)
	require.True(tb, strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }), "%+q", name)
	require.Equal(tb, strings.Join(strings.Fields(name), " "), name)
	for _, invisible := range "\ufffc\ufffd\ufffe\U0001D159\U00016FE4" {
		require.NotContains(tb, name, string(invisible))
	}
	marks, before := 0, ' '
	for _, r := range name {
		joins := r == '\u200c' || r == '\u200d'
		require.False(tb, unicode.IsControl(r) || !joins && unicode.Is(unicode.Cf, r), "%+q", name)
		require.False(tb, joins && (before == '\u200c' || before == '\u200d'), "%+q", name)
		if marks++; !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		}
		require.LessOrEqual(tb, marks, 3, "%+q", name)
		before = r
	}
	require.NotEqual(tb, '\u200c', before, "%+q", name)
	if before == '\u200d' { // half a letter of Malayalam or Devanagari
		require.Regexp(tb, "[\u094d\u0d4d]\u200d$", name)
	}
}

// doors are the ways in which a name comes: each tells a name, as JSON without quotes,
// for a player who stands on the day's board, and what is shown of it. A credential or
// a message with a bad name is never refused for it; who types one is told.
func doors(s *apitest.Stack) map[string]func(text string) string {
	players := 0
	enter := func() string {
		players++
		player := fmt.Sprint("user_door_", players)
		s.Play(player, "daily", "500")
		return player
	}
	said := func(text string) (name string) {
		require.NoError(s, json.Unmarshal([]byte(`"`+text+`"`), &name))
		return name
	}
	typed := func(c apitest.Call, player string) string {
		a := s.Send(c)
		if a.Status != http.StatusOK {
			require.Equal(s, http.StatusBadRequest, a.Status, "%s", a.Body)
		}
		return s.NameOf(player)
	}
	return map[string]func(string) string{
		"a session token": func(text string) string {
			players++
			player := fmt.Sprint("user_door_", players)
			s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(s.TokenWith(player, map[string]any{"name": said(text)})))
			return s.NameOf(player)
		},
		"a webhook": clerkDoor(s, enter),
		"a change of the profile": func(text string) string {
			player := enter()
			return typed(s.As(player, apitest.Patch(apitest.Myself, `{"name":"`+text+`"}`)), player)
		},
		"a device": doorOfADevice(s, typed),
	}
}

func TestNoDoorLetsAHostileNameIn(t *testing.T) {
	s := apitest.Named(t, false)
	for door, tell := range doors(s) {
		t.Run(door, func(t *testing.T) {
			for _, text := range hostileNames {
				seemly(t, tell(text))
			}
			for _, name := range honestNames {
				text, err := json.Marshal(name)
				require.NoError(t, err)
				require.Equal(t, name, tell(string(text[1:len(text)-1])))
			}
		})
	}
}

func TestNoDoorLetsAnyNameInThatIsNotSeemly(t *testing.T) {
	s := apitest.Named(t, false)
	hostile := rapid.SliceOfN(rapid.SampledFrom([]rune("Aaé1 \t\u00a0\u0301\u0302\u200b\u200c\u200d\u202e\ufe0f\u3164\u0627\u0915👩\U000e0041\U000e0101\u20e3🏴\U000E0067\U000E007F葛\u0d28\u0d4d\ufffe\u0378\U00016FE4")), 0, 90)
	for door, tell := range doors(s) {
		t.Run(door, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text, err := json.Marshal(string(hostile.Draw(t, "name")))
				require.NoError(t, err)
				seemly(t, tell(string(text[1:len(text)-1])))
			})
		})
	}
}
