package coldstorage

import (
	"github.com/parquet-go/parquet-go"

	"github.com/framedle/leaderboards/internal/game"
)

// digits is the precision of decimals: an int64 holds any number of so many digits.
const digits = 18

// ordered is a group whose columns are in the listed order; parquet-go's own group orders them
// by name.
type ordered struct {
	parquet.Group
	names []string
}

func (o *ordered) add(name string, node parquet.Node) {
	o.Group[name] = node
	o.names = append(o.names, name)
}

// Fields implements [parquet.Node].
func (o *ordered) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, field := range o.Group.Fields() {
		byName[field.Name()] = field
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}

// number is the column of a number with so many decimal places.
func number(places int) parquet.Node {
	node := parquet.Int(64)
	if places > 0 {
		node = parquet.Decimal(places, digits, parquet.Int64Type)
	}
	return parquet.Encoded(node, &parquet.DeltaBinaryPacked)
}

// schemaOf returns the columns of a board's file.
func schemaOf(b game.Board) *parquet.Schema {
	o := &ordered{Group: parquet.Group{}}
	o.add("rank", number(0))
	o.add("player", parquet.Encoded(parquet.String(), &parquet.Plain))
	o.add("score", number(b.Mode.Decimals))
	for _, v := range b.Mode.Values {
		o.add("value_"+v.Name, number(v.Decimals))
	}
	o.add("bits", number(0))
	if whole(b) {
		for _, name := range []string{"scopes", "scoped", "details"} {
			o.add(name, parquet.Encoded(parquet.Optional(parquet.String()), &parquet.Plain))
		}
	}
	return parquet.NewSchema("board", o)
}

// whole reports whether a board's file has everything that is kept of its results, so that
// they can be restored from it. Other boards follow from days.
func whole(b game.Board) bool { return b.Period.Kind() == game.Day }
