package coldstorage

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Head is the content of a file's footer.
type Head struct {
	Format string // of the file: "1"
	Game   string
	Mode   string
	Period string // day, week, month or season
	Key    string // 2026-11-21
	Rules  string // the rules that give the stored numbers their meaning
	Rows   int64
	SHA256 string // of all of the above and every row, in hexadecimal
}

// format is the newest format of files.
const format = "1"

// headOf returns the head of a board's file, without its rows.
func headOf(game string, b game.Board) Head {
	return Head{Format: format, Game: game, Mode: b.Mode.Name, Period: b.Period.Kind().String(), Key: b.Period.Key(), Rules: rulesOf(b.Mode)}
}

// rulesOf names those rules of a mode that its stored numbers depend on.
func rulesOf(m *game.Mode) string {
	text := fmt.Sprintf("%s %s decimals %d", m.Order, m.Ties, m.Decimals)
	for _, v := range m.Values {
		text += fmt.Sprintf("; %s %s decimals %d from %d to %d", v.Name, v.Order, v.Decimals, v.Min, v.Max)
	}
	return text
}

// fields returns the fields of the footer, in the order in which they are hashed.
func (h *Head) fields() []struct {
	name  string
	value *string
} {
	return []struct {
		name  string
		value *string
	}{
		{"leaderboards.format", &h.Format}, {"leaderboards.game", &h.Game}, {"leaderboards.mode", &h.Mode},
		{"leaderboards.period", &h.Period}, {"leaderboards.key", &h.Key}, {"leaderboards.rules", &h.Rules},
	}
}

const (
	rowsField   = "leaderboards.rows"
	sha256Field = "leaderboards.sha256"
)

// readHead reads a footer.
func readHead(lookup func(string) (string, bool)) (h Head, err error) {
	need := func(name string) string {
		value, ok := lookup(name)
		if !ok && err == nil {
			err = damagedf("the footer has no %s: it is not a board's file", name)
		}
		return value
	}
	for _, f := range h.fields() {
		*f.value = need(f.name)
	}
	rows := need(rowsField)
	h.SHA256 = need(sha256Field)
	if err == nil && h.Format != format {
		return h, fmt.Errorf("the file has format %.20q: this build reads %s", h.Format, format)
	}
	if err == nil {
		if h.Rows, err = strconv.ParseInt(rows, 10, 64); err != nil || h.Rows < 0 {
			err = damagedf("%s is %.30q: want a count", rowsField, rows)
		}
	}
	return h, err
}

// row is one row of a file, as it is written.
type row struct {
	rank   int64
	result game.Result
	scopes *string
	scoped *string
}

// digest hashes the head and every row.
type digest struct {
	hash hash.Hash
	buf  []byte
}

func newDigest(h Head) *digest {
	d := &digest{hash: sha256.New()}
	for _, f := range h.fields() {
		d.text(*f.value)
	}
	d.flush()
	return d
}

// text adds a string with its length before it, so that different rows never give the same
// bytes.
func (d *digest) text(s string) {
	d.buf = binary.BigEndian.AppendUint32(d.buf, uint32(len(s)))
	d.buf = append(d.buf, s...)
}

func (d *digest) optional(s *string) {
	if s == nil {
		d.buf = binary.BigEndian.AppendUint32(d.buf, math.MaxUint32)
		return
	}
	d.text(*s)
}

func (d *digest) row(r row) {
	d.buf = binary.BigEndian.AppendUint64(d.buf, uint64(r.rank))
	d.text(r.result.Player)
	d.buf = binary.BigEndian.AppendUint64(d.buf, math.Float64bits(r.result.Stored))
	d.optional(r.scopes)
	d.optional(r.scoped)
	d.text(string(r.result.Details))
	d.flush()
}

func (d *digest) flush() {
	d.hash.Write(d.buf)
	d.buf = d.buf[:0]
}

func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// ranker numbers rows as they come, and refuses rows that are not in board order.
type ranker struct {
	board game.Board
	rows  int64
	last  row
}

func (k *ranker) next(r game.Result) (int64, error) {
	if math.IsNaN(r.Stored) || math.IsInf(r.Stored, 0) {
		return 0, fmt.Errorf("the score of %.40q is not a number", r.Player)
	}
	rank := k.rows + 1
	if k.rows > 0 {
		if !before(k.board, k.last.result, r) {
			return 0, fmt.Errorf("row %d, %.40q, is not behind the one before it in the board's order", rank, r.Player)
		}
		if k.board.Mode.Ties == game.Shared && k.last.result.Score() == r.Score() {
			rank = k.last.rank
		}
	}
	k.rows++
	k.last = row{rank: rank, result: game.Result{Player: strings.Clone(r.Player), Stored: r.Stored}}
	return rank, nil
}

// before reports whether one result comes before another.
func before(b game.Board, one, other game.Result) bool {
	if one.Stored != other.Stored {
		return (one.Stored < other.Stored) == (b.Mode.Order == game.Asc)
	}
	return one.Player != other.Player && (one.Player < other.Player) == (b.Mode.Order == game.Asc)
}
