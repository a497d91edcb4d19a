package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhereThePlayerIs(t *testing.T) {
	s := apitest.NewStack(t)
	from := func(country string, c apitest.Call) apitest.Call { return c.With("CloudFront-Viewer-Country", country) }
	const inBrazil = `{"mode":"daily","score":1,"country":"BR"}`
	claimed := func(player, country string) string { return s.TokenWith(player, map[string]any{"country": country}) }
	for _, c := range []apitest.Call{
		s.As("said", apitest.Post(apitest.Scores, inBrazil)),
		from("BR", s.As("guessed", apitest.Post(apitest.Scores, `{"mode":"daily","score":1}`))),
		from("PT", apitest.Post(apitest.Scores, `{"mode":"daily","score":1}`)).Bearer(claimed("claimed", "BR")),
		from("PT", s.As("said_over_guessed", apitest.Post(apitest.Scores, inBrazil))),
		apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"country":"PT"}`).Bearer(claimed("claimed_over_said", "BR")),
		apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"country":"BR","player":"served"}`).Signed(),
		// What the network knows of a game server says nothing of its players,
		// and what it does not know is no country.
		from("BR", apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"player":"served_from"}`).Signed()),
		from("XX", s.As("nowhere", apitest.Post(apitest.Scores, `{"mode":"daily","score":1}`))),
	} {
		s.Want(http.StatusCreated, c)
	}
	require.ElementsMatch(t, []string{"said", "guessed", "claimed", "said_over_guessed", "claimed_over_said", "served"}, s.Players(apitest.Daily+"?scope=country:BR"))
	require.Empty(t, s.Players(apitest.Daily+"?scope=country:PT"))
	require.Len(t, s.Players(apitest.Daily), 8)
}

func TestGroupsAreThoseOfTheToken(t *testing.T) {
	s := apitest.NewStack(t)
	member := s.TokenWith("member", map[string]any{"o": map[string]any{"id": "guild"}})
	s.Want(http.StatusForbidden, apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"groups":["other"]}`).Bearer(member))
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"groups":["guild","guild"]}`).Bearer(member))
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"daily","score":2,"player":"served","groups":["guild","other"]}`).Signed())
	s.Play("stranger", "daily", "3")
	require.Equal(t, []string{"served", "member"}, s.Players(apitest.Daily+"?scope=group:guild"))
	require.Equal(t, []string{"served"}, s.Players(apitest.Daily+"?scope=group:other&period=week"))
}

func TestACardTellsHowThePlayerIsShownAndWhatWasSent(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Set(apitest.Noon.AddDate(0, 0, -1))
	s.Play("user_b", "daily", "900")
	s.Play("user_a", "daily", "800")
	s.Clock.Set(apitest.Noon)
	token := s.TokenWith("user_a", map[string]any{"name": "Ana", "picture": "https://img.example.com/a.png", "country": "BR"})
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"daily","score":800,"details":{"guesses":2, "words":["a b"]}}`).Bearer(token))
	s.Play("user_b", "daily", "700")
	s.Play("user_c", "daily", "600")
	s.Play("user_d", "daily", "500")
	a := s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/me").Bearer(token))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"global","rank":1,"player":"user_a","score":800,"me":true,
		"name":"Ana","picture":"https://img.example.com/a.png","country":"BR","total":4,"percentile":100,"top_percent":25,
		"previous_rank":2,"rank_change":1,"details":{"guesses":2,"words":["a b"]}}`, string(a.Body))
	a = s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/user_d"))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"global","rank":4,"player":"user_d","score":500,
		"total":4,"percentile":25,"top_percent":100,"previous_rank":null,"rank_change":null}`, string(a.Body))
}

func TestALookupRanksThoseThatAreThere(t *testing.T) {
	s := apitest.NewStack(t)
	for player, score := range map[string]string{"user_a": "5", "user_b": "9", "user_c": "7"} {
		s.Play(player, "daily", score)
	}
	a := s.Want(http.StatusOK, apitest.Post(apitest.Lookup+"?period=day", `{"players":["user_a","nobody","user_c","user_a"]}`))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"global",
		"entries":[{"rank":1,"player":"user_c","score":7},{"rank":2,"player":"user_a","score":5}]}`, string(a.Body))
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Post(apitest.Lookup, `{"players":["nobody"]}`)).Body), `"entries":[]`)
}
