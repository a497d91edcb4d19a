package lifecycle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Every answer says what the play did, whichever process took it and however often its request
// was sent, whether it was lost before its effect or after.
func TestStatusesAreRightWhateverIsLost(t *testing.T) {
	const players, plays = 60, 12
	overREST(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		k.impatient()
		processes := []*process{k.process(), k.process()}
		for _, mode := range []string{"first", "golf", "best", "fastest", "shared", "latest", "soonest"} {
			t.Run(mode, func(t *testing.T) {
				k.empty()
				k.server.Inject(losing())
				defer k.server.Inject(nil)
				var wait sync.WaitGroup
				for player := range players {
					wait.Go(func() {
						model := newModel(k.mode(mode))
						for play := range plays {
							sub := k.play(mode, fmt.Sprint("p", player), game.Score(rand.IntN(20)))
							if play%3 == 0 {
								sub.Scopes = []game.Scope{group(t, "red")}
							}
							status, score, sure := submitted(t, processes[rand.IntN(2)], sub, play%4 == 3)
							want, _ := model.submit("p", sub.Score, sub.At)
							if sure && status != game.Status(want) {
								t.Errorf("play %d of p%d: %s, want %s", play, player, status, want)
							}
							if current := model.entries["p"].score; score != current {
								t.Errorf("play %d of p%d: score %d, want %d", play, player, score, current)
							}
						}
					})
				}
				wait.Wait()
			})
		}
	})
}

// submitted sends a play, alone or as a batch, until it is answered. The status is unsure if
// the first call returned an error: the play may have had its effect.
func submitted(t *testing.T, p *process, sub game.Submission, batch bool) (status game.Status, score game.Score, sure bool) {
	for tries := 0; tries < 100; tries++ {
		var outcome leaderboard.Outcome
		var err error
		if batch {
			o := p.Boards.SubmitBatch(context.Background(), []game.Submission{sub})[0]
			outcome, err = o.Outcome, o.Err
		} else {
			outcome, err = p.Boards.Submit(context.Background(), sub)
		}
		if err == nil {
			return outcome.Status, outcome.Score, tries == 0
		}
	}
	t.Error("it is never answered")
	return "", 0, false
}

// losing breaks one connection in four, before or after the effect.
func losing() func(upstashtest.Request) upstashtest.Fault {
	return func(upstashtest.Request) upstashtest.Fault {
		n := rand.IntN(8)
		return upstashtest.Fault{CutBefore: n == 0, CutAfter: n == 1}
	}
}
