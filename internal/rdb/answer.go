package rdb

import "github.com/framedle/leaderboards/upstash"

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
