package session

import (
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

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
