package api

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// check checks a score with well-formed fields against the rules, and returns the first
// refusal. The checks that may have to ask Redis come last.
func (r Reader) check(s scoreBody, by Sender) (Checked, error) {
	of, err := r.entry(s.sentEntry, by)
	if err != nil {
		return Checked{}, err
	}
	if s.outOfBounds != nil {
		return Checked{}, s.outOfBounds
	}
	played, score, err := r.plays().Check(Scored{Target{of.Mode, of.Player, s.date}, s.score, s.play}, by)
	if err != nil {
		return Checked{}, err
	}
	if played.Sent() {
		of.Date = played.Date
	}
	closed := r.CheckOpen(of.Date, by)
	if closed != nil && !played.Sent() { // an earlier sending of a play may have been in time
		return Checked{}, closed
	}
	played.Late = cmp.Or(played.Late, closed)
	if err := checkGroups(s.groups, by); err != nil {
		return Checked{}, err
	}
	return Checked{
		Submission: game.Submission{
			Mode: of.Mode, Player: of.Player, Date: of.Date, Score: score, At: s.at,
			Scopes: s.scopes(), Details: s.details, Profile: profile(s.country, by), By: r.credential(by),
		},
		View: s.view,
		Play: played,
	}, nil
}

// entry is the one that a body names, if the sender may send scores for it.
func (r Reader) entry(s sentEntry, by Sender) (Target, error) {
	of := Target{s.mode, s.player, s.date}
	if s.date.IsZero() {
		of.Date = r.Game.Today(by.Now)
	}
	switch {
	case s.mode == nil:
		return Target{}, problem.UnknownMode(s.modeName)
	case s.mode.Computed:
		return Target{}, problem.Forbidden("the scores of the mode " + s.mode.Called() + " are computed from what players do; send that to POST /v1/events")
	case by.IsServer():
		return of, nil
	case s.hasPlayer:
		return Target{}, problem.Forbidden("only a game server may name the player; with a session token it is the token's own")
	case s.mode.Authoritative:
		return Target{}, problem.Forbidden("the mode " + s.mode.Called() + " accepts scores from game servers only")
	}
	of.Player = by.Player.ID
	return of, nil
}

// CheckOpen refuses dates that take no scores now. The operator may write to days that are
// closed to players; nobody may write to upcoming days. The error is a *[game.DateError].
func (r Reader) CheckOpen(d game.Date, by Sender) error {
	switch r.Game.Lifecycle(game.Day.Of(d), by.Now) {
	case game.Open:
		return nil
	case game.Upcoming:
		return game.RefuseDate(r.Game, d, by.Now, "not open yet")
	}
	if by.IsOperator() {
		return nil
	}
	return game.RefuseDate(r.Game, d, by.Now, "closed")
}

// checkGroups refuses a player groups that the session token does not name, unless the player
// is known to be a member of them.
func checkGroups(groups []game.Scope, by Sender) error {
	if by.IsServer() {
		return nil
	}
	var unnamed []string
	for _, group := range groups {
		if !slices.Contains(by.Player.Groups, group.ID()) {
			unnamed = append(unnamed, group.ID())
		}
	}
	if len(unnamed) == 0 {
		return nil
	}
	if by.Belongs != nil {
		if member, err := by.Belongs(unnamed); err != nil || member {
			return err
		}
	}
	return problem.Forbidden("the player is not known to belong to the group " + unnamed[0])
}

// scopes are the level and the groups whose boards also get the score, each once.
func (s scoreBody) scopes() (scopes []game.Scope) {
	if s.level != (game.Scope{}) {
		scopes = append(scopes, s.level)
	}
	if !s.mode.HasScope(game.Group) {
		return scopes
	}
	for _, group := range s.groups {
		if !slices.Contains(scopes, group) {
			scopes = append(scopes, group)
		}
	}
	return scopes
}

// profile is how boards show the player; its country also chooses the country's boards. A
// country in the credential wins over one in the request, and both win over a guess from the
// network.
func profile(country string, by Sender) game.Profile {
	return game.Profile{
		Name: by.Player.Name, Picture: by.Player.Picture,
		Country: cmp.Or(by.Player.Country, country, guessedCountry(by.Header)),
	}
}

// guessedCountry is the country of the caller according to a content delivery network's
// header; empty: unknown. Some networks send XX or T1 if they do not know.
func guessedCountry(h http.Header) string {
	for _, name := range [...]string{"CloudFront-Viewer-Country", "CF-IPCountry", "X-Vercel-IP-Country", "X-Client-Geo-Country"} {
		if code := h.Get(name); game.ValidCountry(code) == nil {
			return code
		}
	}
	return ""
}

// credential is the kind of credential that a submission was sent with; empty in games that do
// not keep it.
func (r Reader) credential(by Sender) game.Credential {
	if !r.Game.Credentials {
		return ""
	}
	return by.Credential()
}
