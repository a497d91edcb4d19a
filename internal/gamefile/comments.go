package gamefile

import "bytes"

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
