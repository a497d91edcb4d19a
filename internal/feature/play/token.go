package play

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	version    = "1"
	sealBytes  = 16 // of HMAC-SHA256
	nonceBytes = 16
	maxToken   = 1024 // characters; a usual token has some 200
	words      = 9
)

// Purpose is what the keys of plays are derived for, see auth.Secret.
const Purpose = "play"

// Dealer hands out plays and opens them again. It is safe for concurrent use if its random
// source is.
type Dealer struct {
	game   *game.Game
	keys   [][]byte
	random io.Reader
}

// NewDealer makes a Dealer. The first key seals plays; each key opens them. Nobody may be
// able to guess random.
func NewDealer(g *game.Game, keys [][]byte, random io.Reader) *Dealer {
	return &Dealer{g, keys, random}
}

func (d *Dealer) draw(n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(d.random, b); err != nil {
		return nil, fmt.Errorf("draw a play: %w", err)
	}
	return b, nil
}

// Deal makes a play with a new nonce, and its token. The caller sets mode, player, date,
// moment, challenge and race.
func (d *Dealer) Deal(p Play) (Play, string, error) {
	nonce, err := d.draw(nonceBytes)
	if err != nil {
		return Play{}, "", err
	}
	p.Nonce = hex.EncodeToString(nonce)
	p.At = p.At.Truncate(time.Millisecond)
	return p, d.write(p), nil
}

// write makes the token of a play: a seal, and the parts separated by blanks. No part
// contains a blank.
func (d *Dealer) write(p Play) string {
	text := ""
	if p.Challenge.Text != "" {
		text = digest(p.Challenge.Text)
	}
	parts := []string{
		version, p.Mode.Name, p.Player, p.Date.String(), strconv.FormatInt(p.At.UnixMilli(), 10), p.Nonce,
		strconv.Itoa(p.Challenge.Seconds), text + "~" + p.Challenge.Seed, "~" + p.Race,
	}
	body := []byte(strings.Join(parts, " "))
	return base64.RawURLEncoding.EncodeToString(append(seal(d.keys[0], body), body...))
}

func seal(key, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return mac.Sum(nil)[:sealBytes]
}

var forged = Refuse(Forged, "this play was not issued here; request one with POST /v1/plays")

// Open reads the token of a play, and checks its seal. The error is a *[Refusal].
func (d *Dealer) Open(token string) (Play, error) {
	if len(token) > maxToken || strings.ContainsAny(token, "\r\n") {
		return Play{}, forged
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) <= sealBytes {
		return Play{}, forged
	}
	body := raw[sealBytes:]
	if !slices.ContainsFunc(d.keys, func(key []byte) bool { return hmac.Equal(raw[:sealBytes], seal(key, body)) }) {
		return Play{}, forged
	}
	return d.read(strings.Split(string(body), " "))
}

// read makes a play from the parts of a sealed token. An earlier version of the deployment
// may have sealed it.
func (d *Dealer) read(parts []string) (p Play, err error) {
	if len(parts) != words || parts[0] != version {
		return Play{}, forged
	}
	mode, ok := d.game.Mode(parts[1])
	if !ok {
		return Play{}, Refuse(OtherMode, "the game no longer has the mode %.40q", parts[1])
	}
	date, errDate := game.ParseDate(parts[3])
	at, errAt := strconv.ParseInt(parts[4], 10, 64)
	seconds, errSeconds := strconv.Atoi(parts[6])
	if errDate != nil || errAt != nil || errSeconds != nil {
		return Play{}, forged
	}
	text, seed, _ := strings.Cut(parts[7], "~")
	p = Play{
		Mode: mode, Player: parts[2], Date: date, At: time.UnixMilli(at), Nonce: parts[5],
		Challenge: Challenge{Seconds: seconds, Seed: seed}, Race: strings.TrimPrefix(parts[8], "~"),
	}
	if text == "" {
		return p, nil
	}
	if p.Challenge.Text, ok = textOf(d.game, mode, text); !ok {
		return Play{}, Refuse(ChallengeGone, "the text of this play is no longer in the game; request a new play")
	}
	return p, nil
}

// Drawing is the Dealer with another random source. Equal bytes give equal plays: that is how
// all players of a race get the same challenge, and each player the same play each time.
// Nobody may be able to guess the source.
func (d *Dealer) Drawing(random io.Reader) *Dealer {
	other := *d
	other.random = random
	return &other
}
