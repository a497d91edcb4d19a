package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// csvRows reads rows by the names in the header. One line is one row: a field cannot contain a
// line end, so that a stray quote spoils only its own line.
type csvRows struct {
	columns []string // "" is passed over
	cells   []string
}

// newCSV reads the header.
func newCSV(header string, layout Layout) (*csvRows, error) {
	names, err := splitCSV(header, nil)
	if err != nil {
		return nil, fmt.Errorf("the header cannot be read: %w", err)
	}
	c := &csvRows{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		own, known := layout.ownColumn(name)
		if !known {
			own, known = layout.ownColumn(strings.ToLower(name))
		}
		switch {
		case !known:
			return nil, fmt.Errorf("the header has an unknown column %.40q; use %s, with commas between them", name, layout.Names())
		case own != "" && slices.Contains(c.columns, own):
			return nil, fmt.Errorf("the header has the column %s twice", own)
		}
		c.columns = append(c.columns, own)
	}
	for _, name := range layout.required {
		if !slices.Contains(c.columns, name) && !(name == "score" && slices.ContainsFunc(c.columns, isValue)) {
			return nil, fmt.Errorf("the header has no column %s; use %s", name, layout.Names())
		}
	}
	return c, nil
}

func (c *csvRows) read(line []byte) (Row, *Fault) {
	var err error
	if c.cells, err = splitCSV(string(line), c.cells[:0]); err != nil {
		return Row{}, &Fault{"", err.Error()}
	}
	if len(c.cells) != len(c.columns) {
		return Row{}, &Fault{"", fmt.Sprintf("the line has %d fields, the header %d", len(c.cells), len(c.columns))}
	}
	var row Row
	for i, name := range c.columns {
		if name == "" {
			continue
		}
		cell := strings.TrimSpace(c.cells[i])
		switch {
		case !isValue(name):
			*row.field(name) = cell
		case cell != "": // else the line's mode does not have this value
			*row.value(name) = cell
		}
	}
	return row, nil
}

var (
	errBareQuote = errors.New(`a quote is inside an unquoted field; write the field as "…" and the quote twice`)
	errOpenQuote = errors.New("a quoted field does not end with a quote and a comma, or on its line")
)

// splitCSV cuts one line at its commas (RFC 4180, without line ends in fields)
// and adds the fields to into.
func splitCSV(line string, into []string) ([]string, error) {
	for {
		if !strings.HasPrefix(line, `"`) {
			field, rest, more := strings.Cut(line, ",")
			if strings.Contains(field, `"`) {
				return into, errBareQuote
			}
			into = append(into, field)
			if !more {
				return into, nil
			}
			line = rest
			continue
		}
		field, rest, err := quoted(line[1:])
		if err != nil {
			return into, err
		}
		into = append(into, field)
		if rest == "" {
			return into, nil
		}
		line = rest[1:]
	}
}

// quoted reads a field after its opening quote. rest is empty or begins with a comma.
func quoted(s string) (field, rest string, err error) {
	var b strings.Builder
	for {
		text, after, closed := strings.Cut(s, `"`)
		if !closed {
			return "", "", errOpenQuote
		}
		b.WriteString(text)
		switch {
		case after == "" || after[0] == ',':
			return b.String(), after, nil
		case after[0] != '"':
			return "", "", errOpenQuote
		}
		b.WriteByte('"')
		s = after[1:]
	}
}
