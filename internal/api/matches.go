package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/race"
)

// matchNotices say who may not play, and when nothing may be written.
type matchNotices interface {
	MayWrite(ctx context.Context) error
	gate.Bans
}

// matchConfig is what the endpoints are made of.
type matchConfig struct {
	Game *game.Game
	Now  func() time.Time
	Gate *gate.Keeper

	Notices matchNotices
	Secret  auth.Secret // for ids and challenges that nobody may guess
	Dealer  *play.Dealer
	Duels   *duel.Store
	Races   *race.Store
}

// matchEndpoints are those of duels and races, each named as its route is.
type matchEndpoints struct {
	PostDuel, GetDuels, GetDuel                                      gate.Endpoint
	PostQueue, DeleteQueue                                           gate.Endpoint
	PostDuelAccept, PostDuelResult, PostRematch                      gate.Endpoint
	PostRace, GetRace, PostRaceJoin, PostRaceProgress, PostRaceLeave gate.Endpoint
	PostRaceQueue, DeleteRaceQueue                                   gate.Endpoint
}

// newMatches makes the endpoints.
func newMatches(c matchConfig) matchEndpoints {
	d := duels{c.Game, c.Gate, c.Duels, c.Notices, c.Secret}
	a := races{racesShown(c), c.Now, c.Gate, c.Notices}
	return matchEndpoints{
		PostDuel: d.postDuel, GetDuels: d.getDuels, GetDuel: d.getDuel,
		PostQueue: d.postQueue, DeleteQueue: d.deleteQueue,
		PostDuelAccept: d.postDuelAccept, PostDuelResult: d.postDuelResult, PostRematch: d.postRematch,
		PostRace: a.postRace, GetRace: a.getRace, PostRaceJoin: a.postRaceJoin, PostRaceProgress: a.postRaceProgress, PostRaceLeave: a.postRaceLeave,
		PostRaceQueue: a.postRaceQueue, DeleteRaceQueue: a.deleteRaceQueue,
	}
}

// showRace shows a race to a player, as it is at a moment: as JSON, as its endpoint does.
func showRace(c matchConfig, g game.Race, player string, at time.Time) ([]byte, error) {
	answer, err := racesShown(c).at(g, player, at)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

func racesShown(c matchConfig) shownRaces { return shownRaces{c.Game, c.Races, c.Secret, c.Dealer} }
