package ops

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// operatorLists are the endpoints of the operator's lists.
type operatorLists struct{ Config }

// Numbers of rows on a page of the operator's lists.
const (
	usualRows = 100
	mostRows  = 1000
)

// listQuery reads the parameters that the operator's lists share.
func listQuery(q *decode.Query) (cursor string, limit int) {
	limit = int(q.Number("limit", usualRows, 1, mostRows))
	if cursor = q.Text("cursor"); playerdata.CheckMark(cursor) != nil {
		q.Fault("cursor", "invalid cursor; restart without a cursor")
	}
	return cursor, limit
}

// GetBans lists banned players: GET /v1/ops/bans.
func (o operatorLists) GetBans(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	cursor, limit := listQuery(q)
	if err := q.Done(); err != nil {
		return err
	}
	bans, err := o.People.ListBans(r.Context(), cursor, limit)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, bans)
}

// GetLog lists acts of operators, and of players themselves: GET /v1/ops/log.
func (o operatorLists) GetLog(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	cursor, limit := listQuery(q)
	player := q.Text("player")
	if player != "" {
		if err := game.ValidPlayer(player); err != nil {
			q.Fault("player", err.Error())
		}
	}
	if err := q.Done(); err != nil {
		return err
	}
	log, err := o.People.ListLog(r.Context(), player, cursor, limit)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, log)
}

// Numbers of days of the statistics.
const (
	usualDays = 30
	mostDays  = 90
)

// GetStatistics counts active players: GET /v1/ops/statistics.
func (o operatorLists) GetStatistics(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	days := int(q.Number("days", usualDays, 1, mostDays))
	if err := q.Done(); err != nil {
		return err
	}
	statistics, err := o.People.Statistics(r.Context(), days)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, statistics)
}
