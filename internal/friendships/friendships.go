// Package friendships has the endpoints of a player's friends: who asks whom, by name or by
// invite, who is blocked, and how other players are shown to whoever asks. Package friends
// knows the rules; here requests are read and answers written.
//
// It must not know routes, other endpoints or boards: friends are ranked elsewhere.
package friendships

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/problem"
)

// Friends changes and tells who is whose friend.
type Friends interface {
	Act(ctx context.Context, action friends.Action, player, other string) (friends.Outcome, error)
	Relations(ctx context.Context, player string) (friends.Relations, error)
	Invite(ctx context.Context, player string, uses int) (code string, expires time.Time, err error)
	Redeem(ctx context.Context, player, code string) (outcome friends.Outcome, other string, err error)
}

// Names knows how players are shown.
type Names interface {
	Names(ctx context.Context, players []string) (map[string]game.Profile, error)
}

// Config is what the endpoints are made of.
type Config struct {
	Gate    *gate.Keeper
	Friends Friends // nil: there is no database
	Names   Names
	Notices gate.Notices
}

// Endpoints are those of a player's friends, each named as its route is.
type Endpoints struct {
	GetFriends, DeleteFriend               gate.Endpoint
	PostRequest, PostAccept, DeleteRequest gate.Endpoint
	PutBlock, DeleteBlock                  gate.Endpoint
	PostInvite, PostInviteAccept           gate.Endpoint
}

// New makes the endpoints.
func New(c Config) Endpoints {
	f := friendships{c.Gate, c.Friends, c.Names, c.Notices}
	return Endpoints{
		GetFriends: f.getFriends, DeleteFriend: f.ending(friends.Remove),
		PostRequest: f.postRequest, PostAccept: f.postAccept, DeleteRequest: f.ending(friends.Drop),
		PutBlock: f.ending(friends.Block), DeleteBlock: f.ending(friends.Unblock),
		PostInvite: f.postInvite, PostInviteAccept: f.postInviteAccept,
	}
}

// friendships are the endpoints of a player's friends.
type friendships struct {
	gate    *gate.Keeper
	friends Friends
	names   Names
	notices gate.Notices
}

// Relation is another player, with how the player is shown.
type Relation struct {
	Player  string `json:"player"`
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Since   string `json:"since,omitempty"`
}

// Show has the players of some lists shown as others see them. All names are asked for
// at once.
func Show(ctx context.Context, by Names, lists ...[]friends.Relation) ([][]Relation, error) {
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

func newRelation(to friends.Relation, as game.Profile) Relation {
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

// getFriends reads GET /v1/friends.
func (f friendships) getFriends(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	all, err := f.friends.Relations(r.Context(), me)
	if err != nil {
		return err
	}
	blocked := make([]friends.Relation, len(all.Blocked))
	for i, player := range all.Blocked {
		blocked[i].Player = player
	}
	told, err := Show(r.Context(), f.names, all.Friends, all.Received, all.Sent, blocked)
	if err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, friendsAnswer{told[0], told[1], told[2], told[3]})
}

// friendshipAnswer is what now is between the caller and another player.
type friendshipAnswer struct {
	Player string `json:"player"`
	Status string `json:"status"` // requested or friends
}

// postRequest asks another player: POST /v1/friends/requests.
func (f friendships) postRequest(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	o := fields.Open(r.Sent, "")
	other, ok := o.Text("player", true)
	if ok {
		if err := validOther(me, other); err != "" {
			o.Fault("player", err)
		}
	}
	if err := fields.First(fields.OpenQuery(r.URL).Done(), o.Done()); err != nil {
		return err
	}
	if err := gate.MayPlay(r, f.notices, me); err != nil {
		return err
	}
	return f.gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		outcome, err := f.friends.Act(ctx, friends.Ask, me, other)
		if err != nil {
			return 0, nil, false, err
		}
		status := http.StatusOK
		if outcome == friends.Asked {
			status = http.StatusCreated
		}
		return friendship(status, other, outcome)
	})
}

// postAccept accepts a request: POST /v1/friends/requests/{player}/accept.
func (f friendships) postAccept(w http.ResponseWriter, r *gate.Request) error {
	me, other, err := both(r)
	if err != nil {
		return err
	}
	if err := gate.MayPlay(r, f.notices, me); err != nil {
		return err
	}
	banned, err := f.notices.IsBanned(r.Context(), other)
	if err != nil {
		return err
	}
	return f.gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		outcome := friends.None
		if !banned {
			var err error
			if outcome, err = f.friends.Act(ctx, friends.Accept, me, other); err != nil {
				return 0, nil, false, err
			}
		}
		if outcome == friends.None {
			return 0, nil, false, problem.NoRequest()
		}
		return friendship(http.StatusOK, other, outcome)
	})
}

// ending makes the endpoint of an action whose repetition is no different: 204.
func (f friendships) ending(action friends.Action) gate.Endpoint {
	return func(w http.ResponseWriter, r *gate.Request) error {
		me, other, err := both(r)
		if err != nil {
			return err
		}
		if err := f.notices.MayWrite(r.Context()); err != nil {
			return err
		}
		outcome, err := f.friends.Act(r.Context(), action, me, other)
		if err != nil {
			return err
		}
		if refused := problem.OfFriends(outcome); refused != nil {
			return refused
		}
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

// both reads the caller and the player of the path.
func both(r *gate.Request) (me, other string, err error) {
	q := fields.OpenQuery(r.URL)
	me, other = r.Caller.Player.ID, r.PathValue("player")
	if fault := validOther(me, other); fault != "" {
		q.PathFault("player", fault)
	}
	return me, other, q.Done()
}

// validOther says what is wrong with another player's id; "" for nothing.
func validOther(me, other string) string {
	if err := game.ValidPlayer(other); err != nil {
		return err.Error()
	}
	if me == other {
		return "this is yourself; name another player"
	}
	return ""
}

// friendship is the answer to an action that has had its effect.
func friendship(status int, other string, outcome friends.Outcome) (int, any, bool, error) {
	if refused := problem.OfFriends(outcome); refused != nil {
		return 0, nil, false, refused
	}
	answer := friendshipAnswer{Player: other, Status: "requested"}
	if outcome == friends.Friends {
		answer.Status = "friends"
	}
	return status, answer, false, nil
}
