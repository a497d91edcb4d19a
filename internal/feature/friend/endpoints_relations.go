package friend

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// PublicProfile is another player, as others see that player.
type PublicProfile struct {
	Player  string `json:"player"`
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Since   string `json:"since,omitempty"`
}

// Show adds profiles to the players of some lists. It asks for all names at once.
func Show(ctx context.Context, by Names, lists ...[]Relation) ([][]PublicProfile, error) {
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
	shown := make([][]PublicProfile, len(lists))
	for i, relations := range lists {
		shown[i] = make([]PublicProfile, len(relations))
		for j, relation := range relations {
			shown[i][j] = newShown(relation, names[relation.Player])
		}
	}
	return shown, nil
}

func newShown(to Relation, as game.Profile) PublicProfile {
	answer := PublicProfile{Player: to.Player, Name: as.Name, Picture: as.Picture, Country: as.Country}
	if !to.Since.IsZero() {
		answer.Since = to.Since.UTC().Format(time.RFC3339)
	}
	return answer
}

type friendsAnswer struct {
	Friends  []PublicProfile `json:"friends"`
	Received []PublicProfile `json:"received"`
	Sent     []PublicProfile `json:"sent"`
	Blocked  []PublicProfile `json:"blocked"`
}

// GetFriends reads GET /v1/friends.
func (f Endpoints) GetFriends(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	all, err := f.Friends.Relations(r.Context(), me)
	if err != nil {
		return err
	}
	blocked := make([]Relation, len(all.Blocked))
	for i, player := range all.Blocked {
		blocked[i].Player = player
	}
	shown, err := Show(r.Context(), f.Names, all.Friends, all.Received, all.Sent, blocked)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, friendsAnswer{shown[0], shown[1], shown[2], shown[3]})
}
