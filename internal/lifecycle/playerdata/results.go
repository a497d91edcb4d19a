package playerdata

import (
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// mostAsked is how many day boards one page asks Redis for. It bounds a request to twice as
// many commands: eleven modes on the three dates that may take scores at once, and some more.
const mostAsked = 40

// ResultsAsk says which of a player's results to read.
type ResultsAsk struct {
	Mode   *game.Mode // nil: all
	Cursor string     // the Next of the page before; "": the newest
	Limit  int
}

// OwnResults is a page of a player's results, newest first. A page may have fewer results than
// asked for and not be the last: only the last has no Next.
type OwnResults struct {
	Player string `json:"player"`
	// Each is what one result represents. "play": an accepted play, in games with an outbox.
	// "day": the player's result of a day of a mode.
	Each string `json:"each"`
	// History is "unavailable" if there is no database: then results are kept only as long as
	// their day boards live.
	History string      `json:"history,omitempty"`
	Results []OwnResult `json:"results"`
	Next    *string     `json:"next"`
}

// OwnResult is one of a player's results.
type OwnResult struct {
	Mode   string          `json:"mode"`
	Date   string          `json:"date"`
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
	// PlayedAt is the time of play. For the result of a day it has the mode's resolution, and
	// is at most a second late. Nil where plays are added up.
	PlayedAt *time.Time      `json:"played_at,omitempty"`
	Details  json.RawMessage `json:"details,omitempty"`

	place resultPlace
}

// resultPlace is the place of a result among those of its player. The zero place comes before
// all others.
type resultPlace struct {
	At       time.Time `json:"a,omitzero"` // of a play; results of days are ordered by date and mode
	Date     string    `json:"d,omitempty"`
	Mode     string    `json:"m,omitempty"`
	StreamID string    `json:"s,omitempty"` // of a saved play
}

// compareDays orders results of days, the newest last.
func (p resultPlace) compareDays(q resultPlace) int {
	return cmp.Or(cmp.Compare(p.Date, q.Date), cmp.Compare(p.Mode, q.Mode))
}

// comparePlays orders plays, the newest last.
func (p resultPlace) comparePlays(q resultPlace) int {
	return cmp.Or(p.At.Compare(q.At), cmp.Compare(p.Mode, q.Mode), cmp.Compare(p.Date, q.Date), cmp.Compare(p.StreamID, q.StreamID))
}

// Results reads a page of a player's own results. Days that are complete in the archive come
// from there, the others from Redis. A result keeps its place when its day closes, so pages
// neither repeat nor miss one.
//
// Cost: 1 billed command for each day of a mode that the archive has not taken in, up to 40,
// and 1 for each result among them that may have details; none for pages after these days.
// Errors: ErrCursor.
func (s *Service) Results(ctx context.Context, player string, ask ResultsAsk) (OwnResults, error) {
	after, err := s.openResults(player, ask.Cursor)
	if err != nil {
		return OwnResults{}, err
	}
	page := OwnResults{Player: player, Each: "day"}
	r := &resultsRead{s: s, player: player, ask: ask, after: after, compare: resultPlace.compareDays}
	read := r.days
	switch {
	case s.Archive == nil:
		page.History = "unavailable"
	case s.Game.Outbox:
		page.Each, read, r.compare = "play", r.plays, resultPlace.comparePlays
	}
	if err := read(ctx); err != nil {
		return OwnResults{}, err
	}
	next := r.upTo
	slices.SortFunc(r.rows, func(a, b OwnResult) int { return r.compare(b.place, a.place) })
	r.rows = slices.DeleteFunc(r.rows, func(row OwnResult) bool {
		return next != (resultPlace{}) && r.compare(row.place, next) < 0
	})
	if len(r.rows) > ask.Limit {
		r.rows = r.rows[:ask.Limit]
		next = r.rows[ask.Limit-1].place
	}
	page.Results = orEmpty(r.rows)
	if next != (resultPlace{}) {
		page.Next, err = s.resultsCursor(player, next)
	}
	return page, err
}

// resultsRead is a page of results that is being read.
type resultsRead struct {
	s       *Service
	player  string
	ask     ResultsAsk
	after   resultPlace
	compare func(p, q resultPlace) int
	rows    []OwnResult
	upTo    resultPlace // the last place looked at, if some were left out; else zero
}

func (r *resultsRead) mode() string {
	if r.ask.Mode == nil {
		return ""
	}
	return r.ask.Mode.Name
}

// isAfter reports whether a place comes after the previous page.
func (r *resultsRead) isAfter(p resultPlace) bool {
	return r.after == (resultPlace{}) || r.compare(p, r.after) < 0
}

// days reads the player's results of days. Where both have a day, Redis counts rather than the
// archive, which may have an earlier state of it.
func (r *resultsRead) days(ctx context.Context) error {
	asked, err := r.open(ctx)
	if err != nil {
		return err
	}
	asked = slices.DeleteFunc(asked, func(d DayExport) bool { return !r.isAfter(resultPlace{Date: d.Date.String(), Mode: d.Mode.Name}) })
	if len(asked) > mostAsked {
		asked = asked[:mostAsked]
		last := asked[mostAsked-1]
		r.upTo = resultPlace{Date: last.Date.String(), Mode: last.Mode.Name}
	}
	current, err := r.s.Kept.Standings(ctx, r.player, asked)
	if err != nil {
		return err
	}
	has := map[Day]bool{}
	for _, k := range current {
		row := r.ofDay(k.Mode.Name, k.Date, k.Stored, k.Details)
		r.rows = append(r.rows, row)
		has[Day{k.Mode.Name, row.Date}] = true
	}
	if r.s.Archive == nil {
		return nil
	}
	// One more than the page takes, and one for each row that Redis replaces.
	rows, err := r.s.Archive.Results(ctx, r.player, r.mode(), Day{r.after.Mode, r.after.Date}, r.ask.Limit+1+len(current))
	for _, row := range rows {
		if !has[Day{row.Mode, row.Date.String()}] {
			r.rows = append(r.rows, r.ofDay(row.Mode, row.Date, row.Stored, row.Details))
		}
	}
	return err
}

// plays reads the saved plays and, for plays that are not saved yet, the results of their
// days. It reads no results of modes that add plays up: a sum is not a play.
func (r *resultsRead) plays(ctx context.Context) error {
	asked, err := r.open(ctx)
	if err != nil {
		return err
	}
	asked = slices.DeleteFunc(asked, func(d DayExport) bool {
		return d.Mode.Policy == game.Sum || r.after != (resultPlace{}) && r.s.Game.Opens(d.Date).After(r.after.At)
	})
	asked = asked[:min(len(asked), mostAsked)]
	current, err := r.s.Kept.Standings(ctx, r.player, asked)
	if err != nil {
		return err
	}
	unsaved, err := r.s.Archive.Unsaved(ctx, r.player, current)
	if err != nil {
		return err
	}
	for _, k := range unsaved {
		row := r.ofDay(k.Mode.Name, k.Date, k.Stored, k.Details)
		// The earliest time at which it may have been played: if it has been saved when the
		// next page is read, that page does not repeat it.
		row.place.At = row.PlayedAt.Add(-k.Mode.Resolution()).Truncate(time.Microsecond)
		if r.isAfter(row.place) {
			r.rows = append(r.rows, row)
		}
	}
	sent, err := r.s.Archive.Submissions(ctx, r.player, r.mode(), r.after.submission(), r.ask.Limit+1)
	for _, p := range sent {
		row := r.result(p.Mode, p.Date, game.TrueScore(p.Stored), p.Details)
		row.PlayedAt = &p.At
		row.place = resultPlace{At: p.At, Date: row.Date, Mode: p.Mode, StreamID: p.StreamID}
		r.rows = append(r.rows, row)
	}
	return err
}

func (p resultPlace) submission() SubmissionPlace {
	return SubmissionPlace{At: p.At, Mode: p.Mode, Date: p.Date, StreamID: p.StreamID}
}

func (r *resultsRead) result(mode string, d game.Date, score game.Score, details json.RawMessage) OwnResult {
	row := OwnResult{Mode: r.s.Game.Called(mode), Date: d.String(), Score: r.s.score(mode, score), Details: details}
	if m, ok := r.s.Game.Mode(mode); ok {
		row.Values = m.FormatValues(score)
	}
	return row
}

// ofDay returns the player's result of a day.
func (r *resultsRead) ofDay(mode string, d game.Date, stored float64, details json.RawMessage) OwnResult {
	row := r.result(mode, d, game.TrueScore(stored), details)
	row.place = resultPlace{Date: row.Date, Mode: mode}
	if m, ok := r.s.Game.Mode(mode); ok && m.Policy != game.Sum {
		at := m.PlayedBefore(r.s.Game, d, stored).UTC()
		row.PlayedAt = &at
	}
	return row
}

// open lists, newest first, the days of modes that may be in Redis and that the archive has
// not taken in: days that take scores, and days after the newest one that the archive has as
// it closed, since days close in order.
func (r *resultsRead) open(ctx context.Context) ([]DayExport, error) {
	g, now := r.s.Game, r.s.Now()
	open := g.OpenDates(now)
	first := open[0]
	for g.Lifecycle(game.Day.Of(first.AddDays(-1)), now) < game.Expired {
		first = first.AddDays(-1)
	}
	if r.s.Archive != nil {
		whole, err := r.s.Archive.WholeDays(ctx, first)
		if err != nil {
			return nil, err
		}
		for day := range whole {
			if d, err := game.ParseDate(day.Date); err == nil && !d.Before(first) {
				first = d.AddDays(1)
			}
		}
	}
	if first.After(open[0]) {
		first = open[0]
	}
	var days []DayExport
	for d := open[len(open)-1]; !d.Before(first); d = d.AddDays(-1) {
		for _, m := range g.Modes {
			if r.ask.Mode == nil || r.ask.Mode == m {
				days = append(days, DayExport{Mode: m, Date: d})
			}
		}
	}
	slices.SortStableFunc(days, func(a, b DayExport) int {
		return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(b.Mode.Name, a.Mode.Name))
	})
	return days, nil
}

// ofResults distinguishes cursors of results from those of documents.
const ofResults = "results\x00"

func (s *Service) resultsCursor(player string, p resultPlace) (*string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	sealed := base64.RawURLEncoding.EncodeToString(append(s.seal(ofResults+player, text), text...))
	return &sealed, nil
}

// openResults reads a cursor of the player's results; "" is the beginning.
func (s *Service) openResults(player, cursor string) (p resultPlace, err error) {
	if cursor == "" {
		return p, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < sealBytes || !hmac.Equal(raw[:sealBytes], s.seal(ofResults+player, raw[sealBytes:])) ||
		json.Unmarshal(raw[sealBytes:], &p) != nil {
		return p, ErrCursor
	}
	return p, nil
}

// CheckResults reports whether a cursor is one of the player's results. It asks no store.
// Errors: ErrCursor.
func (s *Service) CheckResults(player, cursor string) error {
	_, err := s.openResults(player, cursor)
	return err
}
