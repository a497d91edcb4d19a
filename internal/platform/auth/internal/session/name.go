package session

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

const (
	maxName = 80 // runes
	// maxMarks is how many combining marks one letter may have. The scripts in use need two,
	// Hebrew with vowels three; more would cover the rows above.
	maxMarks = 3
)

// Name makes a name fit for one line of a page: at most 80 runes, single spaces, none at the
// ends. It removes what is invisible, what may become anything, and what spills over onto
// neighbouring rows:
//
//   - control, format and private characters, what Unicode has not assigned, what it calls
//     ignorable by default, and the few other characters that are blank;
//   - marks without a letter, and all marks of a letter but the first three.
//
// Of what is ignorable it keeps what shapes the characters around it: the joiners and selectors
// of emoji and of the scripts that write with them, and the flags that are spelt in tags. It
// returns "" if no visible letter or digit is left.
//
// PRECIS (RFC 8266) has rules for nicknames, but they know neither emoji with selectors and
// joiners nor the variants of ideographs.
func Name(name string) string {
	var fit []rune
	rest := []rune(name)
	marks, space := maxMarks, false // no letter yet that a mark could belong to
	keep := func(some ...rune) {
		if space && len(fit) > 0 {
			fit = append(fit, ' ')
		}
		fit, space = append(fit, some...), false
	}
	for len(rest) > 0 && len(fit) <= maxName {
		r := rest[0]
		rest = rest[1:]
		switch {
		case unicode.IsSpace(r): // line ends and tabs too
			marks, space = maxMarks, true
		case r == blackFlag:
			keep(r)
			tags := flagTags(rest)
			fit, rest, marks = append(fit, tags...), rest[len(tags):], 0
		case ignorable(r):
			if !space && shapes(fit, r, rest) {
				fit = append(fit, r)
				if r != zeroWidthJoiner && r != zeroWidthNonJoiner { // as a mark of its letter
					marks++
				}
			}
		case unseen(r):
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks < maxMarks {
				marks++
				keep(r)
			}
		default:
			marks = 0
			keep(r)
		}
	}
	if len(fit) > maxName {
		return Name(firstWhole(string(fit)))
	}
	if !slices.ContainsFunc(fit, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return string(fit)
}

// firstWhole returns as many of a name's grapheme clusters as fit, from its beginning on. A
// cluster that would fit into no name is cut: letters of India that viramas join may go on for
// ever.
func firstWhole(name string) string {
	var fit []rune
	for each := graphemes.FromString(name); each.Next(); {
		cluster := []rune(each.Value())
		if room := maxName - len(fit); len(cluster) > room {
			if len(cluster) > maxName {
				fit = append(fit, cluster[:room]...)
			}
			break
		}
		fit = append(fit, cluster...)
	}
	return string(fit)
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
	return "this must not have control, invisible, unassigned or tag characters, marks that reverse text, more than 3 marks on a letter, or more than one space in a row"
}

// unseen reports whether a character is invisible or looks different to different readers.
func unseen(r rune) bool {
	switch r {
	case '\u2028', '\u2029', // separators of lines and paragraphs
		'\u2800', '\U0001D159', // the blank of Braille, a head of a note that is not drawn
		'\U00013441', '\U00013442', '\U00016FE4', // blanks of hieroglyphs, a filler of Khitan
		'\U0001107F', '\U0001BC9D', // a joiner of Brahmi numbers, a selector of shorthand
		'\ufffc', unicode.ReplacementChar: // in place of what is not there
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point) || unassigned(r)
}

// unassigned reports whether r is no character. Those that Unicode reserves for emoji are
// taken: phones have new ones years before Go's tables.
func unassigned(r rune) bool {
	return unicode.Is(unicode.Cn, r) && !(r < emojiEnd && pictograph(r))
}

// emojiEnd is the end of the blocks that emoji are assigned in.
const emojiEnd = 0x1FB00

// clusters counts grapheme clusters, which is what readers take for one character.
func clusters(text ...rune) (n int) {
	for each := graphemes.FromString(string(text)); each.Next(); n++ {
	}
	return n
}

// pictograph reports whether r is an emoji, or reserved for one: only these are one grapheme
// cluster with an emoji that a joiner adds (rule GB11 of UAX #29).
func pictograph(r rune) bool { return clusters(r, zeroWidthJoiner, '❤') == 1 }

const (
	zeroWidthNonJoiner      = '\u200c'
	zeroWidthJoiner         = '\u200d'
	mongolianVowelSeparator = '\u180e'
	keycap                  = '\u20e3'
	blackFlag               = '\U0001F3F4'
)

// flags are the flags that are spelt in tags behind a black flag: Unicode recommends these
// three for interchange (RGI_Emoji_Tag_Sequence), and fonts have no others.
var flags = [][]rune{
	[]rune("\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"), // England
	[]rune("\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"), // Scotland
	[]rune("\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F"), // Wales
}

// flagTags returns the tags with which a text begins, if they make a flag of a black flag.
func flagTags(text []rune) []rune {
	for _, tags := range flags {
		if len(text) >= len(tags) && string(text[:len(tags)]) == string(tags) {
			return text[:len(tags)]
		}
	}
	return nil
}

// ignorable reports whether a character cannot be seen and may shape those around it.
func ignorable(r rune) bool {
	switch r {
	case zeroWidthNonJoiner, zeroWidthJoiner, mongolianVowelSeparator:
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}

// shapes reports whether an ignorable character between a text and the rest of it has an effect
// that can be seen. One that has none would make two names that look the same.
func shapes(text []rune, r rune, rest []rune) bool {
	if len(text) == 0 {
		return false
	}
	last, next := text[len(text)-1], rune(0)
	if len(rest) > 0 {
		next = rest[0]
	}
	switch {
	case r == zeroWidthJoiner && pictograph(next) && clusters(append(text[:len(text):len(text)], r, next)...) == clusters(text...):
		return true
	case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return joins(text, r, rest)
	case r == mongolianVowelSeparator: // before the last vowel of a word
		return unicode.Is(unicode.Mongolian, last) && (next == 'ᠠ' || next == 'ᠡ')
	case unicode.Is(unicode.Mongolian, last):
		return unicode.IsLetter(last) && (r >= '\u180b' && r <= '\u180f')
	case unicode.Is(unicode.Unified_Ideograph, last): // registered and standardized variants
		return r >= '\U000E0100' || r >= '\ufe00' && r <= '\ufe02'
	case unicode.In(last, unicode.Myanmar, unicode.Phags_Pa, unicode.Manichaean):
		return unicode.IsLetter(last) && r == '\ufe00'
	case r == '\ufe0e' || r == '\ufe0f': // as text, as an emoji
		return pictograph(last) || next == keycap && (last >= '0' && last <= '9' || last == '#' || last == '*')
	}
	return false
}

// contextual is the rule for joiners in words of RFC 5892, appendix A: behind a virama, and
// those that part letters which would join.
var contextual = idna.New(idna.CheckJoiners(true))

// joins reports whether a joiner shapes the letters around it.
func joins(text []rune, r rune, rest []rune) bool {
	if r == zeroWidthNonJoiner && (len(rest) == 0 || !unicode.In(rest[0], unicode.L, unicode.M) || ignorable(rest[0])) {
		return false // it parts nothing
	}
	begin := len(text) - 1
	for begin > 0 && unicode.Is(unicode.M, text[begin]) {
		begin--
	}
	if !unicode.Is(unicode.Lo, text[begin]) { // of scripts without cases
		return false
	}
	if begin == len(text)-1 && len(rest) > 0 {
		// Ra and ya in Bengali, letters that touch in Sinhala; the a of English in Marathi.
		if virama(rest[0]) || r == zeroWidthJoiner && text[begin] == 'अ' && rest[0] == '\u0945' {
			return true
		}
	}
	word := append(text[begin:len(text):len(text)], r)
	for _, after := range rest[:min(len(rest), maxMarks+1)] {
		mark := unicode.Is(unicode.M, after)
		if mark || unicode.IsLetter(after) {
			word = append(word, after)
		}
		if !mark {
			break
		}
	}
	_, err := contextual.ToUnicode(string(word))
	return err == nil
}

// virama reports whether a mark takes the vowel from a letter.
func virama(r rune) bool { return norm.NFC.PropertiesString(string(r)).CCC() == 9 }
