// This file judges a typing test by the times at which its keys went down and up.
//
// It knows what hands can do on a keyboard. It must not know who plays, what else they have
// played, or what happens after its verdict. A program that draws its times from the
// distribution of people's times passes; what limits it is that a play takes real time by the
// server's clock, and counts once.

package play

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// proof is what a player sends. It has an entry for each key down that counts: those of
// modifiers and Backspace and the repeats of a held key do not. The entry is the time since
// the key down before, and how long the key stayed down, in milliseconds.
type proof struct {
	Typed    *string `json:"typed"` // the text at the end
	Gaps     []int64 `json:"gaps"`
	Holds    []int64 `json:"holds"`
	Composed *int64  `json:"composed"` // of the key downs; nil: the page does not say
}

// Reasons why a proof is refused.
const (
	Unreadable   = "proof-unreadable"
	NoKeys       = "proof-empty"
	TooManyKeys  = "proof-too-many-keys"
	Longer       = "proof-too-long"  // it lasts longer than the play
	Burst        = "proof-burst"     // more keys in a second than hands can press
	TooFast      = "proof-too-fast"  // more keys a second on average than hands can press
	LongPause    = "proof-pause"     // a longer pause than a test has
	ManyPauses   = "proof-pauses"    // more long pauses than a test has
	MoreThanKeys = "proof-more-text" // more correct characters than keys
)

// Bounds of what hands can do, and of what people do in a test.
const (
	perBurst   = 25 // key downs in any second
	perSecond  = 40 // key downs a second on average
	pauseMost  = 60_000
	pauseLong  = 10_000 // ms; of pauses from this length on there may be
	pausesLong = 3
	// late is how many ms after the end of the challenge the last key may come: clocks are
	// rounded, and timers fire late.
	late = 500
	// unseenPercent of the key downs, and unseenMore, is how many more correct characters
	// than key downs there may be: an event may get lost, and a held key repeats its letter.
	unseenPercent, unseenMore = 5, 2
)

// Prove implements [play.Proof]. Its values are wpm and accuracy.
func Prove(p Play, s Submission) ([]game.Score, Verdict, error) {
	sent, err := read(s.Proof, p.Mode.Challenge.Keys)
	if err != nil {
		return nil, Verdict{}, err
	}
	t := newTiming(sent.Gaps, sent.Holds)
	if err := t.possible(p, s.Passed); err != nil {
		return nil, Verdict{}, err
	}
	keys, typed := int64(len(sent.Gaps)), composedForm(*sent.Typed)
	most := keys + keys*unseenPercent/100 + unseenMore
	// One more than can be right shows that there are too many; the comparison stays small.
	right := rightCharacters(typed[:min(int64(len(typed)), most+1)], composedForm(p.Challenge.Text))
	if right > most {
		return nil, Verdict{}, Refuse(MoreThanKeys, "%d characters are right, and there are %d key downs", right, keys)
	}
	composed := composing(typed, keys)
	if sent.Composed != nil {
		composed = *sent.Composed
	}
	wpm, accuracy := WPM(right, p.Challenge.Seconds), Accuracy(right, max(keys-composed, right, 1))
	return []game.Score{wpm, accuracy}, Verdict{Held: t.suspicious(int64(wpm))}, nil
}

// read reads a proof of at most that many keys.
func read(raw json.RawMessage, most int) (proof, error) {
	var sent proof
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&sent); err != nil || sent.Typed == nil {
		return proof{}, Refuse(Unreadable, `the proof is not {"typed": text, "gaps": [ms, …], "holds": [ms, …]}, all of it whole numbers, and perhaps "composed": number`)
	}
	switch keys := len(sent.Gaps); {
	case keys != len(sent.Holds):
		return proof{}, Refuse(Unreadable, "there are %d gaps and %d holds; send one of each for each key down", keys, len(sent.Holds))
	case keys == 0:
		return proof{}, Refuse(NoKeys, "nothing was typed")
	case keys > most:
		return proof{}, Refuse(TooManyKeys, "there are %d key downs; at most %d are allowed", keys, most)
	}
	if n := sent.Composed; n != nil && (*n < 0 || *n > int64(len(sent.Gaps))) {
		return proof{}, Refuse(Unreadable, "composed is %d, and there are %d key downs; it says how many of these only composed", *n, len(sent.Gaps))
	}
	for i := range sent.Gaps {
		if sent.Gaps[i] < 0 || sent.Holds[i] < 0 || sent.Gaps[i] > longest || sent.Holds[i] > longest {
			return proof{}, Refuse(Unreadable, "gap or hold %d is not a time of 0 to %d ms", i, longest)
		}
	}
	return sent, nil
}

// longest is the largest gap or hold in ms: as long as the longest life of a play.
const longest = int64(time.Hour / time.Millisecond)

// WPM is words per minute with 2 decimals, halves rounded up; five correct characters are a
// word.
func WPM(right int64, seconds int) game.Score {
	// right/5 words in seconds/60 minutes, times 100: right · 1200 / seconds.
	return halfUp(right*1200, int64(seconds))
}

// Accuracy is correct characters per hundred key downs with 2 decimals, halves rounded up,
// and at most 100. Key downs that only composed are not among these.
func Accuracy(right, keys int64) game.Score {
	return min(halfUp(right*100_00, keys), 100_00)
}

// halfUp is a/b for positive numbers, rounded to the nearest integer, halves up.
func halfUp(a, b int64) game.Score { return game.Score((2*a + b) / (2 * b)) }
