package gamefile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTitlesAreReadByLanguage(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte("name: g\nmodes:\n  a: {title: Daily, titles: {de: Täglich, pt-BR: Diário}, max: 9, xp: 1}\n  b: {max: 9}\n"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"de": "Täglich", "pt-BR": "Diário"}, g.Modes[0].Titles)
	require.Nil(t, g.Modes[1].Titles)
}

func TestWrongTitlesAreNamed(t *testing.T) {
	many := make([]string, 21)
	for i := range many {
		many[i] = fmt.Sprintf("a%c: x", 'a'+i)
	}
	for titles, want := range map[string]string{
		"{german: x}":                        `"german" is not a language`,
		"{pt-br: x}":                         `"pt-br" is not a language`,
		"{d1: x}":                            `"d1" is not a language`,
		`{de: "a\tb"}`:                       `modes.a.titles.de: "a\tb" is not a title`,
		"{de: 5}":                            `modes.a.titles.de: 5 is a number; use what people read`,
		"Tagesbild":                          `modes.a.titles: "Tagesbild" is text; use keys and values`,
		"{" + strings.Join(many, ", ") + "}": "modes.a.titles: 21 languages are too many; use up to 20",
	} {
		_, err := parsed(t, "g.yaml", []byte("name: g\nmodes: {a: {max: 9, titles: "+titles+"}}\n"))
		require.ErrorContains(t, err, want, titles)
	}
}
