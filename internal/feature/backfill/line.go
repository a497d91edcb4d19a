package backfill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// lines turns rows into plays.
type lines struct {
	game *game.Game
	mode *game.Mode // the mode of rows that name none; nil: rows must name one
	now  time.Time
	last play // the play of the row that was checked last
}

// check finds what is wrong with a row.
func (l *lines) check(row *importer.Row) (fault *importer.Fault) {
	l.last, fault = l.play(row)
	return fault
}

// play reads a row.
func (l *lines) play(row *importer.Row) (p play, fault *importer.Fault) {
	at := func(field, detail string, args ...any) (play, *importer.Fault) {
		return p, &importer.Fault{Field: field, Detail: fmt.Sprintf(detail, args...)}
	}
	for _, text := range [...]string{row.Name, row.Picture, row.Details} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return at("", "the line is not UTF-8 text")
		}
	}
	if err := game.ValidPlayer(row.Player); err != nil {
		return at("player", "%s", err)
	}
	p.player = row.Player
	m := l.mode
	if row.Mode != "" {
		named, ok := l.game.ModeCalled(row.Mode)
		if !ok {
			return at("mode", "the game %s has no mode %.50q", l.game.Name, row.Mode)
		}
		m = named
	}
	if m == nil {
		return at("mode", "this is required: the game has several modes; --mode sets it for lines without one")
	}
	p.mode = slices.Index(l.game.Modes, m)
	if p.score, fault = row.ScoreOf(m); fault != nil {
		return p, fault
	}
	if fault := l.when(row, &p); fault != nil {
		return p, fault
	}
	if row.Country != "" {
		if err := game.ValidCountry(row.Country); err != nil {
			return at("country", "%s", err)
		}
		p.country = row.Country
	}
	var err error
	if p.groups, err = groupsOf(m, row.Groups); err != nil {
		return at("groups", "%s", err)
	}
	if p.details, err = detailsOf(m, row.Details); err != nil {
		return at("details", "%s", err)
	}
	p.name, p.picture = auth.ShownName(row.Name), auth.ShownPicture(row.Picture)
	return p, nil
}

// when reads date and time. Without a date, the time determines it: the date in UTC or, if the
// game's days are local, the date in the time's own zone.
func (l *lines) when(row *importer.Row, p *play) *importer.Fault {
	if row.PlayedAt != "" {
		at, err := readTime(row.PlayedAt, l.game.Day == game.Local)
		if err != nil {
			return &importer.Fault{Field: "played_at", Detail: err.Error()}
		}
		p.at = at.UTC()
		if l.game.Day != game.Local {
			at = p.at
		}
		year, month, dayOfMonth := at.Date()
		p.date = game.NewDate(year, month, dayOfMonth)
	}
	if row.Date != "" {
		d, err := game.ParseDate(row.Date)
		if err != nil {
			return &importer.Fault{Field: "date", Detail: err.Error()}
		}
		p.date = d
	}
	switch {
	case p.date.IsZero():
		return &importer.Fault{Field: "date", Detail: "this is required where there is no played_at"}
	case !l.game.Closed(game.Day.Of(p.date), l.now):
		return &importer.Fault{Field: "date", Detail: p.date.String() + " and its grace period are not over; load it with lbctl import"}
	}
	return nil
}

// forms are the accepted forms of times: RFC 3339, and as databases write them, in UTC unless
// they name a zone.
var forms = []string{
	time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07", "2006-01-02 15:04:05.999999999 Z0700",
}

var plainForms = []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"}

func readTime(text string, local bool) (time.Time, error) {
	for _, form := range forms {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	for _, form := range plainForms {
		at, err := time.Parse(form, text)
		if err == nil && local {
			return at, errors.New("the game's days are in local time: a time needs its offset, as 2026-11-21T09:30:00-03:00")
		}
		if err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is not a time such as 2026-11-21T09:30:00Z", text)
}

// groupsOf reads ids that are separated by spaces, commas or semicolons. In a mode without
// groups it ignores them.
func groupsOf(m *game.Mode, text string) (string, error) {
	ids := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' || c == ';' })
	for _, id := range ids {
		if _, err := game.GroupScope(id); err != nil {
			return "", err
		}
	}
	if len(ids) > game.MaxGroups {
		return "", fmt.Errorf("these are more than %d groups", game.MaxGroups)
	}
	if !m.HasScope(game.Group) {
		return "", nil
	}
	return strings.Join(ids, " "), nil
}

func detailsOf(m *game.Mode, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	var compact bytes.Buffer
	switch err := json.Compact(&compact, []byte(text)); {
	case err != nil:
		return "", errors.New("this is not JSON")
	case !m.Details:
		return "", errors.New("the mode " + m.Name + " stores no details")
	case compact.Len() > game.MaxDetails:
		return "", errors.New("at most 2 KiB of JSON are allowed")
	}
	return compact.String(), nil
}
