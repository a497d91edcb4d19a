package play

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// composedForm returns the characters of a text in Unicode's form NFC: some systems write é as
// one character, others as two.
func composedForm(text string) []rune { return []rune(norm.NFC.String(text)) }

// rightCharacters is how many characters were typed, less the edits that make of them what
// the text begins with: a wrong character, one left out and one too many cost one each,
// wherever they are. A player whose time is over has typed a part of the text.
func rightCharacters(typed, text []rune) int64 { return int64(len(typed) - edits(typed, text)) }

// edits is the edit distance (Levenshtein) from what was typed to the prefix of the text that is
// closest to it. It computes 64 cells of a column of the usual table at once, as bits that say
// where the cell below is one more or one less (Myers 1999, Hyyrö 2003): whatever 600 key downs
// bring costs a third of a millisecond at most, on a slow machine.
func edits(typed, text []rune) int {
	n := len(typed)
	text = text[:min(len(text), 2*n)] // a longer prefix is further away than none
	words := (n + word - 1) / word
	more, less := make([]uint64, words), make([]uint64, words)
	for i := range more {
		more[i] = ^uint64(0)
	}
	places := placesOf(typed, text)
	least, distance := n, n
	for _, c := range text {
		at := places[c]
		rising, falling := uint64(1), uint64(0) // along the row above: each prefix is one longer
		for w := range words {
			equal := uint64(0)
			if at != nil {
				equal = at[w]
			}
			vertical := equal | less[w]
			equal |= falling
			horizontal := ((equal & more[w]) + more[w]) ^ more[w] | equal
			up, down := less[w]|^(horizontal|more[w]), more[w]&horizontal
			if w == words-1 {
				last := uint((n - 1) % word)
				distance += int(up>>last&1) - int(down>>last&1)
			}
			up, rising = up<<1|rising, up>>(word-1)
			down, falling = down<<1|falling, down>>(word-1)
			more[w], less[w] = down|^(vertical|up), up&vertical
		}
		least = min(least, distance)
	}
	return least
}

// word is how many cells are computed at once.
const word = 64

// placesOf has, for each character of a text that another one has too, the bits of its
// positions.
func placesOf(typed, text []rune) map[rune][]uint64 {
	places := map[rune][]uint64{}
	for _, c := range text {
		places[c] = nil
	}
	for i, c := range typed {
		at, wanted := places[c]
		if !wanted {
			continue
		}
		if at == nil {
			at = make([]uint64, (len(typed)+word-1)/word)
			places[c] = at
		}
		at[i/word] |= 1 << (i % word)
	}
	return places
}

// composing is how many key downs, of so many, may have composed characters of a text with
// others: the page of the player does not say. A character takes at most a key down for each
// character of its canonical decomposition, as of dead keys and of Korean letters. So a key down
// that was wrong and taken back may pass for one that composed.
func composing(typed []rune, keys int64) int64 {
	apart := norm.NFD.String(string(typed))
	most := int64(utf8.RuneCountInString(apart))
	for _, letter := range apart {
		if strings.ContainsRune(twoKeys, letter) {
			most++
		}
	}
	return min(most, max(keys, int64(len(typed)))) - int64(len(typed))
}

// twoKeys are the vowels and finals of Korean that are typed as two letters on the usual
// (two-set) keyboard: ㅘㅙㅚㅝㅞㅟㅢ, and ㄳㄵㄶㄺㄻㄼㄽㄾㄿㅀㅄ.
const twoKeys = "\u116a\u116b\u116c\u116f\u1170\u1171\u1174" +
	"\u11aa\u11ac\u11ad\u11b0\u11b1\u11b2\u11b3\u11b4\u11b5\u11b6\u11b9"
