package profile

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxName = 80 // runes
	// maxMarks is how many combining marks one letter may have. The scripts in use need two,
	// Hebrew with vowels three; more would cover the rows above.
	maxMarks = 3
)

// Name makes a name fit for one line of a page: at most 80 runes, single spaces, none at the
// ends. It removes what is invisible or spills over onto neighbouring rows: control and
// format characters (including those that reverse the direction of text, and the tags of
// U+E0000), the replacement character, marks without a letter, all marks of a letter but the
// first three, and joiners that join nothing. It returns "" if no visible letter or digit is
// left.
func Name(name string) string {
	var fit []rune
	marks, space, joiner := maxMarks, false, rune(0) // no letter yet that a mark could belong to
	for _, r := range name {
		switch {
		case unicode.IsSpace(r): // line ends and tabs too
			marks, space, joiner = maxMarks, true, 0
			continue
		case unseen(r), unicode.Is(unicode.Variation_Selector, r) && !hasVariants(fit):
			continue
		case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
			if marks < maxMarks && !space && !unjoined(fit) {
				joiner = r
			}
			continue
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks == maxMarks {
				continue
			}
			marks++
		default:
			marks = 0
		}
		switch {
		case space && len(fit) > 0:
			fit = append(fit, ' ')
		case joiner != 0:
			fit = append(fit, joiner)
		}
		space, joiner = false, 0
		if fit = append(fit, r); len(fit) >= maxName {
			fit = fit[:maxName]
			break
		}
	}
	if !slices.ContainsFunc(fit, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return strings.TrimRight(string(fit), " \u200c\u200d")
}

// unjoined reports whether a joiner after the last letter of a name would have no visible
// effect. Such a joiner would make two names that look the same.
func unjoined(name []rune) bool {
	for _, r := range slices.Backward(name) {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			return unicode.IsDigit(r) || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian,
				unicode.Hebrew, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
		}
	}
	return true
}

// hasVariants reports whether the last character of a name has variants that look different:
// emoji and Mongolian letters have.
func hasVariants(name []rune) bool {
	return len(name) > 0 && (unicode.IsSymbol(name[len(name)-1]) || unicode.Is(unicode.Mongolian, name[len(name)-1]))
}

// NameFault says why Name would change a name; "" if it would not.
func NameFault(name string) string {
	switch fit := Name(name); {
	case fit == name:
		return ""
	case utf8.RuneCountInString(name) > maxName:
		return "this must be up to 80 characters"
	case fit == "":
		return "this must have a letter or a digit that can be seen"
	}
	return "this must not have control, invisible or tag characters, marks that reverse text, more than 3 marks on a letter, or more than one space in a row"
}

// Joiners shape emoji and the scripts of India and Persia.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// unseen reports whether a character is invisible or looks different to different readers.
// Fillers are classed as letters and symbols, but are blank.
func unseen(r rune) bool {
	switch r {
	case zeroWidthJoiner, zeroWidthNonJoiner:
		return false
	case '\u2028', '\u2029', // separators of lines and paragraphs
		'\u115f', '\u1160', '\u3164', '\uffa0', // Hangul fillers
		'\u2800', '\u034f', '\u17b4', '\u17b5': // the blank of Braille, a joiner, vowels without a shape
		return true
	}
	return r == unicode.ReplacementChar || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co) || r >= 0xE0000 && r < 0xE0100
}
