package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
)

const beforeCurrencies = "name: g\nmodes: {a: {max: 5}, c: {max: 5, renamed_from: b}, d: {max: 5}}\n"

func TestCurrenciesSayWhatAPlayEarns(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte(beforeCurrencies+"outbox: true\ncurrencies:\n  coins: {a: 1, c: 20}\n  gems: {c: 3}\n"))
	require.NoError(t, err)
	renamed, _ := g.ModeCalled("c")
	require.Equal(t, []wallet.Earning{{Currency: "coins", Amount: 20}, {Currency: "gems", Amount: 3}}, wallet.CurrenciesOf(g).Earned(renamed))
	plain, _ := g.Mode("a")
	require.Equal(t, []wallet.Earning{{Currency: "coins", Amount: 1}}, wallet.CurrenciesOf(g).Earned(plain))
	other, _ := g.Mode("d")
	require.Empty(t, wallet.CurrenciesOf(g).Earned(other))
	coins, ok := wallet.CurrenciesOf(g).Named("coins")
	require.True(t, ok)
	require.Equal(t, []*game.Mode{plain, renamed}, coins.EarnedBy(g.Modes))
	_, ok = wallet.CurrenciesOf(g).Named("stars")
	require.False(t, ok)
}

func TestAWrongCurrencySaysWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"currencies: coins":                      `g.yaml:3: currencies: "coins" is text; use keys and values`,
		"currencies: {coins: 1}":                 "g.yaml:3: currencies.coins: 1 is a number; use keys and values",
		"currencies: {coins: {}}":                "g.yaml:3: currencies.coins: nothing earns it; name modes and what one play of each earns, as in coins: {daily_frame: 1}",
		"currencies:\n  coins: {x: 1}":           "g.yaml:4: currencies.coins.x: the game has no such mode; use one of the game's modes",
		"currencies:\n  coins:\n    a: 0":        "g.yaml:5: currencies.coins.a: 0 is out of range; use 1 to 1000000",
		"currencies:\n  coins:\n    c: -2":       "g.yaml:5: currencies.coins.c: -2 is out of range; use 1 to 1000000",
		"currencies: {coins: {a: 1.5}}":          `g.yaml:3: currencies.coins.a: "1.5" is not a number of this kind; use a whole number within 2^53`,
		"currencies: {coins: {a: }}":             "g.yaml:3: currencies.coins.a: there is no value; use a whole number",
		"currencies: {Coins: {a: 1}}":            `g.yaml:3: currencies.Coins: "Coins" is not a name; use a letter a-z and up to 39 more of a-z, 0-9 and _`,
		"currencies: {c: {a: 1}}\noutbox: maybe": `g.yaml:4: outbox: "maybe" is text; use true or false`,
		"currencies: {a: {a: 1}, b: {a: 1}, c: {a: 1}, d: {a: 1}, e: {a: 1}, f: {a: 1}, g: {a: 1}, h: {a: 1}, i: {a: 1}}": "g.yaml:3: currencies: 9 are too many; use up to 8",
	} {
		_, err := parsed(t, "g.yaml", []byte(beforeCurrencies+text))
		require.EqualError(t, err, want, text)
	}
}
