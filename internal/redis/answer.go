package redis

import (
	"fmt"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Values reads an array of n values; want describes them in an error.
func Values(r upstash.Reply, n int, want string) ([]upstash.Reply, error) {
	values, err := r.Array()
	if err != nil {
		return nil, err
	}
	if len(values) != n {
		return nil, WrongShape(want, len(values))
	}
	return values, nil
}

// Texts reads an array of n texts, as Values does; nil becomes "".
func Texts(r upstash.Reply, n int, want string) ([]string, error) {
	values, err := Values(r, n, want)
	if err != nil {
		return nil, err
	}
	texts := make([]string, n)
	for i, value := range values {
		if texts[i], err = Text(value); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// Text reads a text; nil is "".
func Text(r upstash.Reply) (string, error) {
	if r.IsNil() {
		return "", nil
	}
	return r.Text()
}

// TextInto keeps a text; nil is "".
func TextInto(text *string) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		*text, err = Text(r)
		return err
	}
}

// Word reads the answer of a script if that is one text, see [NewScript].
func Word(r upstash.Reply, want string) (string, error) {
	values, err := Values(r, 2, want)
	if err != nil {
		return "", err
	}
	return values[1].Text()
}

// Count reads the answer of a script if that is one whole number.
func Count(r upstash.Reply, want string) (int64, error) {
	values, err := Values(r, 2, want)
	if err != nil {
		return 0, err
	}
	return values[1].Int64()
}

// Counts reads the answer of a script if that is n whole numbers.
func Counts(r upstash.Reply, n int, want string) ([]int64, error) {
	values, err := Values(r, 1+n, want)
	if err != nil {
		return nil, err
	}
	counts := make([]int64, n)
	for i := range counts {
		if counts[i], err = values[1+i].Int64(); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// WrongShape is the error of an answer with another number of values than was due.
func WrongShape(want string, got int) error {
	return fmt.Errorf("redis answered %d values where %s was due", got, want)
}

// IntInto keeps an integer answer.
func IntInto(n *int64) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		*n, err = r.Int64()
		return err
	}
}

// Place is a player's place on a board: position is zero-based, best first.
type Place struct {
	Position int64
	Stored   float64
	Found    bool
}

// PlaceInto keeps the answer of ZRANK or ZREVRANK … WITHSCORE.
func PlaceInto(p *Place) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		if r.IsNil() {
			*p = Place{}
			return nil
		}
		pair, err := Values(r, 2, "a rank with its score")
		if err != nil {
			return err
		}
		if p.Position, err = pair[0].Int64(); err != nil {
			return err
		}
		p.Stored, err = pair[1].Float64()
		p.Found = err == nil
		return err
	}
}

// ScoreInto keeps the answer of ZSCORE.
func ScoreInto(p *Place) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		if r.IsNil() {
			p.Found = false
			return nil
		}
		p.Stored, err = r.Float64()
		p.Found = err == nil
		return err
	}
}

// PlacesInto keeps the answer of ZMSCORE.
func PlacesInto(places []Place) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		scores, err := Values(r, len(places), "one score per player")
		if err != nil {
			return err
		}
		for i, score := range scores {
			if err := ScoreInto(&places[i])(score); err != nil {
				return err
			}
		}
		return nil
	}
}

// FieldsInto reads the answer of HGETALL.
func FieldsInto(take func(map[string]string) error) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		flat, err := r.Strings()
		if err != nil {
			return err
		}
		if len(flat)%2 != 0 {
			return WrongShape("fields with values", len(flat))
		}
		fields := make(map[string]string, len(flat)/2)
		for i := 0; i < len(flat); i += 2 {
			fields[flat[i]] = flat[i+1]
		}
		return take(fields)
	}
}

// Text is the stored score, "" for none.
func (p Place) Text() string {
	if !p.Found {
		return ""
	}
	return game.FormatStored(p.Stored)
}

// EntriesInto keeps the answer of ZRANGE … WITHSCORES, without ranks or names.
func EntriesInto(b game.Board, entries *[]game.Entry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		var members []Member
		if err := MembersInto(&members)(r); err != nil {
			return err
		}
		read := make([]game.Entry, len(members))
		for i, m := range members {
			read[i] = game.Entry{Player: m.Player, Stored: m.Stored, Score: b.Mode.Decode(m.Stored)}
		}
		*entries = read
		return nil
	}
}

// Fields reads fields of hashes, where one that is absent is empty. It keeps the first
// error of many.
type Fields struct{ Err error }

// Keep keeps an error, where it is the first.
func (f *Fields) Keep(err error) {
	if f.Err == nil {
		f.Err = err
	}
}

// Whole reads a whole number; an empty text is 0.
func (f *Fields) Whole(text string) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	f.Keep(err)
	return n
}

// Number reads a number as Redis writes them; an empty text is 0.
func (f *Fields) Number(text string) float64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	f.Keep(err)
	return n
}

// Time reads Unix milliseconds; an empty text is the zero time.
func (f *Fields) Time(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	return time.UnixMilli(f.Whole(text)).UTC()
}
