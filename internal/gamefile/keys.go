package gamefile

import "slices"

// Key is one key of a game file: what may be there, what its absence means, and what people
// read about it. Readers take kinds, defaults and advice from here. The JSON Schema of game
// files and the tables of docs/reference/games.md are made from the same keys. Package game checks the
// bounds, for games from anywhere; a test compares them with those stated here.
type Key struct {
	Name     string
	Kind     Kind
	Text     string   // what it means, in Markdown, with links from docs/
	Default  string   // the default, as a file would have it; empty if there is none
	Absent   string   // what follows if it is left out, in words, where no value says it
	Required string   // what messages advise if it is missing; empty if it may be
	Unless   string   // a key that makes it needless to have this one
	Advice   string   // what messages advise in place of the kind's own advice
	Words    []string // the choices; for other kinds, words that may be in place of a value
	Noun     string   // what messages call one of the words; empty if package game reports others
	Decimals int      // places of a number
	Min, Max string   // bounds of a value, the length of a text, how many are in a list or table
	Pattern  string   // a pattern for texts, and for the keys of a table
	Reserved []string // what keys of a table may not be
	Distinct bool     // of a list: no item is there twice
	Holds    string   // what may be there, in Markdown, where it does not follow from the rest
	Of       *Key     // what a list or table has
	Keys     []Key    // of a mapping
	Also     *Key     // another kind of value that may be there
}

// Kind is what a value has to be.
type Kind int

const (
	Text Kind = iota
	Choice
	Boolean
	Number
	ModeScore // a number with the decimals of a mode
	Duration
	Rate
	Percent
	Date
	List
	Table   // a mapping with keys of the file's own
	Mapping // with keys of its own
)

const (
	Off      = "off"
	NameForm = `^[a-z][a-z0-9_]{0,39}$`
	UseMode  = "use the name of a mode"
)

// Field finds a key of a mapping, nil if it has none of this name.
func (k *Key) field(name string) *Key {
	if i := slices.IndexFunc(k.Keys, func(one Key) bool { return one.Name == name }); i >= 0 {
		return &k.Keys[i]
	}
	return nil
}

func (k *Key) names() []string {
	names := make([]string, len(k.Keys))
	for i := range k.Keys {
		names[i] = k.Keys[i].Name
	}
	return names
}

// as is the key, or what else may be there if that is of the kind.
func (k *Key) as(kind Kind) *Key {
	if k.Also != nil && k.Also.Kind == kind {
		return k.Also
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
