package engine

import (
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

var lcsCommands = map[string]native{"LCS": {-3, (*Redis).lcs}}

// lcsOptions are the options of LCS.
type lcsOptions struct {
	length, index, matchLength bool
	least                      int64 // length below which matches are not returned
}

func parseLCS(args []string) (o lcsOptions, problem string) {
	for ; len(args) > 0; args = args[1:] {
		switch strings.ToUpper(args[0]) {
		case "LEN":
			o.length = true
		case "IDX":
			o.index = true
		case "WITHMATCHLEN":
			o.matchLength = true
		case "MINMATCHLEN":
			if len(args) < 2 {
				return o, errSyntax
			}
			var ok bool
			if o.least, ok = resp.Integer(args[1]); !ok {
				return o, errInteger
			}
			args = args[1:]
		default:
			return o, errSyntax
		}
	}
	if o.length && o.index {
		return o, "ERR If you want both the length and indexes, please just use IDX."
	}
	return o, ""
}

func (e *Redis) lcs(p *server.Peer, args []string) bool {
	a, _, problem1 := e.text(args[0])
	b, _, problem2 := e.text(args[1])
	if problem1 != "" || problem2 != "" {
		return e.refuse(p, "ERR The specified keys must contain string values")
	}
	o, problem := parseLCS(args[2:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	if int64(len(a)+1)*int64(len(b)+1) > resp.MaxBulkBytes/4 {
		return e.refuse(p, "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len")
	}
	common, matches := longestCommon(a, b)
	switch {
	case o.length:
		return e.answer(p, len(common))
	case !o.index:
		return e.answer(p, common)
	}
	told := []any{}
	for _, m := range matches {
		if int64(m.length) < o.least {
			continue
		}
		item := []any{[]any{m.a, m.a + m.length - 1}, []any{m.b, m.b + m.length - 1}}
		if o.matchLength {
			item = append(item, m.length)
		}
		told = append(told, item)
	}
	return e.answer(p, []any{"matches", told, "len", len(common)})
}

// match is a run that both strings contain.
type match struct{ a, b, length int }

// longestCommon finds the longest common subsequence, and its runs, last run first.
func longestCommon(a, b string) (common string, matches []match) {
	width := len(b) + 1
	best := make([]uint32, (len(a)+1)*width)
	for i := range len(a) {
		for j := range len(b) {
			at := (i+1)*width + j + 1
			if a[i] == b[j] {
				best[at] = best[at-width-1] + 1
			} else {
				best[at] = max(best[at-width], best[at-1])
			}
		}
	}
	var reversed []byte
	var run match
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch at := i*width + j; {
		case a[i-1] == b[j-1]:
			i, j = i-1, j-1
			reversed = append(reversed, a[i])
			if run.length > 0 && run.a == i+1 && run.b == j+1 {
				run.length++
			} else {
				if run.length > 0 {
					matches = append(matches, run)
				}
				run.length = 1
			}
			run.a, run.b = i, j
		case best[at-width] > best[at-1]:
			i--
		default:
			j--
		}
	}
	if run.length > 0 {
		matches = append(matches, run)
	}
	slices.Reverse(reversed)
	return string(reversed), matches
}
