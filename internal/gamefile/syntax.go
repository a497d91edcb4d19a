package gamefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

const (
	writeOut = "write the value out"
	noAlias  = "anchors and aliases are not allowed"
	keysWant = "use keys and values, beginning with name"
)

// document is the file's one mapping, or nil with the problem noted as fatal.
func (r *findings) document(text []byte) *yaml.Node {
	r.fatal = true
	if len(text) > MaxSize {
		r.add(0, "", fmt.Sprintf("the file has %d bytes", len(text)), fmt.Sprintf("use at most %d", MaxSize))
		return nil
	}
	if at, ok := unreadable(text); ok {
		r.add(lineOf(text, at), "", "there is a byte that is not UTF-8 text", "use UTF-8 without control characters")
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(withoutComments(text)))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil {
		r.syntax(text, err)
		return nil
	}
	// A second document, even a broken one, is one too many.
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		r.add(second.Line, "", "there is more after the document", "use one document per file")
		return nil
	}
	root := document.Content[0]
	if !r.plain(root) {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		r.add(root.Line, "", "the file is not a mapping", keysWant)
		return nil
	}
	r.fatal = false
	return root
}

// unreadable finds the first byte that is no part of a text. The parser finds
// most of these too, but not in which line, and takes UTF-16.
func unreadable(text []byte) (at int, found bool) {
	for at < len(text) {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 || unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' {
			return at, true
		}
		at += size
	}
	return 0, false
}

func lineOf(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// syntax reports what the YAML parser says. The parser leaves out the line if it is the first,
// and for aliases.
func (r *findings) syntax(text []byte, err error) {
	if errors.Is(err, io.EOF) {
		r.add(0, "", "the file is empty", keysWant)
		return
	}
	problem, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if alias, ok := strings.CutPrefix(problem, "unknown anchor '"); ok {
		alias, _, _ = strings.Cut(alias, "'")
		r.add(lineOf(text, max(bytes.Index(text, []byte("*"+alias)), 0)), "", noAlias, writeOut)
		return
	}
	if numbered, ok := strings.CutPrefix(problem, "line "); ok {
		if number, rest, ok := strings.Cut(numbered, ": "); ok {
			line, _ = strconv.Atoi(number)
			problem = rest
		}
	}
	r.add(line, "", "it is not YAML: "+problem, "correct the syntax near this line")
}

// plain refuses what a game file does not need and what could make a small file large:
// aliases, with their anchors, and tags.
func (r *findings) plain(n *yaml.Node) bool {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.add(n.Line, "", noAlias, writeOut)
		return false
	case n.Style&yaml.TaggedStyle != 0:
		r.add(n.Line, "", fmt.Sprintf("the tag %.40q is not allowed", n.Tag), "write the value without it")
		return false
	}
	ok := true
	for _, child := range n.Content {
		ok = r.plain(child) && ok
	}
	return ok
}

// withoutComments cuts lines that hold only a comment down to the comment mark. A game file is
// full of such lines; the parser takes longer over them than over everything else, and a
// function waits for it each time it starts. Lines keep their numbers. A text that may have a
// value of several lines, of which such a line could be a part, is left as it is.
func withoutComments(text []byte) []byte {
	short := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		content := bytes.TrimSpace(line)
		if bytes.HasPrefix(content, []byte("#")) {
			short = append(short, line[:bytes.IndexByte(line, '#')+1]...)
			short = append(short, line[len(bytes.TrimRight(line, "\r\n")):]...)
			continue
		}
		if mayGoOn(content) {
			return text
		}
		short = append(short, line...)
	}
	return short
}

// mayGoOn reports whether a line may begin a value of several lines: a block, which | or >
// begins, or a text in quotes that are not closed. A plain text may have several lines too,
// but a comment ends it.
func mayGoOn(line []byte) bool {
	return bytes.ContainsAny(line, `|>`) || bytes.Count(line, []byte(`"`))%2 == 1 || bytes.Count(line, []byte(`'`))%2 == 1
}
