package importer

import (
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// maxNumber is the largest length of a score or a time, in characters. It keeps a batch of
// 1,000 lines under the API's 1 MiB.
const maxNumber = 40

// Row is the content of a line. PlayedAt and Country may be empty; the fields after them occur
// only in files of a game's past.
type Row struct {
	Player   string
	Mode     string
	Date     string // YYYY-MM-DD
	Score    string // a JSON number, exactly as the file has it; or:
	Values   []RowValue
	PlayedAt string // RFC 3339
	Country  string // ISO 3166-1 alpha-2
	Groups   string // ids separated by spaces, commas or semicolons
	Details  string // JSON
	Name     string
	Picture  string
}

// field returns a field by its name in a file; nil if there is no such field.
func (r *Row) field(name string) *string {
	switch name {
	case "player":
		return &r.Player
	case "mode":
		return &r.Mode
	case "date":
		return &r.Date
	case "score":
		return &r.Score
	case "played_at":
		return &r.PlayedAt
	case "country":
		return &r.Country
	case "groups":
		return &r.Groups
	case "details":
		return &r.Details
	case "name":
		return &r.Name
	case "picture":
		return &r.Picture
	}
	return nil
}

// Fault is why a line cannot be sent.
type Fault struct {
	Field  string // "" when the line as a whole is meant
	Detail string
}

func (f *Fault) Error() string {
	if f.Field == "" {
		return f.Detail
	}
	return f.Field + ": " + f.Detail
}

// Group names the fault without the line's own values, for counting.
func (f *Fault) Group() string {
	if f.Field == "" {
		return "the line cannot be read"
	}
	return f.Field + " is missing or not valid"
}

// check finds what is wrong with a row. With a game it also checks modes and their bounds;
// without one (nil) the product does.
func (r *Row) check(g *game.Game) *Fault {
	for _, name := range scores.required {
		if *r.field(name) == "" && !(name == "score" && len(r.Values) > 0) {
			return &Fault{name, "this is required"}
		}
	}
	if err := game.ValidPlayer(r.Player); err != nil {
		return &Fault{"player", err.Error()}
	}
	if err := game.ValidMode(r.Mode); err != nil {
		return &Fault{"mode", err.Error()}
	}
	if _, err := game.ParseDate(r.Date); err != nil {
		return &Fault{"date", err.Error()}
	}
	if fault := r.checkScore(g); fault != nil {
		return fault
	}
	if r.PlayedAt != "" {
		if _, err := time.Parse(time.RFC3339Nano, r.PlayedAt); err != nil || len(r.PlayedAt) > maxNumber {
			return &Fault{"played_at", strconv.Quote(cut(r.PlayedAt)) + " is not an RFC 3339 time such as 2026-11-21T09:30:00Z"}
		}
	}
	if r.Country != "" {
		if err := game.ValidCountry(r.Country); err != nil {
			return &Fault{"country", err.Error()}
		}
	}
	return nil
}

func (r *Row) checkScore(g *game.Game) *Fault {
	if fault := r.checkNumbers(); fault != nil || g == nil {
		return fault
	}
	mode, ok := g.ModeCalled(r.Mode)
	if !ok {
		return &Fault{"mode", "the game " + g.Name + " has no mode " + strconv.Quote(r.Mode)}
	}
	_, fault := r.ScoreOf(mode)
	return fault
}

func cut(s string) string { return s[:min(len(s), maxNumber)] }

// appendJSON adds a checked row in the form that the API takes. It escapes nothing: a checked
// row contains neither quotes nor backslashes. The bytes are the same in every run, as the
// fingerprint of an idempotency key requires.
func (r *Row) appendJSON(b []byte) []byte {
	b = append(b, `{"player":"`...)
	b = append(b, r.Player...)
	b = append(b, `","mode":"`...)
	b = append(b, r.Mode...)
	b = append(b, `","date":"`...)
	b = append(b, r.Date...)
	b = append(b, '"')
	b = r.appendScore(b)
	if r.PlayedAt != "" {
		b = append(b, `,"played_at":"`...)
		b = append(b, r.PlayedAt...)
		b = append(b, '"')
	}
	if r.Country != "" {
		b = append(b, `,"country":"`...)
		b = append(b, r.Country...)
		b = append(b, '"')
	}
	return append(b, '}')
}
