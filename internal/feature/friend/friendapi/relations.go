package friendapi

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
)

// Relation is another player, as others see that player.
type Relation struct {
	Player  string `json:"player"`
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Since   string `json:"since,omitempty"`
}

// Show adds profiles to the players of some lists. It asks for all names at once.
func Show(ctx context.Context, by Names, lists ...[]friend.Relation) ([][]Relation, error) {
	var players []string
	for _, relations := range lists {
		for _, relation := range relations {
			players = append(players, relation.Player)
		}
	}
	names, err := by.Names(ctx, players)
	if err != nil {
		return nil, err
	}
	shown := make([][]Relation, len(lists))
	for i, relations := range lists {
		shown[i] = make([]Relation, len(relations))
		for j, relation := range relations {
			shown[i][j] = newRelation(relation, names[relation.Player])
		}
	}
	return shown, nil
}

func newRelation(to friend.Relation, as game.Profile) Relation {
	answer := Relation{Player: to.Player, Name: as.Name, Picture: as.Picture, Country: as.Country}
	if !to.Since.IsZero() {
		answer.Since = to.Since.UTC().Format(time.RFC3339)
	}
	return answer
}

type friendsAnswer struct {
	Friends  []Relation `json:"friends"`
	Received []Relation `json:"received"`
	Sent     []Relation `json:"sent"`
	Blocked  []Relation `json:"blocked"`
}

// GetFriends reads GET /v1/friends.
func (f Endpoints) GetFriends(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	all, err := f.Friends.Relations(r.Context(), me)
	if err != nil {
		return err
	}
	blocked := make([]friend.Relation, len(all.Blocked))
	for i, player := range all.Blocked {
		blocked[i].Player = player
	}
	shown, err := Show(r.Context(), f.Names, all.Friends, all.Received, all.Sent, blocked)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, friendsAnswer{shown[0], shown[1], shown[2], shown[3]})
}
