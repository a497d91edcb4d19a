// Package matches has the endpoints of duels and races: they make and find matches, take
// their results, and show or stream each match to players who may see it. Packages duel and
// race know the rules; package matches reads requests and writes answers.
//
// It must not know routes, other endpoints or boards. A score that comes with a race's play
// is taken elsewhere.
package matches

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// Config is what the endpoints of duels and of races need.
type Config struct {
	Game *game.Game
	Now  func() time.Time
	Gate *gate.Keeper

	Notices *control.Notices
	Secret  auth.Secret // for ids and challenges that nobody may guess
	Dealer  *play.Dealer
	Duels   *duel.Store
	Races   *race.Store
}

// mayAsk refuses banned players, and counts the requests of others.
func (c Config) mayAsk(w http.ResponseWriter, r *gate.Request) error {
	if err := c.Notices.MayPlay(r.Context(), r.Caller.Player.ID); err != nil {
		return err
	}
	return c.Gate.Count(w, r)
}

// readMode reads the mode of a duel, which may be absent, or of a race, which must be a mode
// that hands out plays. It returns the name under which matches keep the mode.
func readMode(g *game.Game, f *decode.Object, ofRace bool) (name string, unknown error) {
	name, ok := f.Text("mode", decode.Need(ofRace))
	if !ok {
		return "", nil
	}
	if err := game.ValidMode(name); err != nil {
		f.Fault("mode", err.Error())
		return "", nil
	}
	mode, ok := g.ModeCalled(name)
	switch {
	case !ok:
		return "", problem.UnknownMode(name)
	case ofRace && !mode.NeedsPlay:
		f.Fault("mode", "results of races come with plays, and this mode hands out none; use one that does")
	}
	return mode.Name, nil
}

// madeID returns the id of the duel or race that a request with an idempotency key makes; ""
// without a key. Anybody who knows the id of an open duel may accept it, and a key may be easy
// to guess: so the id is 128 bits that only this deployment can make.
func madeID(secret auth.Secret, what string, k game.IdempotencyRecord) string {
	if k.ID == "" {
		return ""
	}
	mac := hmac.New(sha256.New, secret.Key(what))
	mac.Write([]byte(k.ID))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Streams are the streaming endpoints of duels and races, each named after its route.
type Streams struct {
	duelStreams
	raceStreams
}

// NewStreams makes the streaming endpoints. If the game has no races, none answers for them.
func NewStreams(c Config, l *live.Live, none gate.Endpoint) Streams {
	return Streams{duelStreams{Duels{c}, l}, raceStreams{Races{c}, l, none}}
}
