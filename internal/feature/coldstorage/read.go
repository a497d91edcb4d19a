package coldstorage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/framedle/leaderboards/internal/game"
)

var (
	// ErrDamaged is returned for a file that is not what was written: cut off, changed, or
	// another kind of file.
	ErrDamaged = errors.New("the file is damaged")
	// ErrOtherBoard is returned for an undamaged file of another board, or of other rules.
	ErrOtherBoard = errors.New("the file is of another board")
)

func damagedf(say string, of ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(say, of...))
}

// File is a board's file. Its footer can be trusted once Check has read the whole file.
type File struct {
	Head  Head
	file  *parquet.File
	board game.Board
}

// Open reads the footer of a file that must be the named board's.
//
// Errors: ErrDamaged, ErrOtherBoard.
func OpenFile(r io.ReaderAt, size int64, gameName string, b game.Board) (f *File, err error) {
	defer spoiled(&err)
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damagedf("%v", err)
	}
	head, err := readHead(file.Lookup)
	if err != nil {
		return nil, err
	}
	want := headOf(gameName, b)
	got := head
	got.Rows, got.SHA256 = 0, ""
	if got != want {
		return nil, fmt.Errorf("%w: it is %s of %s, %s %s, by the rules %q; want %s of %s, %s %s, by the rules %q", ErrOtherBoard,
			got.Mode, got.Game, got.Period, got.Key, got.Rules, want.Mode, want.Game, want.Period, want.Key, want.Rules)
	}
	if is, should := file.Schema().String(), schemaOf(b).String(); is != should {
		return nil, damagedf("its columns are %.200s", is)
	}
	if file.NumRows() != head.Rows {
		return nil, damagedf("it has %d rows, and its footer says %d", file.NumRows(), head.Rows)
	}
	return &File{head, file, b}, nil
}

// spoiled makes an error of a panic: the Parquet reader may panic on bytes that no writer has
// written.
func spoiled(err *error) {
	if said := recover(); said != nil {
		*err = damagedf("%v", said)
	}
}

// Check reads every row, and checks order, ranks, scores, count and hash against the file.
//
// Errors: ErrDamaged.
func (f *File) Check() error { return f.Each(func([]game.Result) error { return nil }) }

// readRows is how many rows are read at a time.
const readRows = 1000

// Each calls each with the results in board order, some at a time; the slice is reused. A
// damaged file may fail only at the end: if the results have an effect, call Check first.
//
// Errors: those of each, and ErrDamaged.
func (f *File) Each(each func([]game.Result) error) (err error) {
	defer spoiled(&err)
	sum, ranks := newDigest(f.Head), ranker{board: f.board}
	buf := make([]parquet.Row, readRows)
	results := make([]game.Result, 0, readRows)
	for _, group := range f.file.RowGroups() {
		rows := group.Rows()
		for err == nil {
			var n int
			n, err = rows.ReadRows(buf)
			if err != nil && !errors.Is(err, io.EOF) {
				_ = rows.Close()
				return damagedf("row %d: %v", ranks.rows+1, err)
			}
			results = results[:0]
			for _, values := range buf[:n] {
				r, bad := f.row(values, &ranks)
				if bad != nil {
					_ = rows.Close()
					return damagedf("row %d: %v", ranks.rows, bad)
				}
				sum.row(r)
				results = append(results, r.result)
			}
			if n > 0 {
				if stop := each(results); stop != nil {
					_ = rows.Close()
					return stop
				}
			}
		}
		if err = rows.Close(); err != nil {
			return damagedf("%v", err)
		}
	}
	if ranks.rows != f.Head.Rows {
		return damagedf("it has %d rows, and its footer says %d", ranks.rows, f.Head.Rows)
	}
	if is := sum.sum(); is != f.Head.SHA256 {
		return damagedf("its rows have the hash %s, and its footer says %.64s", is, f.Head.SHA256)
	}
	return nil
}

// row reads one row, and checks its columns against one another.
func (f *File) row(values parquet.Row, ranks *ranker) (r row, err error) {
	if want := len(f.file.Schema().Columns()); len(values) != want {
		return r, fmt.Errorf("it has %d columns; want %d", len(values), want)
	}
	bits := 3 + len(f.board.Mode.Values)
	r.result.Player = strings.Clone(values[1].String())
	r.result.Stored = math.Float64frombits(uint64(values[bits].Int64()))
	if r.rank, err = ranks.next(r.result); err != nil {
		return r, err
	}
	if is := values[0].Int64(); is != r.rank {
		return r, fmt.Errorf("rank %d should be %d", is, r.rank)
	}
	score := r.result.Score()
	if is := values[2].Int64(); is != int64(score) {
		return r, fmt.Errorf("the score %d should be %d", is, score)
	}
	for i, v := range f.board.Mode.Unpack(score) {
		if is := values[3+i].Int64(); is != int64(v) {
			return r, fmt.Errorf("%s is %d and should be %d", f.board.Mode.Values[i].Name, is, v)
		}
	}
	if !whole(f.board) {
		return r, nil
	}
	r.scopes, r.scoped = text(values[bits+1]), text(values[bits+2])
	if details := text(values[bits+3]); details != nil {
		r.result.Details = json.RawMessage(*details)
	}
	r.result.Scopes, err = scopesOf(r)
	return r, err
}

func text(v parquet.Value) *string {
	if v.IsNull() {
		return nil
	}
	s := strings.Clone(v.String())
	return &s
}

func scopesOf(r row) ([]game.ScopedResult, error) {
	if r.scopes == nil {
		return nil, nil
	}
	var stored []float64
	if r.scoped != nil {
		for number := range strings.SplitSeq(*r.scoped, ",") {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil {
				return nil, err
			}
			stored = append(stored, n)
		}
	}
	return game.SplitScopes(r.result.Stored, strings.Split(*r.scopes, ","), stored)
}
