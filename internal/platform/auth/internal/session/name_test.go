package session

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

// The flags of England, Scotland and Wales are spelt in tags.
const (
	england  = "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"
	scotland = "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"
	wales    = "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F"
)

// Names that people have, and what they decorate them with. Each is shown byte for byte.
func TestProperNamesStayAsTheyAre(t *testing.T) {
	for _, name := range []string{
		"Ana", "José 2", "Jose\u0301", "O'Neil-Smith Jr.", "Nguyễn Thị Ánh", "Nguye\u0302\u0303n", "Łukasz", "Þórður", "İpek", "7",
		"Ελένη", "Юлія", "Հայկ", "ნინო", "שָׁלוֹם", "مُحَمَّد", "محمّد علي", "می\u200cخواهم", "عبد\u0670الله", "ܝܘܚܢܢ", "ދިވެހި", "ߒߞߏ", "𞤀𞤣𞤤𞤢𞤥",
		"नमस्ते", "क्\u200dष", "श्री", "अ\u200dॅलन", "র\u200d\u09cdযাচেল", "শ্রী", "ਗੁਰਪ੍ਰੀਤ", "ગુજરાતી", "ଓଡ଼ିଆ", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "ರ್\u200cಕ",
		"മലയാളം", "ന്\u200d", "അവന്\u200d", "അവന്\u200d രാജ്", "ശ്രീജിത്ത്", "ශ්\u200dරී", "ක්\u200dෂ", "ภูมิพล", "ທ້າວ", "མིང་", "བསྒྲུབས", "မြန်မာ", "ရွှေ", "ភ្នំពេញ",
		"ሰላም", "ᏣᎳᎩ", "ᐃᓄᒃᑎᑐᑦ", "李雷", "髙橋", "葛\U000E0100城", "辻\U000E0101", "神\ufe00", "さくら", "か\u3099", "サクラ", "김민준", "\u1100\u1161\u11a8",
		"ᠮ\u180bᠣ", "ᠠᠨᠳ\u180eᠠ", "ꡏ\ufe00", "𐐀𐐨", "𠮷野",
		"1\ufe0f\u20e3", "Ana 7\ufe0f\u20e3", "No #\ufe0f\u20e3 *\ufe0f\u20e3", "5\u20e3",
		"Ana " + england, "Ana " + scotland, "Ana" + wales + "!", "Ana 🏴", "Ana 🏴\u200d☠\ufe0f", "Ana 🇩🇪", "Ana 👍🏽", "Zed👩\u200d🚀", "Zed 👩🏽\u200d🚀",
		"1👩\u200d👩\u200d👧\u200d👦", "1❤\ufe0f\u200d🔥", "Ana ❤\ufe0f", "Ana ↔\ufe0e", "Ana ⌚\ufe0e", "Ana ©\ufe0f", "Ana 🏳\ufe0f\u200d🌈", "Ana 🧑\u200d🧑\u200d🧒",
		"Ana \U0001FAE9", "Ana \U0001F6D8", // of Unicode 16 and 17
		"๖ۣۜAna", "Ana™", "ಠ_ಠ", "ヽ(・ω・)ノ", "½", "Ⅷ", "★Ana★",
	} {
		require.Equal(t, name, Name(name), "%+q", name)
		require.Empty(t, NameFault(name), "%+q", name)
	}
}

// What cannot be seen is in no name, whatever Unicode calls it. Each is put in a name at its
// end, within it, behind an emoji and alone.
func TestWhatCannotBeSeenIsInNoName(t *testing.T) {
	unseen := []string{
		"\U0001D159", "\U00016FE4", "\ufffe", "\uffff", "\U0001FFFE", "\U0010FFFF", "\ufffc", "\ufffd", "\u0378", "\u2fe0", "\U00050000", "\U000E0080", "\U000E0FFF",
		"\U00013441", "\U00013442", "\U0001107F", "\U0001BC9D", "\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180b", "\u180e", "\u180f", "\u200b", "\u200e", "\u202e", "\u2060",
		"\u2064", "\u2066", "\u206f", "\u2800", "\u3164", "\ufe00", "\ufe0f", "\ufe0f\ufe0f", "\ufeff", "\uffa0", "\ufff0", "\ufff9", "\U0001BCA0", "\U0001D173", "\U000E0001",
		"\U000E0020", "\U000E0061\U000E007F", "\U000E0100", "\ue000", "\U000F0000", "\x00", "\x7f", "\u0085\u0085", "\u2028", "\u200d", "\u200c", "\u200d\u200d",
	}
	for _, invisible := range unseen {
		for _, name := range []string{"Ana" + invisible, "A" + invisible + "na", invisible + "Ana", invisible, "A " + invisible} {
			require.NotEmpty(t, NameFault(name), "%+q", name)
			shown := Name(name)
			require.Equal(t, strings.Trim(shown, "Ana "), "", "%+q becomes %+q", name, shown)
		}
	}
	for name, want := range map[string]string{
		"Ana 🏴\U000E0067\U000E0062":                                        "Ana 🏴", // a part of a flag
		"Ana 🏴\U000E0075\U000E0073\U000E0074\U000E0078\U000E007F":          "Ana 🏴", // of Texas, which no font has
		"Ana 🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067":          "Ana 🏴", // without its end
		"Ana \U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F": "Ana",
		"Ana" + england + "\U000E007F":                                     "Ana" + england,
		"Ana 👩\u200d":                                                      "Ana 👩",
		"Ana 👩\u200d👩\u200d":                                               "Ana 👩\u200d👩",
		"Ana 👩\u200dB":                                                     "Ana 👩B",
		"Ana B\u200d👩":                                                     "Ana B👩",
		"Ana 👩\u200d\u200d🚀":                                               "Ana 👩\u200d🚀",
		"Ana ❤\ufe0f\ufe0f":                                                "Ana ❤\ufe0f",
		"Ana 7\ufe0f":                                                      "Ana 7",
		"Ana a\ufe0f\u20e3":                                                "Ana a\u20e3",
		"Ana $\ufe0f":                                                      "Ana $",
		"葛\U000E0100\U000E0101":                                            "葛\U000E0100",
		"か\U000E0100":                                                      "か",
		"م\u200c":                                                          "م",
		"ᠠ्\u200c\ufe0e":                                                   "ᠠ्", // the selector has no letter, and goes
		"د\u200cا":                                                         "دا", // nothing joins behind a dal
		"ش\u200dا":                                                         "شا", // they join as they are
		"नी\u200d":                                                         "नी",
		"ന്\u200d\u200d":                                                   "ന്\u200d",
		"A\u180eB":                                                         "AB",
		"ᠠ\u180e":                                                          "ᠠ",
	} {
		require.Equal(t, want, Name(name), "%+q", name)
		require.NotEmpty(t, NameFault(name), "%+q", name)
	}
}

// Of all that Unicode may ever assign, behind a letter and at the end of a name: a character
// that it has not assigned, or that its data call ignorable by default, is left out.
func TestEveryCharacterThatIsIgnorableOrUnassignedIsLeftOut(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		ignorable := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Cf, unicode.Cc, unicode.Co, unicode.Noncharacter_Code_Point)
		emoji := r >= 0x1F000 && r < 0x1FB00 // to come
		if ignorable || unicode.Is(unicode.Cn, r) && !emoji {
			if name := "Ana" + string(r); Name(name) != "Ana" {
				require.Equal(t, "Ana", Name(name), "%+q", name)
			}
		}
	}
}

func TestALongNameIsCutBetweenCharactersThatAreSeen(t *testing.T) {
	for _, whole := range []string{"👩\u200d🚀", england, "1\ufe0f\u20e3", "葛\U000E0100", "a\u0301\u0302", "🇩🇪", "👍🏽"} {
		for before := 1; before < 80; before++ {
			name := Name(strings.Repeat("n", before) + strings.Repeat(whole, 80))
			require.Empty(t, strings.ReplaceAll(strings.TrimLeft(name, "n"), whole, ""), "%+q", name)
			require.LessOrEqual(t, utf8.RuneCountInString(name), 80)
			require.Greater(t, utf8.RuneCountInString(name), 80-utf8.RuneCountInString(whole), "%+q", name)
		}
	}
	require.Equal(t, strings.Repeat("ന്\u200d", 26)+"ന്", Name(strings.Repeat("ന്\u200d", 99)), "which is one grapheme cluster")
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
		for _, flag := range []string{england, scotland, wales} {
			name = strings.ReplaceAll(name, flag, "🏴")
		}
		for _, r := range name {
			require.False(t, unseen(r) && !ignorable(r), "%+q", name)
			switch {
			case unicode.In(r, unicode.Mn, unicode.Me):
				require.Less(t, run, maxMarks, "%+q", name)
				run++
			case unicode.IsSpace(r):
				require.Equal(t, ' ', r)
				run = maxMarks
			case r != zeroWidthJoiner && r != zeroWidthNonJoiner && r != mongolianVowelSeparator:
				run = 0
			}
		}
	})
}

func TestNamesOfWhatShapesAndWhatSpoilsStayAsTheyBecame(t *testing.T) {
	pieces := []string{"A", "1", "#", " ", "\u0301", "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3", "\u180b", "\u180e", "ᠠ", "م", "د", "خ", "\u064b", "क", "ष", "\u094d", "अ", "\u0945", "র", "\u09cd", "ন", "ന", "\u0d4d",
		"👩", "🚀", "👍", "🏽", "❤", "🏴", "🇩", england, scotland[:len(scotland)-4], "\U000E0067", "\U000E007F", "葛", "\U000E0100", "\ufe00", "ꡏ", "\U0001D159", "\u0378", "\U0001FAE9", "\U0001FADD", "\u200b", "\u1100", "ก", "ี่", "\t"}
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(0, 100).Draw(t, "pieces") {
			text.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
		}
		name := Name(text.String())
		require.Equal(t, name, Name(name), "%+q", name)
		require.Empty(t, NameFault(name), "%+q", name)
		require.LessOrEqual(t, utf8.RuneCountInString(name), maxName)
		require.True(t, utf8.ValidString(name))
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
