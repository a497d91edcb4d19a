package duel

import (
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// hash is a duel as Redis has it. An absent field is empty; times are Unix
// milliseconds; numbers are texts that parse back to the same float64.
type hash struct {
	state, mode, at, until, k, outcome, by, decided string
	sides                                           [2]side
}

// side is the part of a hash about one of the two players.
type side struct{ player, said, before, after, rank, points, xp string }

// field is a field of a hash: its name in Redis, and its text.
type field struct {
	name string
	text *string
}

// fields are all fields of a hash, in the order in which scripts and commands pass them.
func (h *hash) fields() []field {
	a, b := &h.sides[0], &h.sides[1]
	return []field{
		{"state", &h.state}, {"a", &a.player}, {"b", &b.player}, {"mode", &h.mode}, {"at", &h.at}, {"until", &h.until}, {"k", &h.k},
		{"said_a", &a.said}, {"said_b", &b.said}, {"outcome", &h.outcome}, {"by", &h.by},
		{"before_a", &a.before}, {"after_a", &a.after}, {"rank_a", &a.rank},
		{"before_b", &b.before}, {"after_b", &b.after}, {"rank_b", &b.rank}, {"decided", &h.decided},
		{"points_a", &a.points}, {"xp_a", &a.xp}, {"points_b", &b.points}, {"xp_b", &b.xp},
	}
}

// names are the names of a hash's fields.
var names = func() (names []string) {
	for _, f := range new(hash).fields() {
		names = append(names, f.name)
	}
	return names
}()

// quotedNames are the names as a Lua list. It is a constant, because the compiler
// concatenates the scripts.
const quotedNames = `'state', 'a', 'b', 'mode', 'at', 'until', 'k', ` +
	`'said_a', 'said_b', 'outcome', 'by', ` +
	`'before_a', 'after_a', 'rank_a', ` +
	`'before_b', 'after_b', 'rank_b', 'decided', ` +
	`'points_a', 'xp_a', 'points_b', 'xp_b'`

// hashOf makes a hash from the texts of all fields in their order.
func hashOf(texts []string) (h hash, err error) {
	all := h.fields()
	if len(texts) != len(all) {
		return h, fmt.Errorf("redis answered %d fields of a duel, not %d", len(texts), len(all))
	}
	for i, f := range all {
		*f.text = texts[i]
	}
	return h, nil
}

// duel reads the duel of a hash.
func (h *hash) duel(id string) (Duel, error) {
	p := parser{}
	d := Duel{
		ID: strings.Clone(id), State: State(strings.Clone(h.state)), Mode: strings.Clone(h.mode),
		CreatedAt: p.Time(h.at), Until: p.Time(h.until), K: p.Number(h.k),
		Outcome: p.outcome(h.outcome), By: Judge(strings.Clone(h.by)), DecidedAt: p.Time(h.decided),
	}
	for i, side := range h.sides {
		d.Players[i], d.Reports[i] = strings.Clone(side.player), p.outcome(side.said)
		d.Ratings[i] = RatingChange{Before: p.Number(side.before), After: p.Number(side.after), Rank: p.Whole(side.rank)}
		d.Points[i], d.XP[i] = p.Whole(side.points), p.Whole(side.xp)
	}
	if p.Err != nil {
		return Duel{}, fmt.Errorf("read the duel %s: %w", id, p.Err)
	}
	return d, nil
}

// hashFor makes the hash of a duel: the inverse of [hash.duel].
func hashFor(d Duel) hash {
	h := hash{
		state: string(d.State), mode: d.Mode, at: timeText(d.CreatedAt), until: timeText(d.Until),
		outcome: outcomeText(d.Outcome), by: string(d.By), decided: timeText(d.DecidedAt),
	}
	if d.K != 0 {
		h.k = game.FormatStored(d.K)
	}
	for i := range h.sides {
		side := &h.sides[i]
		side.player, side.said = d.Players[i], outcomeText(d.Reports[i])
		if r := d.Ratings[i]; d.Outcome != nil {
			side.before, side.after, side.rank = game.FormatStored(r.Before), game.FormatStored(r.After), redis.Itoa(r.Rank)
		}
		if d.Points[i] != 0 {
			side.points, side.xp = redis.Itoa(d.Points[i]), redis.Itoa(d.XP[i])
		}
	}
	return h
}

// record is a duel's hash as pairs of field and value, without empty fields.
func record(d Duel) (pairs []string) {
	h := hashFor(d)
	for _, f := range h.fields() {
		if *f.text != "" {
			pairs = append(pairs, f.name, *f.text)
		}
	}
	return pairs
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return redis.Millis(t)
}

func outcomeText(o *Outcome) string {
	if o == nil {
		return ""
	}
	return [...]string{"-", "a", "b"}[o.Winner+1] + scoreText(o.Score)
}

// parser reads the fields of duels.
type parser struct{ redis.Fields }

// outcome reads "a 3 1": who won (a, b, or - for a draw) and, if reported, the score.
func (p *parser) outcome(text string) *Outcome {
	if text == "" {
		return nil
	}
	words := strings.Split(text, " ")
	o := &Outcome{Winner: strings.Index("ab", words[0])}
	if words[0] == "-" {
		o.Winner = NoWinner
	} else if o.Winner < 0 || len(words[0]) != 1 {
		p.Keep(fmt.Errorf("%.20q is not an outcome", text))
	}
	switch len(words) {
	case 1:
	case 3:
		o.Score = &[2]int64{p.Whole(words[1]), p.Whole(words[2])}
	default:
		p.Keep(fmt.Errorf("%.20q is not an outcome", text))
	}
	return o
}
