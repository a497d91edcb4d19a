package duel

import (
	"cmp"
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// PostDuel makes a duel: POST /v1/duels.
func (d Endpoints) PostDuel(w http.ResponseWriter, r *gate.Request) error {
	who := r.Caller
	q := decode.OpenQuery(r.URL)
	read := d.readChallenge
	if who.IsServer() {
		read = d.readArranged
	}
	want, err := read(r.Sent, who, q)
	if err != nil {
		return err
	}
	if err := d.Notices.MayPlay(r.Context(), want.banned()...); err != nil {
		return err
	}
	if err := d.Gate.Count(w, r); err != nil {
		return err
	}
	k := r.Record()
	if want.id == "" {
		want.id = d.Secret.ID("duel", k.ID) // a request that is repeated after a crash must get the same duel
	}
	return d.Gate.AnswerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		if !want.arranged {
			if err := api.Introduce(ctx, d.Names, r); err != nil {
				return 0, nil, false, err
			}
		}
		made, err := d.make(ctx, want)
		return http.StatusCreated, Show(d.Game, made, who), false, err
	})
}

// wantedDuel is a duel that is asked for.
type wantedDuel struct {
	id       string // given by the caller, or made from the idempotency key; empty: any
	players  [2]string
	mode     string
	arranged bool // by a game server: nobody has to accept it
}

// banned are the players of the duel who must not be banned. The opponent of a challenge is
// not one of them, so that the answer does not reveal a ban.
func (w wantedDuel) banned() []string {
	if w.arranged {
		return w.players[:]
	}
	return w.players[:1]
}

func (d Endpoints) make(ctx context.Context, want wantedDuel) (Duel, error) {
	if want.arranged {
		return d.Duels.Arrange(ctx, want.id, want.players, want.mode)
	}
	if want.id != "" {
		return d.Duels.ChallengeAs(ctx, want.id, want.players[0], want.players[1], want.mode)
	}
	return d.Duels.Challenge(ctx, want.players[0], want.players[1], want.mode)
}

// readChallenge reads a duel that a player asks for.
func (d Endpoints) readChallenge(body []byte, who gate.Caller, q *decode.Query) (wantedDuel, error) {
	f := decode.Open(body, "")
	want := wantedDuel{players: [2]string{who.Player.ID}}
	if opponent, ok := f.Text("opponent", decode.Optional); ok {
		switch err := game.ValidPlayer(opponent); {
		case err != nil:
			f.Fault("opponent", err.Error())
		case opponent == who.Player.ID:
			f.Fault("opponent", "this must be another player")
		}
		want.players[1] = opponent
	}
	mode, unknown := readMode(d.Game, f)
	want.mode = mode
	for _, name := range []string{"players", "id"} {
		if _, ok := f.Take(name, decode.Optional); ok {
			return want, problem.Forbidden("only a game server may name the players and the id of a duel; sign the request (" + gate.SignatureHeader + ")")
		}
	}
	if err := cmp.Or(q.Done(), f.Done()); err != nil {
		return want, err
	}
	return want, unknown
}

// readArranged reads a duel that a game server asks for.
func (d Endpoints) readArranged(body []byte, _ gate.Caller, q *decode.Query) (wantedDuel, error) {
	f := decode.Open(body, "")
	want := wantedDuel{arranged: true}
	if id, ok := f.Text("id", decode.Optional); ok {
		if err := ValidID(id); err != nil {
			f.Fault("id", err.Error())
		}
		want.id = id
	}
	if players, ok := f.Texts("players", decode.Required, 2); ok {
		for i, player := range players {
			if err := game.ValidPlayer(player); err != nil {
				f.ItemFault("players", i, err.Error())
			}
		}
		if len(players) != 2 || players[0] == players[1] {
			f.Fault("players", "these must be two different players")
		} else {
			want.players = [2]string{players[0], players[1]}
		}
	}
	mode, unknown := readMode(d.Game, f)
	want.mode = mode
	if err := cmp.Or(q.Done(), f.Done()); err != nil {
		return want, err
	}
	return want, unknown
}
