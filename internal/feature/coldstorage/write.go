package coldstorage

import (
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	// groupRows bounds the memory of a writer and a reader: some 5 MB.
	groupRows = 1 << 16
	// writer is the program that the footer names as the file's writer. The format has the
	// version: releases of the product do not change the bytes.
	writer = "framedle-leaderboards"
)

// Results calls each with a board's results in board order, some at a time; it may reuse the
// slice.
type Results func(each func([]game.Result) error) error

// Write writes a board of a game to w, and returns the footer. It holds some 65,000 rows in
// memory.
//
// Errors: those of the results and of w, and results that are not in the board's order.
func Write(w io.Writer, gameName string, b game.Board, results Results) (Head, error) {
	head := headOf(gameName, b)
	sum := newDigest(head)
	out := parquet.NewWriter(w, schemaOf(b), parquet.CreatedBy(writer, format, ""), parquet.MaxRowsPerRowGroup(groupRows),
		parquet.Compression(&parquet.Snappy), parquet.DataPageStatistics(false))
	ranks := ranker{board: b}
	var rows []parquet.Row
	err := results(func(page []game.Result) error {
		rows = rows[:0]
		for _, r := range page {
			rank, err := ranks.next(r)
			if err != nil {
				return err
			}
			one := row{rank: rank, result: r}
			if whole(b) {
				one.scopes, one.scoped = game.JoinScopes(r)
			} else {
				one.result.Scopes, one.result.Details = nil, nil
			}
			sum.row(one)
			rows = append(rows, valuesOf(b, one))
		}
		_, err := out.WriteRows(rows)
		return err
	})
	if err != nil {
		return Head{}, err
	}
	head.Rows, head.SHA256 = ranks.rows, sum.sum()
	for _, f := range head.fields() {
		out.SetKeyValueMetadata(f.name, *f.value)
	}
	out.SetKeyValueMetadata(rowsField, strconv.FormatInt(head.Rows, 10))
	out.SetKeyValueMetadata(sha256Field, head.SHA256)
	return head, out.Close()
}

// valuesOf returns a row, column by column.
func valuesOf(b game.Board, r row) parquet.Row {
	values := make(parquet.Row, 0, 7+len(b.Mode.Values))
	put := func(v parquet.Value) { values = append(values, v.Level(0, 0, len(values))) }
	score := r.result.Score()
	put(parquet.Int64Value(r.rank))
	put(parquet.ByteArrayValue([]byte(r.result.Player)))
	put(parquet.Int64Value(int64(score)))
	for _, v := range b.Mode.Unpack(score) {
		put(parquet.Int64Value(int64(v)))
	}
	put(parquet.Int64Value(int64(math.Float64bits(r.result.Stored))))
	if !whole(b) {
		return values
	}
	var details *string
	if len(r.result.Details) > 0 {
		text := string(r.result.Details)
		details = &text
	}
	for _, text := range []*string{r.scopes, r.scoped, details} {
		if text == nil {
			put(parquet.NullValue())
			continue
		}
		values = append(values, parquet.ByteArrayValue([]byte(*text)).Level(0, 1, len(values)))
	}
	return values
}
