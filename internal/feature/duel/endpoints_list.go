package duel

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// How many duels a page may have.
const (
	usualDuels = 20
	mostDuels  = 50
)

// Answer is a duel as the caller may see it.
type Answer struct {
	ID        string                  `json:"id"`
	Status    State                   `json:"status"`
	Players   []string                `json:"players"`
	Opponent  string                  `json:"opponent,omitempty"`
	Mode      string                  `json:"mode,omitempty"`
	Invite    string                  `json:"invite,omitempty"`
	CreatedAt string                  `json:"created_at"`
	ExpiresAt string                  `json:"expires_at,omitempty"`
	Reported  []string                `json:"reported,omitempty"`
	Winner    json.RawMessage         `json:"winner,omitempty"`
	Score     []int64                 `json:"score,omitempty"`
	Ratings   map[string]ratingAnswer `json:"ratings,omitempty"`
	Points    map[string]int64        `json:"points,omitempty"`
	XP        map[string]int64        `json:"xp,omitempty"`
	DecidedBy Judge                   `json:"decided_by,omitempty"`
	DecidedAt string                  `json:"decided_at,omitempty"`
	People    []api.Person            `json:"people,omitempty"`
}

// people are those players of duels who have a name.
func (d Endpoints) people(ctx context.Context, of ...Answer) ([]api.Person, error) {
	var players []string
	for _, a := range of {
		for _, player := range append(a.Players, a.Opponent) {
			if player != Erased {
				players = append(players, player)
			}
		}
	}
	return api.ReadPeople(ctx, d.People, players)
}

// ratingAnswer is a change of a rating by a duel, unrounded.
type ratingAnswer struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Rank   int64   `json:"rank"`
}

// Show shows a duel to a caller.
func Show(rules *game.Game, g Duel, who gate.Caller) Answer {
	a := Answer{
		ID: g.ID, Status: g.State, Players: []string{g.Players[0]}, Mode: rules.Called(g.Mode),
		CreatedAt: g.CreatedAt.Format(time.RFC3339), DecidedBy: g.By,
	}
	if g.State == Waiting || g.State == Ready {
		a.ExpiresAt = g.Until.Format(time.RFC3339)
	}
	switch {
	case g.State != Waiting && g.Players[1] != "":
		a.Players = g.Players[:]
	case g.Players[1] != "":
		a.Opponent = g.Players[1]
	case g.State == Waiting && g.Players[0] == who.Player.ID:
		a.Invite = g.ID
	}
	if g.State == Ready || g.State == Disputed {
		for i, report := range g.Reports {
			if report != nil {
				a.Reported = append(a.Reported, g.Players[i])
			}
		}
	}
	if g.Outcome == nil {
		return a
	}
	a.Winner = json.RawMessage("null")
	if g.Outcome.Winner != NoWinner {
		a.Winner, _ = json.Marshal(g.Players[g.Outcome.Winner]) // strings always marshal
	}
	if g.Outcome.Score != nil {
		a.Score = g.Outcome.Score[:]
	}
	a.DecidedAt = g.DecidedAt.Format(time.RFC3339)
	a.Ratings = map[string]ratingAnswer{}
	a.Points, a.XP = map[string]int64{}, map[string]int64{}
	for i, player := range g.Players {
		a.Ratings[player] = ratingAnswer(g.Ratings[i])
		a.Points[player], a.XP[player] = g.Points[i], g.XP[i]
	}
	if g.XP == [2]int64{} && !rules.GivesXP() {
		a.XP = nil
	}
	return a
}

// duelsAnswer is a page of a player's duels, newest first.
type duelsAnswer struct {
	Duels      []Answer     `json:"duels"`
	NextCursor string       `json:"next_cursor,omitempty"`
	People     []api.Person `json:"people,omitempty"`
}

// GetDuels lists the caller's duels: GET /v1/duels.
func (d Endpoints) GetDuels(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := decode.OpenQuery(r.URL)
	whose := q.Text("player")
	limit := q.Number("limit", usualDuels, 1, mostDuels)
	after, ok := parseDuelCursor(q.Text("cursor"))
	if !ok {
		q.Fault("cursor", "invalid cursor for this list; restart without a cursor")
	}
	if err := q.Done(); err != nil {
		return err
	}
	if whose != "" && whose != "me" && whose != player.ID {
		return problem.Forbidden("a player sees their own duels only; use player=me")
	}
	found, err := d.Duels.Of(r.Context(), player.ID, after, int(limit))
	if err != nil {
		return err
	}
	answer := duelsAnswer{Duels: make([]Answer, len(found))}
	for i, g := range found {
		answer.Duels[i] = Show(d.Game, g, r.Caller)
	}
	if answer.People, err = d.people(r.Context(), answer.Duels...); err != nil {
		return err
	}
	if len(found) == int(limit) {
		last := found[len(found)-1]
		answer.NextCursor = duelCursor(Mark{At: last.CreatedAt, ID: last.ID})
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}

func duelCursor(m Mark) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(m.At.UnixMilli(), 10) + " " + m.ID))
}

// parseDuelCursor is the inverse of duelCursor; no cursor is the zero Mark.
func parseDuelCursor(text string) (Mark, bool) {
	if text == "" {
		return Mark{}, true
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Mark{}, false
	}
	at, id, _ := strings.Cut(string(raw), " ")
	ms, err := strconv.ParseInt(at, 10, 64)
	if err != nil || ms < 0 || ms > 1<<52 || strconv.FormatInt(ms, 10) != at || ValidID(id) != nil {
		return Mark{}, false
	}
	return Mark{At: time.UnixMilli(ms).UTC(), ID: id}, true
}
