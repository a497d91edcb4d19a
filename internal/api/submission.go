package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/problem"
)

const (
	maxDetails = 2 << 10 // bytes of compact JSON
	maxGroups  = 8       // of one submission
)

// submitter is what a submission's own fields are read against.
type submitter struct {
	gate.Caller
	header http.Header // of a player's own request, for the country; nil: another's
	now    time.Time
	view   *[]string // takes what else is asked for; nil: nothing may be
	play   *sentPlay // takes the play; nil: none may be sent
	// belongs reports whether the player is known to be in groups that the session
	// token does not name; nil: nothing is known. It is asked last.
	belongs func(groups []string) (bool, error)
}

// readSubmission reads and checks one score. Nothing is asked of Redis before
// all of it is known to be right.
func (a scores) readSubmission(raw []byte, at string, by submitter) (game.Submission, error) {
	f := fields.Open(raw, at)
	var sub game.Submission
	modeName, hasMode := f.Text("mode", true)
	var mode *game.Mode
	if hasMode {
		mode, _ = a.game.ModeCalled(modeName)
	}
	played := readPlay(f, by)
	sent := sentScore{}
	if played.proves(mode, by) {
		if err := played.checkProven(f, raw, mode); err != nil {
			return sub, err
		}
	} else {
		sent = readSent(f, mode)
	}
	player, hasPlayer := f.Text("player", by.IsServer())
	a.readDate(f, &sub, by)
	country := readCountry(f)
	groups := readGroups(f)
	level := readLevel(f, mode)
	sub.Details = readDetails(f)
	if by.view != nil {
		*by.view = readView(f)
	}
	if hasPlayer && by.IsServer() {
		if err := game.ValidPlayer(player); err != nil {
			f.Fault("player", err.Error())
		}
	}
	if hasMode && game.ValidMode(modeName) != nil {
		f.Fault("mode", game.ValidMode(modeName).Error())
	}
	var outOfBounds error
	sub.Score, outOfBounds = sent.read(f, mode)
	if mode != nil && sub.Details != nil && !mode.Details {
		f.Fault("details", "the mode "+mode.Called()+" keeps no details")
	}
	if err := f.Done(); err != nil {
		return sub, err
	}
	if mode == nil {
		return sub, problem.UnknownMode(modeName)
	}
	sub.Mode = mode
	if a.game.Audit.On() {
		sub.By = by.Credential()
	}
	if err := a.allow(&sub, player, hasPlayer, by); err != nil {
		return sub, err
	}
	if outOfBounds != nil {
		return sub, outOfBounds
	}
	if err := a.takePlay(f, &sub, played, by); err != nil {
		return sub, err
	}
	if err := a.checkOpen(sub.Date, by); err != nil && !by.play.lateFor(err) {
		return sub, err
	}
	if err := checkGroups(groups, by); err != nil {
		return sub, err
	}
	if level != (game.Scope{}) {
		sub.Scopes = append(sub.Scopes, level)
	}
	return sub, scopes(&sub, country, groups, by)
}

// allow checks that the caller may send this for this player.
func (a scores) allow(sub *game.Submission, player string, hasPlayer bool, by submitter) error {
	if a.game.Activity.Computes(sub.Mode) {
		return problem.Forbidden("the scores of the mode " + sub.Mode.Called() + " are computed from what players do; send that to POST /v1/events")
	}
	if by.IsServer() {
		sub.Player = player
		return nil
	}
	switch {
	case hasPlayer:
		return problem.Forbidden("only a game server may name the player; with a session token it is the token's own")
	case sub.Mode.Authoritative:
		return problem.Forbidden("the mode " + sub.Mode.Called() + " takes scores from game servers only")
	}
	sub.Player = by.Player.ID
	return nil
}

// checkGroups lets players into groups that their session tokens name, or
// that they are known to be members of.
func checkGroups(groups []string, by submitter) error {
	if by.IsServer() {
		return nil
	}
	untold := slices.DeleteFunc(slices.Clone(groups), func(group string) bool { return slices.Contains(by.Player.Groups, group) })
	if len(untold) == 0 {
		return nil
	}
	if by.belongs != nil {
		if member, err := by.belongs(untold); err != nil || member {
			return err
		}
	}
	return problem.Forbidden("the player is not known to belong to the group " + untold[0])
}

func (a scores) readDate(f *fields.Object, sub *game.Submission, by submitter) {
	sub.Date, sub.At = a.game.Today(by.now), by.now
	if text, ok := f.Text("date", false); ok {
		d, err := game.ParseDate(text)
		if err != nil {
			f.Fault("date", err.Error())
		}
		sub.Date = d
	}
	if !by.Operator {
		return
	}
	if text, ok := f.Text("played_at", false); ok {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			f.Fault("played_at", "this is not an RFC 3339 time such as 2026-11-21T09:30:00Z")
		}
		sub.At = at
	}
}

// checkOpen refuses dates that take no scores now. The operator may fill days
// that are closed to players; none may fill days to come.
func (a scores) checkOpen(d game.Date, by submitter) error {
	switch {
	case a.game.Open(d, by.now):
		return nil
	case by.now.Before(a.game.Opens(d)):
		return problem.ClosedDate(a.game, d, by.now, "not open yet")
	case by.Operator:
		return nil
	}
	return problem.ClosedDate(a.game, d, by.now, "closed")
}

func readScore(f *fields.Object, mode *game.Mode, number string) (score game.Score, outOfBounds error) {
	score, err := mode.ParseScore(number)
	var fault *game.ScoreError
	switch {
	case err == nil:
	case errors.As(err, &fault) && fault.Kind == game.OutOfBounds:
		return 0, problem.ScoreOutOfBounds(f.At+"/score", fault.Detail)
	default:
		f.Fault("score", err.Error())
	}
	return score, nil
}

// checkNumber refuses what no mode takes for a score; bounds are a mode's own.
func checkNumber(f *fields.Object, number string) {
	_, err := game.ParseScaled(number, game.MaxDecimals)
	var fault *game.ScoreError
	if errors.As(err, &fault) && fault.Kind != game.OutOfBounds {
		f.Fault("score", fault.Detail)
	}
}

func readCountry(f *fields.Object) string {
	code, ok := f.Text("country", false)
	if ok {
		if err := game.ValidCountry(code); err != nil {
			f.Fault("country", err.Error())
		}
	}
	return code
}

func readGroups(f *fields.Object) []string {
	groups, _ := f.Texts("groups", false, maxGroups)
	for i, id := range groups {
		if _, err := game.GroupScope(id); err != nil {
			f.ItemFault("groups", i, err.Error())
			return nil
		}
	}
	return groups
}

// readLevel reads the level that was played; the zero Scope: none is named.
func readLevel(f *fields.Object, mode *game.Mode) game.Scope {
	number, ok := f.Number("level", false)
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

func readDetails(f *fields.Object) json.RawMessage {
	raw, ok := f.Take("details", false)
	if !ok {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		f.Fault("details", "this is not JSON")
		return nil
	}
	if compact.Len() > maxDetails {
		f.Fault("details", "these are more than 2 KiB of JSON")
		return nil
	}
	if pointer, name, found := fields.RepeatedWithin(compact.Bytes()); found {
		f.Faults = append(f.Faults, problem.At(f.At+"/details"+pointer+"/"+fields.EscapePointer(name), fields.RepeatedFault(name)))
		return nil
	}
	return compact.Bytes()
}

// scopes adds the boards of groups and how the player is shown, the country
// whose boards rank the player among it. What a credential
// says of the country comes before what the request says, and both before the
// network's guess.
func scopes(sub *game.Submission, country string, groups []string, by submitter) error {
	sub.Profile = game.Profile{Name: by.Player.Name, Picture: by.Player.Picture, Country: by.Player.Country}
	if sub.Profile.Country == "" {
		sub.Profile.Country = country
	}
	if guess := headerCountry(by.header); sub.Profile.Country == "" && game.ValidCountry(guess) == nil {
		sub.Profile.Country = guess
	}
	if !sub.Mode.HasScope(game.Group) {
		return nil
	}
	for i, id := range groups {
		if slices.Contains(groups[:i], id) {
			continue
		}
		scope, err := game.GroupScope(id)
		if err != nil {
			return err
		}
		sub.Scopes = append(sub.Scopes, scope)
	}
	return nil
}

// countryHeaders are where content delivery networks put the caller's country.
var countryHeaders = [...]string{"CloudFront-Viewer-Country", "CF-IPCountry", "X-Vercel-IP-Country", "X-Client-Geo-Country"}

func headerCountry(h http.Header) string {
	for _, name := range countryHeaders {
		if value := h.Get(name); value != "" {
			return value
		}
	}
	return ""
}
