package doctor

import (
	"github.com/framedle/leaderboards/client"

	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
)

// play makes a player play, looks for the score on the board, and removes it.
func (e *examination) play(ctx context.Context) {
	if e.OpsToken == "" || e.SigningKey == "" {
		e.add("play", Skipped, "requires OPS_TOKEN and SIGNING_KEYS")
		return
	}
	player := cmp.Or(e.Player, "doctor_plays")
	// An earlier score is the player's own, and would be removed too.
	if a, err := e.ask(ctx, http.MethodGet, "/v1/leaderboards/"+e.Mode+"/players/"+player, "", nil); err != nil || a.status != http.StatusNotFound {
		e.add("play", Wrong, "%s is on the board of %s already (%s): use another player", player, e.Mode, a.found())
		return
	}
	body := fmt.Sprintf(`{"mode":%q,"player":%q,"score":%s}`, e.Mode, player, cmp.Or(e.Score, "1"))
	// Modes that add scores up require a key.
	key := http.Header{"Idempotency-Key": {`"` + rand.Text() + `"`}}
	a, err := e.server.Do(ctx, client.Request{Method: http.MethodPost, Path: "/v1/scores", Header: key, Body: []byte(body)})
	switch {
	case err != nil:
		e.add("play", Wrong, "no response to a score: %v", err)
		return
	case a.Status == http.StatusAccepted:
		e.add("play", Note, "the score is queued; remove %s manually once it is written", player)
		return
	case a.Status != http.StatusCreated:
		e.add("play", Wrong, "a score is rejected: %s", answer{status: a.Status, header: a.Header, body: a.Body}.found())
		return
	}
	var stands struct{ Date string }
	_ = json.Unmarshal(a.Body, &stands)
	card, err := e.ask(ctx, http.MethodGet, "/v1/leaderboards/"+e.Mode+"/players/"+player+"?date="+stands.Date, "", nil)
	seen := err == nil && card.status == http.StatusOK
	removed, err := e.ask(ctx, http.MethodDelete, "/v1/ops/scores", fmt.Sprintf(`{"mode":%q,"date":%q,"player":%q}`, e.Mode, stands.Date, player), bearer(e.OpsToken))
	switch {
	case err != nil || removed.status != http.StatusOK:
		e.add("play", Wrong, "the score of %s on %s in %s could not be removed (%s): remove it manually", player, stands.Date, e.Mode, removed.found())
	case !seen:
		e.add("play", Wrong, "a score was accepted but is not on the board: %s", card.found())
	default:
		e.add("play", Good, "submitted and removed a score of %s in %s on %s", player, e.Mode, stands.Date)
	}
}
