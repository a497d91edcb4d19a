package ops

import (
	"fmt"
	"net/http"
	"unicode/utf8"

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

// Bounds of a search for players by name.
const (
	leastName = 2  // characters: one alone would find a good part of all players
	mostName  = 80 // characters, as names have at most
	mostFound = 20
)

// GetPlayers finds players by name: GET /v1/ops/players.
func (o operatorLists) GetPlayers(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	name, cursor := q.Text("name"), q.Text("cursor")
	limit := int(q.Number("limit", mostFound, 1, mostFound))
	if n := utf8.RuneCountInString(name); n < leastName || n > mostName || !playerdata.Searchable(name) {
		q.Fault("name", fmt.Sprintf("use the beginning of a name, %d to %d characters", leastName, mostName))
	}
	if playerdata.CheckName(cursor) != nil {
		q.Fault("cursor", "invalid cursor; restart without a cursor")
	}
	if err := q.Done(); err != nil {
		return err
	}
	found, err := o.People.FindByName(r.Context(), name, cursor, limit)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, found)
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
