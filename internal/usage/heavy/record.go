package heavy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// largest bounds each number of a record, so that the sum of a million records does not
// overflow.
const largest = 1_000_000_000_000

// String packs a record: its total, its rest, and three words for each name, with one space
// between two. Names may have no space. With names of 136 bytes a record has at most 2.5 KB.
func (r Record) String() string {
	b := strconv.AppendInt(nil, r.Total, 10)
	b = strconv.AppendInt(append(b, ' '), r.Rest, 10)
	for _, e := range r.Entries {
		b = append(append(b, ' '), e.Name...)
		b = strconv.AppendInt(append(b, ' '), e.Count, 10)
		b = strconv.AppendInt(append(b, ' '), e.Over, 10)
	}
	return string(b)
}

// ParseRecord reads what String packs.
func ParseRecord(text string) (Record, error) {
	words := strings.Split(text, " ")
	if len(words) < 2 || len(words)%3 != 2 || len(words) > 2+3*Share {
		return Record{}, fmt.Errorf("%.80q is no record of callers: use two numbers, and a name and two numbers for each of at most %d", text, Share)
	}
	var failed error
	number := func(word string) int64 {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n < 0 || n > largest {
			failed = errors.Join(failed, fmt.Errorf("%.80q is no record of callers: %.20q is no number from 0 to %d", text, word, int64(largest)))
		}
		return n
	}
	r := Record{Total: number(words[0]), Rest: number(words[1])}
	for i := 2; i < len(words); i += 3 {
		e := Entry{Name: words[i], Count: number(words[i+1]), Over: number(words[i+2])}
		if e.Name == "" || e.Over > e.Count {
			failed = errors.Join(failed, fmt.Errorf("%.80q is no record of callers: name %d must have one, and no more over than there is", text, i/3+1))
		}
		r.Entries = append(r.Entries, e)
	}
	if failed != nil {
		return Record{}, failed
	}
	return r, nil
}
