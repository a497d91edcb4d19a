package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// gameCache bounds how long others may keep the description of the game: a deployment
// may change it.
const gameCache = 5 * time.Minute

// description is the endpoint that describes the game to pages.
type description struct{ *API }

// routes are the routes of the game.
func (d description) routes() []gate.Route {
	return []gate.Route{
		{Function: "leaderboard", Pattern: "GET /v1/game", Auth: gate.Public, Limit: limit.Boards, Serve: gate.NoQuery(d.getGame)},
	}
}

// gameAnswer describes the game to pages.
type gameAnswer struct {
	Name      string           `json:"name"`
	Day       game.DayRule     `json:"day"`
	Modes     []modeAnswer     `json:"modes"`
	OpenDates []openDateAnswer `json:"open_dates"`
	Level     levelAnswer      `json:"level"`
	Features  []string         `json:"features"`
}

type modeAnswer struct {
	Name          string            `json:"name"`
	Title         string            `json:"title"`
	Titles        map[string]string `json:"titles,omitempty"` // by language
	Policy        game.Policy       `json:"policy"`
	Order         game.Order        `json:"order"`
	Decimals      int               `json:"decimals"`
	Min           json.RawMessage   `json:"min"`
	Max           json.RawMessage   `json:"max"`
	Values        []valueAnswer     `json:"values,omitempty"`
	Ties          game.TieStyle     `json:"ties"`
	Scopes        []string          `json:"scopes"` // besides global
	Levels        int               `json:"levels,omitempty"`
	Aggregate     game.Aggregate    `json:"aggregate"`
	Rolling       bool              `json:"rolling,omitempty"` // boards of the last 7 and 30 days
	Decay         *decayAnswer      `json:"decay,omitempty"`   // of all time
	Details       bool              `json:"details"`
	Authoritative bool              `json:"authoritative"`
	Computed      bool              `json:"computed,omitempty"`    // from what players do: nobody submits to it
	Points        any               `json:"points,omitempty"`      // of a computed mode
	Unavailable   bool              `json:"unavailable,omitempty"` // scores are queued here, and the mode needs plays
	Play          *playRuleAnswer   `json:"play,omitempty"`
}

// PointsRules is implemented by rules of features that compute scores.
type PointsRules interface {
	// PointsOf is how the points of a day come about, as GET /v1/game shows it.
	PointsOf(*game.Mode) any
}

// decayAnswer describes how days lose weight on the board of all time.
type decayAnswer struct {
	Factor json.RawMessage `json:"factor"` // what is left of a day after each interval
	Days   int             `json:"days"`   // the interval
}

// playRuleAnswer is what a score of a mode needs.
type playRuleAnswer struct {
	Life    int64  `json:"life"` // seconds
	Proof   string `json:"proof,omitempty"`
	Seconds int    `json:"seconds,omitempty"`
	Keys    int    `json:"keys,omitempty"`
}

type openDateAnswer struct {
	Date     string `json:"date"`
	OpensAt  string `json:"opens_at"`
	ClosesAt string `json:"closes_at"`
}

type levelAnswer struct {
	Base int64 `json:"base"`
}

func newModeAnswer(g *game.Game, m *game.Mode) modeAnswer {
	answer := modeAnswer{
		Name: m.Called(), Title: m.Title, Titles: m.Titles, Policy: m.Policy, Order: m.Order, Ties: m.Ties, Decimals: m.Decimals,
		Min: json.RawMessage(m.FormatScore(m.Min)), Max: json.RawMessage(m.FormatScore(m.Max)), Values: newValueAnswers(m),
		Scopes: []string{}, Levels: m.Levels, Aggregate: m.Aggregate, Rolling: m.Rolling, Details: m.Details, Authoritative: m.Authoritative,
		Computed: m.Computed,
	}
	for _, rules := range g.Features {
		if computes, ok := rules.(PointsRules); ok && m.Computed {
			answer.Points = computes.PointsOf(m)
		}
	}
	if m.NeedsPlay {
		answer.Play = &playRuleAnswer{int64(g.Play.Life / time.Second), m.Proof, m.Challenge.Seconds, m.Challenge.Keys}
	}
	if m.Decay != nil {
		answer.Decay = &decayAnswer{Factor: json.RawMessage(game.FormatScaled(game.Score(m.Decay.Factor), 6)), Days: m.Decay.Every}
	}
	for _, kind := range []game.ScopeKind{game.Country, game.Region, game.Group, game.Level, game.Teams} {
		if m.HasScope(kind) {
			answer.Scopes = append(answer.Scopes, kind.String())
		}
	}
	return answer
}

// getGame reads GET /v1/game.
//
// Cost: none.
func (d description) getGame(w http.ResponseWriter, r *gate.Request) error {
	now := d.Now()
	answer := gameAnswer{
		Name: d.Game.Name, Day: d.Game.Day, OpenDates: []openDateAnswer{},
		Level: levelAnswer{d.Game.Level.Base}, Features: append([]string{}, d.Features...),
	}
	for _, m := range d.Game.Modes {
		mode := newModeAnswer(d.Game, m)
		mode.Unavailable = d.Queued && m.NeedsPlay
		answer.Modes = append(answer.Modes, mode)
	}
	for _, date := range d.Game.OpenDates(now) {
		answer.OpenDates = append(answer.OpenDates, openDateAnswer{
			date.String(), d.Game.Opens(date).Format(time.RFC3339), d.closes(date).Format(time.RFC3339),
		})
	}
	keep := min(gameCache, d.untilNext(now)).Truncate(time.Second)
	return respond.Public(w, r.Request, fmt.Sprintf("public, max-age=0, must-revalidate, s-maxage=%d", int64(keep/time.Second)), respond.With{Answer: answer, Parts: d.Described})
}

// closes is the first moment at which scores for a date are refused.
func (d description) closes(date game.Date) time.Time {
	return d.Game.Ends(game.Day.Of(date)).Add(d.Game.Grace)
}

// untilNext is how long the set of open dates stays the same.
func (d description) untilNext(now time.Time) time.Duration {
	open := d.Game.OpenDates(now)
	opens := d.Game.Opens(open[len(open)-1].AddDays(1))
	return min(d.closes(open[0]).Sub(now), opens.Sub(now))
}

// valueAnswer is one of the values that a mode ranks by.
type valueAnswer struct {
	Name     string          `json:"name"`
	Decimals int             `json:"decimals"`
	Min      json.RawMessage `json:"min"`
	Max      json.RawMessage `json:"max"`
	Order    game.Order      `json:"order"`
}

func newValueAnswers(m *game.Mode) []valueAnswer {
	var answers []valueAnswer
	for _, v := range m.Values {
		answers = append(answers, valueAnswer{
			v.Name, v.Decimals, json.RawMessage(v.Format(v.Min)), json.RawMessage(v.Format(v.Max)), v.Order,
		})
	}
	return answers
}
