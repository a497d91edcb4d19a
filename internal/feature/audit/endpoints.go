package audit

import (
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Endpoints are the endpoints of the record.
type Endpoints struct {
	Game   *game.Game
	Now    func() time.Time
	Record Reader // nil: no database
}

// Routes are the routes of the record.
func (e Endpoints) Routes() []gate.Route {
	return []gate.Route{{Function: "ops", Pattern: "GET /v1/ops/audit", Auth: gate.Reader, Serve: e.GetAudit}}
}

// Rows of one page.
const (
	usualRows = 100
	mostRows  = 1000
)

// How many dates of boards one request may ask about.
const (
	usualDates = 31
	mostDates  = 366
)

// GetAudit reads what submissions did to the boards of some dates: GET /v1/ops/audit.
func (e Endpoints) GetAudit(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	limit := int(q.Number("limit", usualRows, 1, mostRows))
	after, err := openPlace(q.Text("cursor"))
	if err != nil {
		q.Fault("cursor", "invalid cursor; restart without a cursor")
	}
	ask, mode := e.read(q)
	if err := q.Done(); err != nil {
		return err
	}
	if !RulesOf(e.Game).Enabled() {
		return problem.New("not-found", "the submission audit is off; set audit in the game file")
	}
	if mode != "" {
		m, ok := e.Game.ModeCalled(mode)
		if !ok {
			return problem.UnknownMode(mode)
		}
		ask.Mode = m.Name
	}
	if e.Record == nil {
		return playerdata.ErrNoArchive
	}
	found, err := e.Record.Before(r.Context(), ask, after, limit+1)
	if err != nil {
		return err
	}
	page := Page{Entries: []Row{}}
	if len(found) > limit {
		found = found[:limit]
		page.Next = playerdata.PlainCursor(MarkOf(found[limit-1].Place()))
	}
	for _, entry := range found {
		page.Entries = append(page.Entries, NewRow(e.Game, entry))
	}
	return respond.JSON(w, r.Request, http.StatusOK, page)
}

func (e Endpoints) read(q *decode.Query) (ask Query, mode string) {
	ask.Player, mode = q.Text("player"), q.Text("mode")
	if ask.Player != "" {
		if err := game.ValidPlayer(ask.Player); err != nil {
			q.Fault("player", err.Error())
		}
	}
	if ask.Player == "" && mode == "" {
		q.Fault("player", "name a player, a mode, or both")
	}
	dates := e.Game.OpenDates(e.Now())
	ask.To = dates[len(dates)-1]
	date := func(name string, into *game.Date) bool {
		text := q.Text(name)
		if text == "" {
			return false
		}
		d, err := game.ParseDate(text)
		if err != nil {
			q.Fault(name, err.Error())
			return false
		}
		*into = d
		return true
	}
	date("to", &ask.To)
	ask.From = ask.To.AddDays(1 - usualDates)
	if from := date("from", &ask.From); from && (ask.From.After(ask.To) || ask.To.DaysSince(ask.From) >= mostDates) {
		q.Fault("from", fmt.Sprintf("this must be to, or up to %d days before it", mostDates-1))
	}
	return ask, mode
}
