package league

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Reader reads players' leagues.
type Reader interface {
	PlayerLeague(ctx context.Context, player string) (PlayerLeague, error)
}

// Endpoints are the endpoints of players' own leagues, each named as its route.
type Endpoints struct {
	Game    *game.Game
	Leagues Reader // nil: no database
}

// Routes are the routes of leagues.
func (e Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "me", Pattern: "GET /v1/leagues/me", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: gate.Price{Most: leaguePrice, Reserved: leagueReserved}, Steady: leagueSteady(e.Game), Serve: gate.NoQuery(e.GetLeague)},
	}
}

// What a player's own league costs, in billed commands: if a week's XP is due for a refresh, the
// days of the week that are not taken in are added up.
const (
	leaguePrice    = 80
	leagueReserved = 6
)

// leagueSteady is for a player whose cohort the process knows: 0 if the process has read that
// cohort in the last 30 s.
func leagueSteady(g *game.Game) int {
	if RulesOf(g) == nil {
		return 0
	}
	return 2
}

// leagueAnswer is a player's league.
type leagueAnswer struct {
	Week      string               `json:"week"`
	EndsAt    string               `json:"ends_at"`
	State     State                `json:"state"`
	Tier      string               `json:"tier"`
	TierIndex int                  `json:"tier_index"` // from 0, in the tiers of GET /v1/game
	Cohort    *string              `json:"cohort"`
	Rank      *int                 `json:"rank"`
	Zone      *Zone                `json:"zone"`
	Promote   int                  `json:"promote"`  // how many of this cohort, at its present size
	Relegate  int                  `json:"relegate"` // likewise
	Entries   []leagueEntryAnswer  `json:"entries"`
	Results   []leagueResultAnswer `json:"results"`
	UpdatedAt string               `json:"updated_at"`
}

type leagueEntryAnswer struct {
	Rank    int    `json:"rank"`
	Player  string `json:"player"`
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	XP      int64  `json:"xp"`
	Zone    Zone   `json:"zone"`
	Reward  string `json:"reward,omitempty"`
	Me      bool   `json:"me,omitempty"`
}

type leagueResultAnswer struct {
	Week      string `json:"week"`
	Tier      string `json:"tier"`
	Rank      int    `json:"rank"`
	Players   int    `json:"players"`
	XP        int64  `json:"xp"`
	Zone      Zone   `json:"zone"`
	TierAfter string `json:"tier_after"`
	Reward    string `json:"reward,omitempty"`
}

// GetLeague reads GET /v1/leagues/me.
func (e Endpoints) GetLeague(w http.ResponseWriter, r *gate.Request) error {
	switch {
	case RulesOf(e.Game) == nil:
		return problem.New("not-found", "leagues are off; set leagues: {} in the game file")
	case e.Leagues == nil:
		return problem.New("no-database", "leagues require a database")
	}
	player := r.Caller.Player.ID
	own, err := e.Leagues.PlayerLeague(r.Context(), player)
	if err != nil {
		return err
	}
	return respond.Public(w, r.Request, respond.OwnCache, newLeagueAnswer(RulesOf(e.Game), player, own))
}

func newLeagueAnswer(rules *Rules, player string, own PlayerLeague) leagueAnswer {
	answer := leagueAnswer{
		Week: own.Week.Key(), EndsAt: own.Ends.UTC().Format(time.RFC3339), State: own.State,
		Tier: tierName(rules, own.Tier), TierIndex: own.Tier, UpdatedAt: own.Updated.UTC().Format(time.RFC3339),
		Entries: make([]leagueEntryAnswer, len(own.Entries)), Results: make([]leagueResultAnswer, len(own.Results)),
	}
	if own.Cohort != nil {
		cohort := fmt.Sprintf("%d.%d.%d", own.Cohort.Tier, own.Cohort.Pace, own.Cohort.Cohort)
		answer.Cohort = &cohort
		answer.Promote, answer.Relegate = rules.Zones(own.Tier, len(own.Entries))
	}
	for i, e := range own.Entries {
		answer.Entries[i] = leagueEntryAnswer{
			e.Place, e.Player, e.Profile.Name, e.Profile.Picture, e.Profile.Country, e.XP, e.Zone, e.Reward, e.Player == player,
		}
		if e.Player == player {
			answer.Rank, answer.Zone = &own.Entries[i].Place, &own.Entries[i].Zone
		}
	}
	for i, past := range own.Results {
		answer.Results[i] = leagueResultAnswer{
			game.Week.Of(past.Week).Key(), tierName(rules, past.Tier), past.Place, past.Of, past.XP, past.Zone,
			tierName(rules, past.After), past.Reward,
		}
	}
	return answer
}

// tierName returns the name of a tier. A tier that the game no longer has gets the name of its
// highest one.
func tierName(rules *Rules, tier int) string {
	return rules.Tiers[min(tier, len(rules.Tiers)-1)]
}

// leaguesAnswer describes the rules of leagues to pages.
type leaguesAnswer struct {
	Tiers    []string `json:"tiers"` // the lowest first
	Size     int      `json:"size"`
	Promote  int      `json:"promote"`
	Relegate int      `json:"relegate"`
	Rewards  []string `json:"rewards,omitempty"` // by place
}

// Described is what GET /v1/game says of leagues.
func Described(g *game.Game) []respond.Part {
	rules := RulesOf(g)
	if rules == nil {
		return nil
	}
	return []respond.Part{{Key: "leagues", Value: leaguesAnswer{rules.Tiers, rules.Size, rules.Promote, rules.Relegate, rules.Rewards}}}
}
