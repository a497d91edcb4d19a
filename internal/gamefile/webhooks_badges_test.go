package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/game"
)

const beforeWebhooks = "name: g\nmodes: {a: {max: 5}}\nbadges: {week: {title: A week, streak: 7}}\n"

func TestWebhooksSayWhoIsToldOfWhat(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte(beforeWebhooks+`webhooks:
  shop: {url: "https://shop.example.com/a?b=c", events: [badge.given]}
  inside: {url: https://10.0.0.7, events: [period.closed, badge.given], private: true}
  here: {url: "http://localhost:9000", events: [period.closed]}
`))
	require.NoError(t, err)
	require.Equal(t, webhook.Endpoints{
		{Name: "shop", URL: "https://shop.example.com/a?b=c", Events: []game.Happening{game.BadgeGiven}},
		{Name: "inside", URL: "https://10.0.0.7", Events: []game.Happening{game.PeriodClosed, game.BadgeGiven}, Private: true},
		{Name: "here", URL: "http://localhost:9000", Events: []game.Happening{game.PeriodClosed}},
	}, webhook.EndpointsOf(g))
	require.Equal(t, []string{"inside", "here"}, webhook.EndpointsOf(g).Listening(game.PeriodClosed))
	require.Empty(t, webhook.EndpointsOf(g).Listening(game.LeagueRolled))
}

func TestAWrongWebhookSaysWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"webhooks: {}": "g.yaml:4: webhooks: there are none; declare one, as in shop: {url: https://shop.example.com/hooks, events: [period.closed]}, or leave webhooks out",
		"webhooks:\n  x: {events: [period.closed]}":                                       "g.yaml:5: webhooks.x.url: it is missing; say where its events are sent",
		"webhooks:\n  x: {url: https://a.example.com}":                                    "g.yaml:5: webhooks.x.events: it is missing; use a list such as [period.closed, badge.given]",
		"webhooks:\n  x: {url: https://a.example.com, events: []}":                        "g.yaml:5: webhooks.x.events: it gets no events; name at least one of period.closed, season.closed, badge.given, league.rolled",
		"webhooks:\n  x: {url: https://a.example.com, events: [score]}":                   `g.yaml:5: webhooks.x.events: "score" is not an event; use period.closed, season.closed, badge.given, league.rolled`,
		"webhooks:\n  x: {url: http://a.example.com, events: [period.closed]}":            "g.yaml:5: webhooks.x.url: what is sent there can be read and changed on the way; use an https address such as https://shop.example.com/leaderboards, or http://localhost:9000 in development",
		"webhooks:\n  x: {url: 'https://me:secret@a.example.com', events: [badge.given]}": "g.yaml:5: webhooks.x.url: it has a user and a password, which a game file is no place for; leave them out: each message is signed",
		"webhooks:\n  x: {url: ftp://a.example.com, events: [badge.given]}":               `g.yaml:5: webhooks.x.url: "ftp://a.example.com" is not an address; use an https address such as https://shop.example.com/leaderboards, or http://localhost:9000 in development`,
		"webhooks:\n  X: {url: https://a.example.com, events: [badge.given]}":             `g.yaml:5: webhooks.X: "X" is not a name; use a letter a-z and up to 39 more of a-z, 0-9 and _`,
		"webhooks:\n  x: {url: https://a.example.com, events: [league.rolled]}":           "g.yaml:5: webhooks.x.events: the game has no leagues; declare leagues, or leave league.rolled out",
		"webhooks:\n  x: {url: https://a.example.com, events: [season.closed]}":           "g.yaml:5: webhooks.x.events: the game has no seasons; declare seasons, or leave season.closed out",
	} {
		_, err := parsed(t, "g.yaml", []byte(beforeWebhooks+text+"\n"))
		require.EqualError(t, err, want, text)
	}
}
