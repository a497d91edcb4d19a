package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func (s *stack) players(target string) []string {
	s.Helper()
	names := []string{}
	for _, e := range s.page(target).Entries {
		names = append(names, e.Player)
	}
	return names
}

func TestWhereThePlayerIs(t *testing.T) {
	s := newStack(t)
	from := func(country string, c call) call { return c.with("CloudFront-Viewer-Country", country) }
	const inBrazil = `{"mode":"daily","score":1,"country":"BR"}`
	claimed := func(player, country string) string { return s.tokenWith(player, map[string]any{"country": country}) }
	for _, c := range []call{
		s.as("said", post(scores, inBrazil)),
		from("BR", s.as("guessed", post(scores, `{"mode":"daily","score":1}`))),
		from("PT", post(scores, `{"mode":"daily","score":1}`)).bearer(claimed("claimed", "BR")),
		from("PT", s.as("said_over_guessed", post(scores, inBrazil))),
		post(scores, `{"mode":"daily","score":1,"country":"PT"}`).bearer(claimed("claimed_over_said", "BR")),
		post(scores, `{"mode":"daily","score":1,"country":"BR","player":"served"}`).signed(),
		// What the network knows of a game server says nothing of its players,
		// and what it does not know is no country.
		from("BR", post(scores, `{"mode":"daily","score":1,"player":"served_from"}`).signed()),
		from("XX", s.as("nowhere", post(scores, `{"mode":"daily","score":1}`))),
	} {
		s.want(http.StatusCreated, c)
	}
	require.ElementsMatch(t, []string{"said", "guessed", "claimed", "said_over_guessed", "claimed_over_said", "served"}, s.players(daily+"?scope=country:BR"))
	require.Empty(t, s.players(daily+"?scope=country:PT"))
	require.Len(t, s.players(daily), 8)
}

func TestGroupsAreThoseOfTheToken(t *testing.T) {
	s := newStack(t)
	member := s.tokenWith("member", map[string]any{"o": map[string]any{"id": "guild"}})
	s.want(http.StatusForbidden, post(scores, `{"mode":"daily","score":1,"groups":["other"]}`).bearer(member))
	s.want(http.StatusCreated, post(scores, `{"mode":"daily","score":1,"groups":["guild","guild"]}`).bearer(member))
	s.want(http.StatusCreated, post(scores, `{"mode":"daily","score":2,"player":"served","groups":["guild","other"]}`).signed())
	s.play("stranger", "daily", "3")
	require.Equal(t, []string{"served", "member"}, s.players(daily+"?scope=group:guild"))
	require.Equal(t, []string{"served"}, s.players(daily+"?scope=group:other&period=week"))
}

func TestACardTellsHowThePlayerIsShownAndWhatWasSent(t *testing.T) {
	s := newStack(t)
	s.clock.Set(noon.AddDate(0, 0, -1))
	s.play("user_b", "daily", "900")
	s.play("user_a", "daily", "800")
	s.clock.Set(noon)
	token := s.tokenWith("user_a", map[string]any{"name": "Ana", "picture": "https://img.example.com/a.png", "country": "BR"})
	s.want(http.StatusCreated, post(scores, `{"mode":"daily","score":800,"details":{"guesses":2, "words":["a b"]}}`).bearer(token))
	s.play("user_b", "daily", "700")
	s.play("user_c", "daily", "600")
	s.play("user_d", "daily", "500")
	a := s.want(http.StatusOK, get(daily+"/players/me").bearer(token))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"global","rank":1,"player":"user_a","score":800,"me":true,
		"name":"Ana","picture":"https://img.example.com/a.png","country":"BR","total":4,"percentile":100,"top_percent":25,
		"previous_rank":2,"rank_change":1,"details":{"guesses":2,"words":["a b"]}}`, string(a.body))
	a = s.want(http.StatusOK, get(daily+"/players/user_d"))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"global","rank":4,"player":"user_d","score":500,
		"total":4,"percentile":25,"top_percent":100,"previous_rank":null,"rank_change":null}`, string(a.body))
}

func TestALookupRanksThoseThatAreThere(t *testing.T) {
	s := newStack(t)
	for player, score := range map[string]string{"user_a": "5", "user_b": "9", "user_c": "7"} {
		s.play(player, "daily", score)
	}
	a := s.want(http.StatusOK, post(lookup+"?period=day", `{"players":["user_a","nobody","user_c","user_a"]}`))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"global",
		"entries":[{"rank":1,"player":"user_c","score":7},{"rank":2,"player":"user_a","score":5}]}`, string(a.body))
	require.Contains(t, string(s.want(http.StatusOK, post(lookup, `{"players":["nobody"]}`)).body), `"entries":[]`)
}
