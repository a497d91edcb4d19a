package game_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// Every country that the product accepts is of exactly one continent, and the page offers
// these countries.
func TestEveryCountryIsOfOneContinent(t *testing.T) {
	page, err := os.ReadFile("../../web/src/page/countries.ts")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(page), `"`)
	list, _, _ = strings.Cut(list, `"`)
	found := map[string]int{}
	countries := 0
	for number := range int64(26 * 26) {
		code := game.CountryOf(number)
		if game.ValidCountry(code) != nil {
			require.Empty(t, game.ScopesByCountry(code), code)
			continue
		}
		require.True(t, strings.HasPrefix(list, code), "%s: the page lists %.6s…", code, list)
		list = list[len(code):]
		countries++
		scopes := game.ScopesByCountry(code)
		require.Len(t, scopes, 2, code)
		require.Equal(t, "country:"+code, scopes[0].String())
		continent := scopes[1].ID()
		require.Contains(t, game.Continents, continent, code)
		for _, other := range game.Continents {
			require.Equal(t, other == continent, scope(t, "region:"+other).HasCountry(code), "%s in %s", code, other)
		}
		found[continent]++
	}
	require.Empty(t, list)
	require.Equal(t, 250, countries)
	require.Equal(t, map[string]int{"AF": 59, "AN": 5, "AS": 51, "EU": 52, "NA": 41, "OC": 28, "SA": 14}, found)
}

func TestWellKnownCountriesAreWhereTheyAre(t *testing.T) {
	for continent, codes := range map[string][]string{
		"AF": {"EG", "NG", "ZA", "NA", "MA"}, "AN": {"AQ", "TF"}, "AS": {"AF", "CN", "IN", "JP", "SA", "TR", "CY"},
		"EU": {"DE", "PT", "RU", "GB", "IS", "XK"}, "NA": {"US", "CA", "MX", "PA", "JM", "GL"}, "OC": {"AU", "NZ", "FJ", "AS"},
		"SA": {"BR", "AR", "CO", "GF"},
	} {
		for _, code := range codes {
			require.True(t, scope(t, "region:"+continent).HasCountry(code), "%s in %s", code, continent)
		}
	}
}

// A mode's boards by country are those that it declares, whichever that is.
func TestAModeRanksACountrysPlayersByTheScopesItDeclares(t *testing.T) {
	for _, declared := range [][]game.ScopeKind{nil, {game.Country}, {game.Region}, {game.Group}, {game.Region, game.Group, game.Country}} {
		m := &game.Mode{Scopes: declared}
		var want []string
		if slices.Contains(declared, game.Country) {
			want = append(want, "country:BR")
		}
		if slices.Contains(declared, game.Region) {
			want = append(want, "region:SA")
		}
		var got []string
		for _, scope := range game.ScopesOf(m, "BR") {
			require.True(t, scope.ByCountry())
			got = append(got, scope.String())
		}
		require.Equal(t, want, got)
		require.Equal(t, want != nil, game.RanksByCountry(m))
		require.Empty(t, game.ScopesOf(m, "XX"))
		require.Empty(t, game.ScopesOf(m, ""))
	}
}
