package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a computed mode's points are made of is what the game file says.
func TestAPageReadsHowPointsComeAbout(t *testing.T) {
	s := apitest.NewStack(t)
	campus, err := os.ReadFile("../../games/campus.yaml")
	require.NoError(t, err)
	s.Game = string(campus)
	s.Handler = s.Process()
	var g struct {
		Modes []struct {
			Name   string
			Points json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body, &g))
	points := map[string]string{}
	for _, m := range g.Modes {
		points[m.Name] = string(m.Points)
	}
	require.JSONEq(t, `{"modes":["social","engagement","popularity"],"streak":{"days":30,"times":1.5}}`, points["overall"])
	require.JSONEq(t, `{"counters":[
		{"name":"invites_accepted","title":"Invitations accepted","titles":{"de":"Angenommene Einladungen","es":"Invitaciones aceptadas","fr":"Invitations acceptées","pt-BR":"Convites aceitos","ja":"承認した招待","ar":"دعوات قبلتها"},"weight":3},
		{"name":"friends_new","title":"New friends","titles":{"de":"Neue Freunde","es":"Amistades nuevas","fr":"Nouveaux amis","pt-BR":"Novas amizades","ja":"新しい友達","ar":"أصدقاء جدد"},"weight":5},
		{"name":"dm_sent","title":"Messages sent","titles":{"de":"Gesendete Nachrichten","es":"Mensajes enviados","fr":"Messages envoyés","pt-BR":"Mensagens enviadas","ja":"送信したメッセージ","ar":"رسائل أرسلتها"},"weight":0.3,"cap":60},
		{"name":"room_sent","title":"Messages in rooms","titles":{"de":"Nachrichten in Räumen","es":"Mensajes en salas","fr":"Messages dans les salons","pt-BR":"Mensagens em salas","ja":"ルームでのメッセージ","ar":"رسائل في الغرف"},"weight":0.15,"cap":80}
	]}`, points["social"])
	require.NotContains(t, string(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body), `"points":{}`)
	require.NotContains(t, string(apitest.NewStack(t).Want(http.StatusOK, apitest.Get("/v1/game")).Body), `"points"`)
}
