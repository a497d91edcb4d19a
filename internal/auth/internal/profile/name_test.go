package profile

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNamesAsOthersSeeThem(t *testing.T) {
	for name, want := range map[string]string{
		"Ana":                              "Ana",
		"  José 2 ":                        "José 2",
		"Jose\u0301":                       "Jose\u0301",
		"שָׁלוֹם":                          "שָׁלוֹם",
		"नमस्ते":                           "नमस्ते",
		"می\u200cخواهم":                    "می\u200cخواهم",
		"7":                                "7",
		"Zed👩\u200d🚀":                      "Zed👩\u200d🚀",
		"🔥":                                "",
		"...":                              "",
		"\u3164":                           "",
		"\u200d\u200d":                     "",
		"\u0301\u0301":                     "",
		"A\u202eB":                         "AB",
		"A  \t\n \u00a0\u3000 B":           "A B",
		"A\u200b\u2060\ufeffB":             "AB",
		"Ana\u200d":                        "Ana", // or there would be two of them
		"An\u200da":                        "Ana",
		"Jose\u0301\u200c":                 "Jose\u0301",
		"क्\u200d\u200d\u200dष":            "क्\u200dष",
		"नी\u200d":                         "नी",
		"1👩\u200d👩\u200d👧\u200d👦":          "1👩\u200d👩\u200d👧\u200d👦",
		"1❤\ufe0f\u200d🔥":                  "1❤\ufe0f\u200d🔥",
		"A\ufffdB":                         "AB", // of a surrogate that stood alone
		"A\U000E0101\ufe0f\ufe00B":         "AB",
		"ᠮ\u180b":                          "ᠮ\u180b",
		"A\U000E0041\U000E0042":            "A",
		"A\u0301 \u0301\u0301B":            "A\u0301 B",
		"A" + strings.Repeat("\u0301", 40): "A\u0301\u0301\u0301",
		"A" + strings.Repeat("\u0301\u0301\u0301\u200d", 10): "A\u0301\u0301\u0301",
		strings.Repeat("n", 90):                              strings.Repeat("n", 80),
	} {
		require.Equal(t, want, Name(name), "%+q", name)
		require.Equal(t, want == name, NameFault(name) == "", "%+q", name)
	}
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"Ana", "\u0301a", "A\u202e\U000E0041", "\u3164\xff", " \u200d a\u0301\u0301\u0301\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := Name(text)
		require.Equal(t, name, Name(name))
		require.Empty(t, NameFault(name), "%+q", name)
		if name == "" {
			return
		}
		require.True(t, strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }))
		require.NotContains(t, name, "  ")
		run := maxMarks
		for _, r := range name {
			require.False(t, unseen(r))
			switch {
			case unicode.In(r, unicode.Mn, unicode.Me):
				require.Less(t, run, maxMarks, "%+q", name)
				run++
			case unicode.IsSpace(r):
				require.Equal(t, ' ', r)
				run = maxMarks
			case r != zeroWidthJoiner && r != zeroWidthNonJoiner:
				run = 0
			}
		}
	})
}

func TestPicturesHaveOneForm(t *testing.T) {
	for address, want := range map[string]string{
		"https://img.example/a.png":              "https://img.example/a.png",
		"HTTPS://IMG.Example:443/A.png?b=C#frag": "https://img.example/A.png?b=C",
		"https://img.example:8443/a":             "https://img.example:8443/a",
		"https://img.example/a\"onerror=":        "https://img.example/a%22onerror=",
		"https://img.example":                    "https://img.example",
		"http://img.example/a":                   "",
		"https://user@img.example/a":             "",
		"https://[::1]/a":                        "",
		"https:img.example":                      "",
		"https://":                               "",
		"https://img.example/ü":                  "",
		"javascript:alert(1)":                    "",
		"https://a/" + strings.Repeat("x", 512):  "",
		"https://a/" + strings.Repeat("\"", 400): "",
	} {
		require.Equal(t, want, Picture(address), address)
	}
}

func FuzzPicture(f *testing.F) {
	for _, seed := range []string{"https://IMG.example:443/a?b#c", "https://a/%2f%zz", "https://a.b//..//?#", "https://a:/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		picture := Picture(address)
		require.Equal(t, picture, Picture(picture), "%q", address)
		require.LessOrEqual(t, len(picture), maxPicture)
		require.NotContains(t, picture, "#")
		require.True(t, picture == "" || strings.HasPrefix(picture, "https://"))
	})
}
func TestAnyNameBecomesOneShortLineAndStaysIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := Name(rapid.String().Draw(t, "name"))
		require.LessOrEqual(t, utf8.RuneCountInString(name), maxName)
		require.Equal(t, strings.TrimSpace(name), name)
		require.Equal(t, -1, strings.IndexFunc(name, unicode.IsControl))
		require.Equal(t, name, Name(name))
	})
}
