package auth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func TestPlayerTakesWhatTheClaimsOfferInValidForm(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	longPicture := "https://img.test/" + strings.Repeat("p", 512-len("https://img.test/"))
	tests := map[string]struct {
		claims map[string]any
		want   auth.Player
	}{
		"nothing": {nil, auth.Player{}},
		"everything": {
			map[string]any{"name": "Ana", "picture": "https://img.test/a.png?w=64", "country": "BR", "o": map[string]any{"id": "org_a", "rol": "admin"}},
			auth.Player{Name: "Ana", Picture: "https://img.test/a.png?w=64", Country: "BR", Groups: []string{"org_a"}},
		},

		"name with space around":     {map[string]any{"name": " \t Ana \n"}, auth.Player{Name: "Ana"}},
		"name of white space":        {map[string]any{"name": "   "}, auth.Player{}},
		"name with control":          {map[string]any{"name": "A\x00n\x1ba\r\n"}, auth.Player{Name: "Ana"}},
		"name that reverses the row": {map[string]any{"name": "A\u202en\u2066a\u2028"}, auth.Player{Name: "Ana"}},
		"name with joined emoji":     {map[string]any{"name": "👩\u200d🚀 Ana"}, auth.Player{Name: "👩\u200d🚀 Ana"}},
		"name of 80 runes":           {map[string]any{"name": strings.Repeat("é", 80)}, auth.Player{Name: strings.Repeat("é", 80)}},
		"name of 81 runes":           {map[string]any{"name": strings.Repeat("é", 81)}, auth.Player{Name: strings.Repeat("é", 80)}},
		"name cut at a space":        {map[string]any{"name": strings.Repeat("a", 79) + " b"}, auth.Player{Name: strings.Repeat("a", 79)}},
		"name not a string":          {map[string]any{"name": 7}, auth.Player{}},
		"name null":                  {map[string]any{"name": json.RawMessage("null")}, auth.Player{}},

		"picture over http":         {map[string]any{"picture": "http://img.test/a.png"}, auth.Player{}},
		"picture on localhost":      {map[string]any{"picture": "http://localhost/a.png"}, auth.Player{}},
		"picture that is a script":  {map[string]any{"picture": "javascript:alert(1)"}, auth.Player{}},
		"picture as data":           {map[string]any{"picture": "data:image/png;base64,AAAA"}, auth.Player{}},
		"picture without scheme":    {map[string]any{"picture": "//img.test/a.png"}, auth.Player{}},
		"picture without host":      {map[string]any{"picture": "https:///a.png"}, auth.Player{}},
		"picture with only a port":  {map[string]any{"picture": "https://:443/a.png"}, auth.Player{}},
		"picture with a password":   {map[string]any{"picture": "https://u:p@img.test/a.png"}, auth.Player{}},
		"picture with a space":      {map[string]any{"picture": "https://img.test/a b.png"}, auth.Player{}},
		"picture with a line end":   {map[string]any{"picture": "https://img.test/a\n.png"}, auth.Player{}},
		"picture beyond ASCII":      {map[string]any{"picture": "https://img.test/é.png"}, auth.Player{}},
		"picture of 512 bytes":      {map[string]any{"picture": longPicture}, auth.Player{Picture: longPicture}},
		"picture of 513 bytes":      {map[string]any{"picture": longPicture + "p"}, auth.Player{}},
		"picture that cannot parse": {map[string]any{"picture": "https://img.test/%zz"}, auth.Player{}},

		"country in lower case":        {map[string]any{"country": "br"}, auth.Player{}},
		"country that does not exist":  {map[string]any{"country": "XX"}, auth.Player{}},
		"country of three letters":     {map[string]any{"country": "BRA"}, auth.Player{}},
		"country with a forged suffix": {map[string]any{"country": "BR:x"}, auth.Player{}},

		"group of version 1":           {map[string]any{"v": nil, "org_id": "org_a"}, auth.Player{Groups: []string{"org_a"}}},
		"group of both versions":       {map[string]any{"org_id": "org_old", "o": map[string]any{"id": "org_new"}}, auth.Player{Groups: []string{"org_new"}}},
		"group with a colon":           {map[string]any{"org_id": "org:a"}, auth.Player{}},
		"group of 65 characters":       {map[string]any{"org_id": strings.Repeat("g", 65)}, auth.Player{}},
		"an organization without id":   {map[string]any{"o": map[string]any{"slg": "a"}}, auth.Player{}},
		"an organization of empty id":  {map[string]any{"o": map[string]any{"id": ""}}, auth.Player{}},
		"group only in another case":   {map[string]any{"Org_Id": "org_a"}, auth.Player{}},
		"name only in another case":    {map[string]any{"Name": "Ana"}, auth.Player{}},
		"country only in another case": {map[string]any{"COUNTRY": "BR"}, auth.Player{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			token := issuer.Token(authtest.Claims("user_a", noon, test.claims))
			player, err := sessions.Verify(t.Context(), token)
			require.NoError(t, err)
			test.want.ID = "user_a"
			require.Equal(t, test.want, player)
		})
	}
}
