// Package activityreplay tells the product of what people did, as unreliable senders
// do: one to three times, out of order, through three processes whose connections
// are cut, with computes in between. Then it holds every player's every day, and
// every week, against a plain model.
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

// Sample is three made-up weeks in the form that Messages reads, New Year among them.
func Sample() string { return sample }

// Messages reads lines of who wrote, to whom, and when in Unix seconds, separated by
// spaces or commas; lines that begin with # say nothing. All are events of one group.
// Two lines that say the same are two messages.
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
