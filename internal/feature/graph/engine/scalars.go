package engine

import (
	"errors"
	"strconv"
)

// raw is a scalar that is written as it is: Number, Values and Details. Queries cannot send
// one.
type raw []byte

// ImplementsGraphQLType reports whether raw implements a scalar of the schema.
func (raw) ImplementsGraphQLType(name string) bool {
	return name == "Number" || name == "Values" || name == "Details"
}

// UnmarshalGraphQL refuses every value, because no argument has such a type.
func (*raw) UnmarshalGraphQL(any) error { return errors.New("no argument is of this type") }

// MarshalJSON writes the scalar.
func (r raw) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

func whole(n int64) raw { return strconv.AppendInt(nil, n, 10) }

func decimal(n float64) raw { return strconv.AppendFloat(nil, n, 'f', -1, 64) }

// maybe is a scalar that may be absent.
func maybe(r []byte) *raw {
	if len(r) == 0 {
		return nil
	}
	made := raw(r)
	return &made
}

func maybeWhole(n *int64) *raw {
	if n == nil {
		return nil
	}
	return maybe(whole(*n))
}

func maybeDecimal(n *float64) *raw {
	if n == nil {
		return nil
	}
	return maybe(decimal(*n))
}

// required is a scalar that is always there, except while a query is planned.
func required(r *raw) raw {
	if r == nil {
		return nil
	}
	return *r
}

// shown is a text that may be absent; an empty text is.
func shown(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
