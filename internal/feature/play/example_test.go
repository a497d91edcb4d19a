package play_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
)

// clicks is a proof of a game in which targets are hit: the moment of each hit, in
// milliseconds since the play began.
func clicks(p play.Play, s play.Submission) ([]game.Score, play.Verdict, error) {
	var hits []int64
	if err := json.Unmarshal(s.Proof, &hits); err != nil {
		return nil, play.Verdict{}, play.Refuse("proof-unreadable", "the proof is not a list of moments in milliseconds")
	}
	var held play.Verdict
	for i, at := range hits {
		if at > s.Passed.Milliseconds() || i > 0 && at <= hits[i-1] {
			return nil, play.Verdict{}, play.Refuse("proof-order", "hit %d is not between the one before and now", i+1)
		}
		if i > 0 && at-hits[i-1] < 100 {
			held.Held = "two hits are less than 100 ms apart"
		}
	}
	return []game.Score{game.Score(100 * len(hits))}, held, nil
}

func Example_proof() {
	var proof play.Proof = clicks
	p := play.Play{Player: "user_ana", Challenge: play.Challenge{Seconds: 10, Seed: "0f4e1c2b3a495867"}}
	for _, sent := range []string{`[300, 900, 1500]`, `[300, 340]`, `[300, 60000]`} {
		values, verdict, err := proof(p, play.Submission{Proof: json.RawMessage(sent), Passed: 10 * time.Second})
		fmt.Println(values, verdict.Held, err)
	}
	// Output:
	// [300]  <nil>
	// [200] two hits are less than 100 ms apart <nil>
	// []  hit 2 is not between the one before and now
}
