package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// maxProven is the length in bytes of a body whose score follows from a proof with the usual
// number of keys. If a mode allows more keys, its limit grows in proportion.
const maxProven = 8 << 10

// scoreBody is what a body says of a score. Each field is well formed by itself, and allowed in
// its mode.
type scoreBody struct {
	sentEntry
	play        SentPlay
	score       game.Score
	outOfBounds error // why the score is outside the mode's bounds; nil: it is not
	country     string
	groups      []game.Scope
	level       game.Scope // the zero Scope: none is named
	details     json.RawMessage
	view        View
}

// sentEntry is what a body says of the entry that the score is for.
type sentEntry struct {
	modeName  string
	hasMode   bool
	mode      *game.Mode // nil: the game has none of this name
	player    string
	hasPlayer bool
	date      game.Date // the zero Date: none is named
	at        time.Time // when it was played
}

// sentScore is what a body says of its score: one number, or values instead; or neither, if
// the score follows from a proof.
type sentScore struct {
	number    string
	values    json.RawMessage
	hasNumber bool
	hasValues bool
}

// readSent reads all fields of a body. Their order here is the order of the faults in the
// answer.
func (r Reader) readSent(raw []byte, by Sender) (s scoreBody, err error) {
	f := decode.Open(raw, "")
	s.readMode(f, r.Game)
	if by.Alone {
		s.play = readPlay(f)
	}
	score, err := r.takeScore(s, f, len(raw), by)
	if err != nil {
		return scoreBody{}, err
	}
	s.readPlayer(f, by)
	s.readDate(f, by)
	s.country = readCountry(f)
	s.groups = readGroups(f)
	s.level = readLevel(f, s.mode)
	s.details = readDetails(f)
	if by.Alone {
		s.view = readView(f)
	}
	s.checkNames(f, by)
	s.score, s.outOfBounds = score.read(f, s.mode)
	if s.mode != nil && s.details != nil && !s.mode.Details {
		f.Fault("details", "the mode "+s.mode.Called()+" stores no details")
	}
	return s, f.Done()
}

func (s *sentEntry) readMode(f *decode.Object, g *game.Game) {
	if s.modeName, s.hasMode = f.Text("mode", decode.Required); s.hasMode {
		s.mode, _ = g.ModeCalled(s.modeName)
	}
}

func (s *sentEntry) readPlayer(f *decode.Object, by Sender) {
	s.player, s.hasPlayer = f.Text("player", decode.Need(by.IsServer()))
}

// readDate reads the day that a score is for. The operator may also say when it was played.
func (s *sentEntry) readDate(f *decode.Object, by Sender) {
	s.at = by.Now
	if text, ok := f.Text("date", decode.Optional); ok {
		var err error
		if s.date, err = game.ParseDate(text); err != nil {
			f.Fault("date", err.Error())
		}
	}
	if !by.IsOperator() {
		return
	}
	if text, ok := f.Text("played_at", decode.Optional); ok {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			f.Fault("played_at", "this is not an RFC 3339 time such as 2026-11-21T09:30:00Z")
		}
		s.at = at
	}
}

// checkNames refuses names that no player and no mode can have.
func (s *sentEntry) checkNames(f *decode.Object, by Sender) {
	if s.hasPlayer && by.IsServer() {
		if err := game.ValidPlayer(s.player); err != nil {
			f.Fault("player", err.Error())
		}
	}
	if s.hasMode {
		if err := game.ValidMode(s.modeName); err != nil {
			f.Fault("mode", err.Error())
		}
	}
}

func readPlay(f *decode.Object) (p SentPlay) {
	p.Token, _ = f.Text("play", decode.Optional)
	p.Proof, _ = f.Take("proof", decode.Optional)
	if text, ok := f.Number("elapsed", decode.Optional); ok {
		ms, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ms < 0 || ms > (24*time.Hour).Milliseconds() {
			f.Fault("elapsed", "this must be a whole number of milliseconds, 0 to 86400000")
		}
		elapsed := time.Duration(ms) * time.Millisecond
		p.Elapsed = &elapsed
	}
	return p
}

// takeScore takes the score out of a body of a length in bytes, unless it follows from a
// proof.
func (r Reader) takeScore(s scoreBody, f *decode.Object, length int, by Sender) (sentScore, error) {
	if s.proves(by) {
		return sentScore{}, r.checkProven(s, f, length)
	}
	return takeNumbers(f, s.mode), nil
}

// proves reports whether the score follows from a proof.
func (s scoreBody) proves(by Sender) bool {
	return s.mode != nil && s.mode.Proof != "" && (s.play.Sent() || !by.IsServer())
}

// checkProven refuses a body with a proof if it is too long, or names a score too.
func (r Reader) checkProven(s scoreBody, f *decode.Object, length int) error {
	most := int64(maxProven) * int64(max(s.mode.Challenge.Keys, game.UsualKeys)) / game.UsualKeys
	if int64(length) > most {
		return problem.TooLarge(most)
	}
	for _, name := range []string{"score", "values"} {
		if _, there := f.Take(name, decode.Optional); there && s.play.Sent() {
			return r.plays().Refuse(ScoreSent, fmt.Sprintf("omit %s: in the mode %s it is computed from the proof", name, s.mode.Called()))
		}
	}
	return nil
}

// takeNumbers takes the score out of a body that has to have one: values if the mode ranks by
// several, and otherwise one number. If the mode is unknown, the body may have either.
func takeNumbers(f *decode.Object, mode *game.Mode) (s sentScore) {
	s.values, s.hasValues = f.Take("values", decode.Optional)
	s.number, s.hasNumber = f.Number("score", decode.Need(!s.hasValues && (mode == nil || !mode.Composite())))
	switch {
	case s.hasNumber && s.hasValues:
		f.Fault("values", "send either a score or values")
	case mode == nil:
	case s.hasNumber && mode.Composite():
		f.Fault("score", "the mode "+mode.Called()+" ranks by "+game.ValueNames(mode)+"; send these as values, as in "+sampleValues(mode))
	case s.hasValues && !mode.Composite():
		f.Fault("values", "the mode "+mode.Called()+" ranks by one number; send it as score")
	case !s.hasValues && mode.Composite() && f.Values != nil:
		f.Fault("values", "this field is required, as in "+sampleValues(mode))
	}
	return s
}

// sampleValues shows how values are written: it writes the highest ones.
func sampleValues(m *game.Mode) string {
	highest := make([]game.Score, len(m.Values))
	for i, v := range m.Values {
		highest[i] = v.Max
	}
	packed, _ := m.Pack(highest) // they are within their bounds, so it cannot fail
	return string(m.FormatValues(packed))
}

func readCountry(f *decode.Object) string {
	code, ok := f.Text("country", decode.Optional)
	if ok {
		if err := game.ValidCountry(code); err != nil {
			f.Fault("country", err.Error())
		}
	}
	return code
}

func readGroups(f *decode.Object) []game.Scope {
	ids, _ := f.Texts("groups", decode.Optional, game.MaxGroups)
	groups := make([]game.Scope, len(ids))
	for i, id := range ids {
		var err error
		if groups[i], err = game.GroupScope(id); err != nil {
			f.ItemFault("groups", i, err.Error())
			return nil
		}
	}
	return groups
}

// readLevel reads the level that was played; the zero Scope: none is named.
func readLevel(f *decode.Object, mode *game.Mode) game.Scope {
	number, ok := f.Number("level", decode.Optional)
	if !ok || mode == nil {
		return game.Scope{}
	}
	if mode.Levels == 0 {
		f.Fault("level", "the mode "+mode.Called()+" has no levels")
		return game.Scope{}
	}
	level, err := game.ParseScope("level:" + number)
	if err != nil || !game.Keeps(mode, level) {
		f.Fault("level", fmt.Sprintf("this must be a whole number from 1 to %d", mode.Levels))
		return game.Scope{}
	}
	return level
}

func readDetails(f *decode.Object) json.RawMessage {
	raw, ok := f.Take("details", decode.Optional)
	if !ok {
		return nil
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, raw) // decode.Open has found it valid
	if compact.Len() > game.MaxDetails {
		f.Fault("details", "at most 2 KiB of JSON are allowed")
		return nil
	}
	if !f.NamesOnce("details", compact.Bytes()) {
		return nil
	}
	return compact.Bytes()
}

// readView reads which parts a submission asks for.
func readView(f *decode.Object) View {
	all := ViewParts()
	parts, _ := f.Texts("view", decode.Optional, len(all))
	for i, part := range parts {
		switch {
		case !slices.Contains(all, part):
			f.ItemFault("view", i, "unknown part; use page, around, friends, week and me")
		case slices.Contains(parts[:i], part):
			f.ItemFault("view", i, "duplicate part")
		}
	}
	return parts
}
