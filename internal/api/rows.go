package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/gate"
)

// A page of a hundred rows is the most frequent answer, and reflection took half of its time.
// So this file writes rows itself, with the same bytes as encoding/json.

// Estimated lengths of answers in bytes, without the texts in them.
const (
	headLength = 400
	rowLength  = 80 // with all field names except those of values, which count their own
)

// rowsLength estimates the length of rows in bytes.
func rowsLength(rows []entryAnswer) int {
	n := rowLength * len(rows)
	for i := range rows {
		n += len(rows[i].Player) + len(rows[i].Values) + len(rows[i].Name) + len(rows[i].Picture)
	}
	return n
}

func (p pageAnswer) length() int { return headLength + len(p.NextCursor) + rowsLength(p.Entries) }

// appendTo appends a page as JSON. updated is where the value of updated_at begins and ends,
// with its quotes.
func (p pageAnswer) appendTo(b []byte) (page []byte, updated [2]int) {
	b = appendBoard(b, p.boardAnswer)
	b = strconv.AppendInt(append(b, `,"total":`...), p.Total, 10)
	b = append(b, `,"updated_at":`...)
	updated[0] = len(b)
	b = appendText(b, p.UpdatedAt)
	updated[1] = len(b)
	b = strconv.AppendBool(append(b, `,"closed":`...), p.Closed)
	if p.Stale {
		b = append(b, `,"stale":true`...)
	}
	b = appendRows(b, p.Entries)
	b = appendUnlessEmpty(b, `,"next_cursor":`, p.NextCursor)
	b = appendUnlessEmpty(b, `,"history":`, p.History)
	return append(b, '}'), updated
}

// appendTo appends the page with the player's own rank and score.
func (a aroundAnswer) appendTo(b []byte) (page []byte, updated [2]int) {
	b, updated = a.pageAnswer.appendTo(b)
	b = append(b[:len(b)-1], `,"rank":`...)
	if a.Rank == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, *a.Rank, 10)
	}
	b = append(b, `,"score":`...)
	if a.Score == nil {
		b = append(b, "null"...)
	}
	return append(appendValues(append(b, a.Score...), a.Values), '}'), updated
}

func appendValues(b []byte, values json.RawMessage) []byte {
	if len(values) == 0 {
		return b
	}
	return append(append(b, `,"values":`...), values...)
}

// appendTo appends a look-up as JSON.
func (a lookupAnswer) appendTo(b []byte) []byte {
	b = appendBoard(b, a.boardAnswer)
	return append(appendRows(b, a.Entries), '}')
}

// appendBoard begins an answer with the names of its board.
func appendBoard(b []byte, of boardAnswer) []byte {
	b = appendText(append(b, `{"mode":`...), of.Mode)
	b = appendText(append(b, `,"period":`...), of.Period)
	b = appendText(append(b, `,"key":`...), of.Key)
	return appendText(append(b, `,"scope":`...), of.Scope)
}

func appendRows(b []byte, rows []entryAnswer) []byte {
	b = append(b, `,"entries":[`...)
	for i, row := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRow(b, row)
	}
	return append(b, ']')
}

func appendRow(b []byte, row entryAnswer) []byte {
	b = strconv.AppendInt(append(b, `{"rank":`...), row.Rank, 10)
	b = appendText(append(b, `,"player":`...), row.Player)
	b = append(append(b, `,"score":`...), row.Score...)
	b = appendValues(b, row.Values)
	b = appendUnlessEmpty(b, `,"name":`, row.Name)
	b = appendUnlessEmpty(b, `,"picture":`, row.Picture)
	b = appendUnlessEmpty(b, `,"country":`, row.Country)
	if row.Me {
		b = append(b, `,"me":true`...)
	}
	return append(b, '}')
}

func appendUnlessEmpty(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(append(b, name...), text)
}

// appendText appends a quoted text. It leaves texts that need escapes to encoding/json.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if !plain[text[i]] {
			escaped, _ := json.Marshal(text) // a string always can be
			return append(b, escaped...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// plain are the bytes that encoding/json never escapes, whatever stands beside them.
var plain = func() (all [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		all[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return all
}()

// page is an answer of rows, which also says when the rows were read.
type page interface {
	appendTo(b []byte) (body []byte, updated [2]int)
	length() int // about its length in bytes
}

// writePage is answers.Public for a page. The entity tag leaves out when the page was read,
// so that it changes only with the standings.
func writePage(w http.ResponseWriter, r *gate.Request, cache string, p page) {
	body, tag := encodePage(p)
	answers.Tagged(w, r.Request, cache, body, tag)
}

// encodePage returns a page's body and its tag.
func encodePage(p page) (body []byte, tag string) {
	body, updated := p.appendTo(make([]byte, 0, p.length()))
	return body, answers.Tag(body[:updated[0]], []byte(`""`), body[updated[1]:])
}
