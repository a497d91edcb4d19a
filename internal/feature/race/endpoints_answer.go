package race

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
)

// States of a race that callers see in addition to those of package game. A started race is
// ready until its start, and then running.
const (
	raceReady   = "ready"
	raceRunning = "running"
)

// raceAnswer is a race as one of its players sees it.
type raceAnswer struct {
	ID        string           `json:"id"`
	State     string           `json:"state"`
	Mode      string           `json:"mode"`
	Size      int              `json:"size"`
	Open      bool             `json:"open"`
	Players   []raceSeatAnswer `json:"players"`
	Now       string           `json:"now"`
	CreatedAt string           `json:"created_at"`
	StartsAt  string           `json:"starts_at,omitempty"`
	Until     string           `json:"until,omitempty"`
	DecidedAt string           `json:"decided_at,omitempty"`
	Challenge *play.Challenge  `json:"challenge,omitempty"`
	Play      string           `json:"play,omitempty"`
	PlayUntil string           `json:"play_expires_at,omitempty"`
	People    []api.Person     `json:"people,omitempty"` // not in streams
}

// raceSeatAnswer is a player of a  Scores are shown only once the race is decided;
// otherwise the last players would know what they have to beat.
type raceSeatAnswer struct {
	Player   string          `json:"player"`
	Progress float64         `json:"progress"`
	Finished bool            `json:"finished"`
	Left     bool            `json:"left,omitempty"`
	Score    json.RawMessage `json:"score,omitempty"`
	Values   json.RawMessage `json:"values,omitempty"`
	Place    int             `json:"place,omitempty"`
	Rating   *raceRating     `json:"rating,omitempty"`
}

// raceRating is a change of a rating by a race, unrounded.
type raceRating struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// answerFor is a race as a player sees it at a moment. If the race has started and awaits the
// player's result, it includes the player's play.
func (a Endpoints) answerFor(g Race, player string, now time.Time) (raceAnswer, error) {
	g = a.Races.WithProgress(g)
	answer := raceAnswer{
		ID: g.ID, State: string(g.State), Mode: a.Game.Called(g.Mode), Size: g.Size, Open: g.Open,
		Players: make([]raceSeatAnswer, len(g.Seats)), Now: now.UTC().Format(respond.Millis), CreatedAt: g.CreatedAt.Format(respond.Millis),
	}
	mode, known := a.Game.Mode(g.Mode)
	over := g.State == Decided || g.State == Expired
	if !g.StartsAt.IsZero() {
		answer.StartsAt = g.StartsAt.Format(respond.Millis)
	}
	if over {
		answer.DecidedAt = g.DecidedAt.Format(respond.Millis)
	} else {
		answer.Until = g.Until.Format(respond.Millis)
	}
	if g.State == Started {
		answer.State = raceRunning
		if now.Before(g.StartsAt) {
			answer.State = raceReady
		}
	}
	for i, seat := range g.Seats {
		row := raceSeatAnswer{Player: seat.Player, Progress: seat.Progress, Finished: seat.Score != nil, Left: seat.Left, Place: seat.Place}
		if over && seat.Score != nil && known {
			row.Score, row.Values = json.RawMessage(mode.FormatScore(*seat.Score)), mode.FormatValues(*seat.Score)
		}
		if seat.Place > 0 {
			row.Rating = &raceRating{seat.Rating.Before, seat.Rating.After}
		}
		answer.Players[i] = row
	}
	at := g.Seat(player)
	if a.Queued || !known || g.State != Started || at < 0 || g.Seats[at].Left || g.Seats[at].Score != nil {
		return answer, nil
	}
	dealt, token, err := a.deal(g, mode, player)
	if errors.Is(err, errTextLeft) {
		return answer, nil // a result with another text would not be comparable
	}
	if err != nil {
		return answer, err
	}
	answer.Play, answer.PlayUntil = token, dealt.Expires(a.Game.Play).UTC().Format(respond.Millis)
	if dealt.Challenge != (play.Challenge{}) {
		answer.Challenge = &dealt.Challenge
	}
	return answer, nil
}

// named is a race as a player sees it now, with the names of its players.
//
// Cost: 1 billed command, or none if this process knows all names.
func (a Endpoints) named(ctx context.Context, g Race, player string) (raceAnswer, error) {
	answer, err := a.answerFor(g, player, a.Now())
	if err != nil {
		return answer, err
	}
	var players []string
	for _, seat := range answer.Players {
		if seat.Player != Erased {
			players = append(players, seat.Player)
		}
	}
	answer.People, err = api.ReadPeople(ctx, a.People, players)
	return answer, err
}

// drawn is how many bytes a challenge or a nonce is drawn from: enough for any draw.
const drawn = 512

// errTextLeft means that the game no longer has the text of a  Players get no other
// text, and tokens with the old one are refused.
var errTextLeft = errors.New("the text of the race is no longer in the game")

// deal makes a player's play of a started  The play begins when the race does. Challenge
// and play are derived from the deployment's secret, so repeated calls give the same
// challenge for all players of the race and the same play for one player.
func (a Endpoints) deal(g Race, mode *game.Mode, player string) (p play.Play, token string, err error) {
	drawing := func(of string) (*play.Dealer, error) {
		bytesOf, err := hkdf.Key(sha256.New, a.Secret.Key("race plays"), nil, of, drawn)
		return a.Dealer.Drawing(bytes.NewReader(bytesOf)), err
	}
	of, err := drawing("challenge " + g.ID)
	if err != nil {
		return p, "", err
	}
	var challenge play.Challenge
	if g.Text == "" {
		challenge, err = of.Challenge(mode)
	} else if bound, has := of.Bound(mode, g.Text); has {
		challenge = bound
	} else {
		err = errTextLeft
	}
	if err != nil {
		return p, "", fmt.Errorf("draw the challenge of a race: %w", err)
	}
	if of, err = drawing("play " + g.ID + " " + player); err != nil {
		return p, "", err
	}
	return of.Deal(play.Play{
		Mode: mode, Player: player, Date: game.DateOf(g.StartsAt), At: g.StartsAt, Challenge: challenge, Race: g.ID,
	})
}
