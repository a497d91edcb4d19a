package gamefile

import "slices"

// key is one key of a game file: what may be there, what its absence means, and what people
// read about it. Readers take kinds, defaults and advice from here. The JSON Schema of game
// files and the tables of docs/reference/games.md are made from the same keys. Package game checks the
// bounds, for games from anywhere; a test compares them with those stated here.
type key struct {
	name      string
	kind      kind
	text      string   // what it means, in Markdown, with links from docs/
	usual     string   // the default, as a file would have it; empty if there is none
	otherwise string   // what follows if it is left out, in words, where no value says it
	need      string   // what messages advise if it is missing; empty if it may be
	without   string   // a key that makes it needless to have this one
	want      string   // what messages advise in place of the kind's own advice
	words     []string // the choices; for other kinds, words that may be in place of a value
	noun      string   // what messages call one of the words; empty if package game reports others
	decimals  int      // places of a number
	min, max  string   // bounds of a value, the length of a text, how many are in a list or table
	form      string   // a pattern for texts, and for the keys of a table
	reserved  []string // what keys of a table may not be
	distinct  bool     // of a list: no item is there twice
	holds     string   // what may be there, in Markdown, where it does not follow from the rest
	of        *key     // what a list or table has
	keys      []key    // of a mapping
	also      *key     // another kind of value that may be there
}

// kind is what a value has to be.
type kind int

const (
	text kind = iota
	choice
	boolean
	number
	score // a number with the decimals of a mode
	duration
	rate
	percent
	date
	list
	table   // a mapping with keys of the file's own
	mapping // with keys of its own
)

const (
	off      = "off"
	nameForm = `^[a-z][a-z0-9_]{0,39}$`
	modeName = "use the name of a mode"
)

// field finds a key of a mapping, nil if it has none of this name.
func (k *key) field(name string) *key {
	if i := slices.IndexFunc(k.keys, func(one key) bool { return one.name == name }); i >= 0 {
		return &k.keys[i]
	}
	return nil
}

func (k *key) names() []string {
	names := make([]string, len(k.keys))
	for i := range k.keys {
		names[i] = k.keys[i].name
	}
	return names
}

// as is the key, or what else may be there if that is of the kind.
func (k *key) as(kind kind) *key {
	if k.also != nil && k.also.kind == kind {
		return k.also
	}
	return k
}

// nearest is the name that differs from a word by a letter or two, if there is one: one that is
// missing, too many, another, or has changed places with its neighbour.
func nearest(word string, names []string) (near string) {
	least := min(2, len(word)/2) + 1
	for _, name := range names {
		if d := distance(word, name); d < least {
			near, least = name, d
		}
	}
	return near
}

func distance(a, b string) int {
	if len(a) > longestKey || a == "" || b == "" {
		return max(len(a), len(b))
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
				continue
			}
			rows[i][j] = 1 + min(rows[i-1][j], rows[i][j-1], rows[i-1][j-1])
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], 1+rows[i-2][j-2])
			}
		}
	}
	return rows[len(a)][len(b)]
}
