package ops

import (
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// scoreAudits is the endpoint of the record of what submissions did.
type scoreAudits struct{ Config }

// How many dates of boards one request may ask about.
const (
	usualAuditDates = 31
	mostAuditDates  = 366
)

// GetAudit reads what submissions did to the boards of some dates: GET /v1/ops/audit.
func (a scoreAudits) GetAudit(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	limit := int(q.Number("limit", usualRows, 1, mostRows))
	cursor := q.Text("cursor")
	if playerdata.CheckAuditCursor(cursor) != nil {
		q.Fault("cursor", "invalid cursor; restart without a cursor")
	}
	ask, mode := a.readAsk(q)
	if err := q.Done(); err != nil {
		return err
	}
	if !a.Game.Audit.On() {
		return problem.New("not-found", "the submission audit is off; set audit in the game file")
	}
	if mode != "" {
		m, ok := a.Game.ModeCalled(mode)
		if !ok {
			return problem.UnknownMode(mode)
		}
		ask.Mode = m.Name
	}
	page, err := a.People.ListAudit(r.Context(), ask, cursor, limit)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, page)
}

func (a scoreAudits) readAsk(q *decode.Query) (ask game.AuditQuery, mode string) {
	ask.Player, mode = q.Text("player"), q.Text("mode")
	if ask.Player != "" {
		if err := game.ValidPlayer(ask.Player); err != nil {
			q.Fault("player", err.Error())
		}
	}
	if ask.Player == "" && mode == "" {
		q.Fault("player", "name a player, a mode, or both")
	}
	dates := a.Game.OpenDates(a.Now())
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
	ask.From = ask.To.AddDays(1 - usualAuditDates)
	if from := date("from", &ask.From); from && (ask.From.After(ask.To) || ask.To.DaysSince(ask.From) >= mostAuditDates) {
		q.Fault("from", fmt.Sprintf("this must be to, or up to %d days before it", mostAuditDates-1))
	}
	return ask, mode
}
