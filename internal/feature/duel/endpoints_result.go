package duel

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/game"
)

// PostDuelResult takes a result: POST /v1/duels/{id}/result.
func (d Endpoints) PostDuelResult(w http.ResponseWriter, r *gate.Request) error {
	who := r.Caller
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	result, err := readResult(r.Sent, RulesOf(d.Game).Rounds)
	if err != nil {
		return err
	}
	// A game server also reports for banned players, but these may not win.
	speaks := who.Player.ID
	if who.IsServer() {
		speaks = result.Winner
	}
	if speaks != "" {
		if err := d.Notices.MayPlay(r.Context(), speaks); err != nil {
			return err
		}
	}
	if err := d.Gate.Count(w, r); err != nil {
		return err
	}
	result.Player = who.Player.ID
	return d.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		got, err := d.Duels.Report(ctx, id, result)
		return http.StatusOK, Show(d.Game, got, who), false, err
	})
}

// readResult reads the winner, which must be present but may be null, and the score, which
// may be absent and gives each player up to so many rounds.
func readResult(body []byte, rounds int64) (Result, error) {
	f := decode.Open(body, "")
	var result Result
	if raw, ok := f.Values["winner"]; !ok && f.Values != nil {
		f.Fault("winner", "this field is required: a player, or null for a draw")
	} else if ok && string(raw) != "null" {
		winner, _ := f.Text("winner", decode.Required)
		if err := game.ValidPlayer(winner); err != nil && len(f.Faults) == 0 {
			f.Fault("winner", err.Error())
		}
		result.Winner = winner
	}
	f.Taken = append(f.Taken, "winner")
	if raw, ok := f.Take("score", decode.Optional); ok {
		var numbers []json.RawMessage
		if json.Unmarshal(raw, &numbers) != nil || len(numbers) != 2 {
			f.Fault("score", "this must be an array of two numbers, in the order of the duel's players")
		} else {
			result.Score = &[2]int64{}
			for i, number := range numbers {
				n, err := strconv.ParseInt(string(number), 10, 64)
				if err != nil || n < 0 || n > rounds {
					f.ItemFault("score", i, "this must be a whole number from 0 to "+strconv.FormatInt(rounds, 10)+", the rounds that the game's duels can have")
				}
				result.Score[i] = n
			}
		}
	}
	return result, f.Done()
}
