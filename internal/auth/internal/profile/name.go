package profile

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxName = 80 // runes
	// maxMarks is how many combining marks one letter may bear. The scripts in
	// use need two, Hebrew three with its vowels; more run over the rows above.
	maxMarks = 3
)

// Name makes a name fit for one line of a page: trimmed, at most 80 runes,
// without what is not seen or spills over onto the neighbours' rows: control and
// format characters (those that reverse the direction of text and the tags of
// U+E0000 among them), marks on nothing, and all marks of a letter but the first
// three. "" where no letter or digit is left that can be seen.
func Name(name string) string {
	marks := maxMarks // nothing yet that one could stand on
	name = strings.Map(func(r rune) rune {
		switch {
		case unseen(r):
			return -1
		case unicode.IsSpace(r):
			marks = maxMarks
		case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
			if marks == maxMarks {
				return -1
			}
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks == maxMarks {
				return -1
			}
			marks++
		default:
			marks = 0
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if utf8.RuneCountInString(name) > maxName {
		name = strings.TrimSpace(string([]rune(name)[:maxName]))
	}
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return name
}

// NameFault says why a name is not fit as it is; "" where it is.
func NameFault(name string) string {
	switch fit := Name(name); {
	case fit == name:
		return ""
	case utf8.RuneCountInString(name) > maxName:
		return "this must be up to 80 characters"
	case fit == "":
		return "this must have a letter or a digit that can be seen"
	}
	return "this must not have control, invisible or tag characters, marks that reverse text, or more than 3 marks on a letter"
}

// Joiners shape emoji and the scripts of India and Persia.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// unseen reports what shows nothing, or nothing that anybody else would see
// alike. Fillers count as letters and symbols, and are blank.
func unseen(r rune) bool {
	switch r {
	case zeroWidthJoiner, zeroWidthNonJoiner:
		return false
	case '\u2028', '\u2029', // separators of lines and paragraphs
		'\u115f', '\u1160', '\u3164', '\uffa0', // Hangul fillers
		'\u2800', '\u034f', '\u17b4', '\u17b5': // the blank of Braille, a joiner, vowels without a shape
		return true
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co) || r >= 0xE0000 && r < 0xE0100
}
