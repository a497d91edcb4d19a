// Package keystrokes judges a typing test by when its keys went down and came up.
//
// It knows what hands can do on a keyboard. It must not know who plays, what else they
// have played, or what becomes of its verdict. A program that draws its times as people's
// are spread passes: what stands in its way is that a play takes its time by the server's
// clock, and counts once.
package keystrokes

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/play"
)

// proof is what a player sends. Of each key down that counts, which is neither a
// modifier, nor Backspace, nor repeated by a key that is held, there is the time since
// the one before, and how long the key stayed down, in milliseconds.
type proof struct {
	Typed *string `json:"typed"` // as it stood at the end
	Gaps  []int64 `json:"gaps"`
	Holds []int64 `json:"holds"`
}

// Reasons why a proof is refused.
const (
	Unreadable   = "proof-unreadable"
	NoKeys       = "proof-empty"
	TooManyKeys  = "proof-too-many-keys"
	Longer       = "proof-too-long"  // it lasts longer than there was time
	Burst        = "proof-burst"     // more keys in a second than hands can
	TooFast      = "proof-too-fast"  // more a second over the whole of it
	LongPause    = "proof-pause"     // a pause that no test has
	ManyPauses   = "proof-pauses"    // more long ones than a test has
	MoreThanKeys = "proof-more-text" // more right characters than keys
)

// What hands cannot do, and what nobody does who types a test.
const (
	perBurst   = 25 // key downs in any second, at most
	perSecond  = 40 // on average over all
	pauseMost  = 60_000
	pauseLong  = 10_000 // ms, of which there may be
	pausesLong = 3
	// late is by how much the last key may come after the time of the challenge: clocks
	// are rounded, and timers fire late.
	late = 500
	// unseen is for how many right characters in a hundred, and for how many besides,
	// there need be no key: an event got lost, or a held key repeated a letter.
	unseenPercent, unseenMore = 5, 2
)

// Prove is the proof. Its values are wpm and accuracy.
func Prove(p play.Play, s play.Submission) ([]game.Score, play.Verdict, error) {
	sent, err := read(s.Proof, p.Mode.Challenge.Keys)
	if err != nil {
		return nil, play.Verdict{}, err
	}
	t := newTiming(sent.Gaps, sent.Holds)
	if err := t.possible(p, s.Passed); err != nil {
		return nil, play.Verdict{}, err
	}
	keys, right := int64(len(sent.Gaps)), matching(*sent.Typed, p.Challenge.Text)
	if right > keys+keys*unseenPercent/100+unseenMore {
		return nil, play.Verdict{}, play.Refuse(MoreThanKeys, "%d characters are right, and there are %d key downs", right, keys)
	}
	wpm, accuracy := WPM(right, p.Challenge.Seconds), Accuracy(right, keys)
	return []game.Score{wpm, accuracy}, play.Verdict{Held: t.suspicious(int64(wpm))}, nil
}

// read reads a proof of at most so many keys.
func read(raw json.RawMessage, most int) (proof, error) {
	var sent proof
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&sent); err != nil || sent.Typed == nil {
		return proof{}, play.Refuse(Unreadable, `the proof is not {"typed": text, "gaps": [ms, …], "holds": [ms, …]}, all of it whole numbers`)
	}
	switch keys := len(sent.Gaps); {
	case keys != len(sent.Holds):
		return proof{}, play.Refuse(Unreadable, "there are %d gaps and %d holds; send one of each for each key down", keys, len(sent.Holds))
	case keys == 0:
		return proof{}, play.Refuse(NoKeys, "nothing was typed")
	case keys > most:
		return proof{}, play.Refuse(TooManyKeys, "there are %d key downs; at most %d are taken", keys, most)
	}
	for i := range sent.Gaps {
		if sent.Gaps[i] < 0 || sent.Holds[i] < 0 || sent.Gaps[i] > longest || sent.Holds[i] > longest {
			return proof{}, play.Refuse(Unreadable, "gap or hold %d is not a time of 0 to %d ms", i, longest)
		}
	}
	return sent, nil
}

// longest is what any gap or hold may say, in ms: as long as any play lives.
const longest = int64(time.Hour / time.Millisecond)

// matching counts the characters that are those of the text, position by position.
func matching(typed, text string) int64 {
	wanted, right, at := []rune(text), int64(0), 0
	for _, c := range typed {
		if at == len(wanted) {
			break
		}
		if c == wanted[at] {
			right++
		}
		at++
	}
	return right
}

// WPM is words a minute with 2 decimals, halves up: five right characters are a word.
func WPM(right int64, seconds int) game.Score {
	// right/5 words in seconds/60 minutes, times 100: right · 1200 / seconds.
	return halfUp(right*1200, int64(seconds))
}

// Accuracy is the right characters in a hundred key downs with 2 decimals, halves up, and
// at most 100.
func Accuracy(right, keys int64) game.Score {
	return min(halfUp(right*100_00, keys), 100_00)
}

// halfUp is a/b of positive numbers, rounded to the next whole one.
func halfUp(a, b int64) game.Score { return game.Score((2*a + b) / (2 * b)) }
