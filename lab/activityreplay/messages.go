// Package activityreplay sends the product what people did, as unreliable senders do:
// each event one to three times, out of order, through three processes with connections
// that are cut, with computes in between. Then it compares every day and every week of
// every player with a plain model.
package activityreplay

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/lab/model"
)

//go:embed sample.txt
var sample string

// Sample is three made-up weeks in the form that [Messages] reads; a New Year is among
// them.
func Sample() string { return sample }

// Messages reads lines that name who wrote, to whom, and when in Unix seconds, separated
// by spaces or commas; it ignores lines that begin with #. All messages are events of one
// group. Two equal lines are two messages.
func Messages(r io.Reader, group string) ([]model.Event, error) {
	var events []model.Event
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
		if len(words) != 3 {
			return nil, fmt.Errorf("line %d has %d words; use from, to and Unix seconds", n, len(words))
		}
		seconds, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %q is no number of seconds", n, words[2])
		}
		if words[0] == words[1] {
			continue // nobody writes to themselves
		}
		events = append(events, model.Event{
			ID: fmt.Sprint("m-", n), Type: "chat.message", Group: group, At: time.Unix(seconds, 0).UTC(), Who: words[:2],
		})
	}
	slices.SortStableFunc(events, func(a, b model.Event) int { return a.At.Compare(b.At) })
	return events, lines.Err()
}
