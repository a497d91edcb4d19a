package duel

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// fields are those of a duel's hash, in the order in which scripts and parse
// pass them on. An absent one is empty. Times are Unix milliseconds; numbers
// are texts that parse back to the same float64.
var fields = [...]string{
	"state", "a", "b", "mode", "at", "until", "k", "said_a", "said_b", "outcome", "by",
	"before_a", "after_a", "rank_a", "before_b", "after_b", "rank_b", "decided",
	"points_a", "xp_a", "points_b", "xp_b",
}

// parse reads the fields of a duel's hash.
func parse(id string, f []string) (game.Duel, error) {
	p := parser{}
	d := game.Duel{
		ID: strings.Clone(id), State: game.DuelState(strings.Clone(f[0])),
		Players: [2]string{strings.Clone(f[1]), strings.Clone(f[2])}, Mode: strings.Clone(f[3]),
		CreatedAt: p.time(f[4]), Until: p.time(f[5]), K: p.number(f[6]),
		Reports: [2]*game.DuelOutcome{p.outcome(f[7]), p.outcome(f[8])},
		Outcome: p.outcome(f[9]), By: game.DuelJudge(strings.Clone(f[10])),
		DecidedAt: p.time(f[17]),
	}
	for i := range d.Ratings {
		at := 11 + 3*i
		d.Ratings[i] = game.RatingChange{Before: p.number(f[at]), After: p.number(f[at+1]), Rank: p.whole(f[at+2])}
		d.Points[i], d.XP[i] = p.whole(f[18+2*i]), p.whole(f[19+2*i])
	}
	if p.err != nil {
		return game.Duel{}, fmt.Errorf("read the duel %s: %w", id, p.err)
	}
	return d, nil
}

// record are the fields of a duel's hash that have a value, with their values:
// the inverse of parse.
func record(d game.Duel) []string {
	var values [len(fields)]string
	values[0], values[1], values[2], values[3] = string(d.State), d.Players[0], d.Players[1], d.Mode
	for i, t := range map[int]time.Time{4: d.CreatedAt, 5: d.Until, 17: d.DecidedAt} {
		if !t.IsZero() {
			values[i] = millis(t)
		}
	}
	if d.K != 0 {
		values[6] = game.FormatStored(d.K)
	}
	values[7], values[8], values[9] = outcomeText(d.Reports[0]), outcomeText(d.Reports[1]), outcomeText(d.Outcome)
	values[10] = string(d.By)
	if d.Outcome != nil {
		for i, r := range d.Ratings {
			values[11+3*i], values[12+3*i], values[13+3*i] = game.FormatStored(r.Before), game.FormatStored(r.After), whole(r.Rank)
		}
	}
	for i := range d.Points {
		if d.Points[i] != 0 {
			values[18+2*i], values[19+2*i] = whole(d.Points[i]), whole(d.XP[i])
		}
	}
	var pairs []string
	for i, value := range values {
		if value != "" {
			pairs = append(pairs, fields[i], value)
		}
	}
	return pairs
}

func outcomeText(o *game.DuelOutcome) string {
	if o == nil {
		return ""
	}
	return [...]string{"-", "a", "b"}[o.Winner+1] + scoreText(o.Score)
}

// parser keeps the first error of many fields.
type parser struct{ err error }

func (p *parser) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *parser) whole(text string) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	p.keep(err)
	return n
}

func (p *parser) number(text string) float64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	p.keep(err)
	return n
}

func (p *parser) time(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	return time.UnixMilli(p.whole(text)).UTC()
}

// outcome reads "a 3 1": who won (a, b, or - for a draw) and, where told, the score.
func (p *parser) outcome(text string) *game.DuelOutcome {
	if text == "" {
		return nil
	}
	words := strings.Split(text, " ")
	o := &game.DuelOutcome{Winner: strings.Index("ab", words[0])}
	if words[0] == "-" {
		o.Winner = game.NoWinner
	} else if o.Winner < 0 || len(words[0]) != 1 {
		p.keep(fmt.Errorf("%.20q is not an outcome", text))
	}
	switch len(words) {
	case 1:
	case 3:
		o.Score = &[2]int64{p.whole(words[1]), p.whole(words[2])}
	default:
		p.keep(fmt.Errorf("%.20q is not an outcome", text))
	}
	return o
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }

func itoa(n int) string { return strconv.Itoa(n) }

func whole(n int64) string { return strconv.FormatInt(n, 10) }
