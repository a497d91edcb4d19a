package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/internal/session"
)

const (
	maxType = 100 // bytes of an ignored type that are kept
	// maxMoment is the end of the year 9999 in milliseconds.
	maxMoment = 253402300799999
)

// ErrMalformed is returned by Parse for a body that is not an event, or does not have the
// form of its type. HTTP answers 400.
var ErrMalformed = errors.New("the webhook is malformed")

// envelope has the members of every event. Times are unix milliseconds.
type envelope struct {
	Type      string          `json:"type"`
	Data      json.RawMessage `json:"data"`
	Timestamp int64           `json:"timestamp"`
}

type user struct {
	ID        string          `json:"id"`
	Username  string          `json:"username"`
	FirstName string          `json:"first_name"`
	LastName  string          `json:"last_name"`
	ImageURL  string          `json:"image_url"`
	Metadata  json.RawMessage `json:"public_metadata"`
	UpdatedAt int64           `json:"updated_at"`
}

type membership struct {
	ID           string `json:"id"`
	Organization struct {
		ID string `json:"id"`
	} `json:"organization"`
	User struct {
		ID string `json:"user_id"`
	} `json:"public_user_data"`
	UpdatedAt int64 `json:"updated_at"`
}

// Parse reads the body of a message with a valid signature. It ignores unknown members, and
// an unknown type becomes Ignored. The error wraps ErrMalformed.
func Parse(body []byte) (Event, error) {
	var e envelope
	if err := decode(body, &e); err != nil {
		return nil, err
	}
	switch e.Type {
	case "":
		return nil, malformed("it has no type")
	case "user.created", "user.updated":
		u, err := ParseUser(e.Data)
		if err != nil {
			return nil, err
		}
		return u, nil
	case "user.deleted":
		return e.userDeleted()
	case "organizationMembership.created", "organizationMembership.updated":
		m, err := ParseMembership(e.Data)
		if err != nil {
			return nil, err
		}
		return m, nil
	case "organizationMembership.deleted":
		m, err := e.membership()
		if err != nil {
			return nil, err
		}
		return MembershipEnded(m), nil
	}
	return Ignored{Type: strings.ToValidUTF8(e.Type[:min(len(e.Type), maxType)], "")}, nil
}

// ParseUser reads a user as Clerk describes one, in events and in its API. The
// error wraps ErrMalformed.
func ParseUser(data []byte) (saved UserSaved, err error) {
	var u user
	if err := decode(data, &u); err != nil {
		return saved, err
	}
	if err := checkPlayer(u.ID); err != nil {
		return saved, err
	}
	at, err := moment(u.UpdatedAt)
	if err != nil {
		return saved, err
	}
	name := session.Name(u.FirstName + " " + u.LastName)
	if name == "" {
		name = session.Name(u.Username)
	}
	return UserSaved{
		Player:  u.ID,
		Name:    name,
		Picture: session.Picture(u.ImageURL),
		Country: country(u.Metadata),
		Moment:  at,
	}, nil
}

func (e envelope) userDeleted() (Event, error) {
	var u struct {
		ID string `json:"id"`
	}
	if err := decode(e.Data, &u); err != nil {
		return nil, err
	}
	if err := checkPlayer(u.ID); err != nil {
		return nil, err
	}
	return UserDeleted{Player: u.ID}, nil
}

// membership reads a membership that has ended. Its own moment is that of its last change,
// which is before its end, so the event's time replaces it if that is later.
func (e envelope) membership() (MembershipSaved, error) {
	m, err := ParseMembership(e.Data)
	if at, timed := moment(e.Timestamp); err == nil && timed == nil && at.After(m.Moment) {
		m.Moment = at
	}
	return m, err
}

// ParseMembership reads a membership of an organization as Clerk describes one, in
// events and in its API. The error wraps ErrMalformed.
func ParseMembership(data []byte) (m MembershipSaved, err error) {
	var answer membership
	if err := decode(data, &answer); err != nil {
		return m, err
	}
	if err := checkPlayer(answer.User.ID); err != nil {
		return m, err
	}
	if answer.ID == "" || len(answer.ID) > maxID {
		return m, malformed("the membership has no id")
	}
	if !session.Group(answer.Organization.ID) {
		return m, malformed("the organization's id cannot be a group: want 1 to 64 characters of [A-Za-z0-9_-]")
	}
	m = MembershipSaved{ID: answer.ID, Player: answer.User.ID, Group: answer.Organization.ID}
	m.Moment, err = moment(answer.UpdatedAt)
	return m, err
}

func decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return malformed("it is not the JSON that its type calls for")
	}
	return nil
}

func checkPlayer(id string) error {
	if err := game.ValidPlayer(id); err != nil {
		return malformed("the user's id: " + err.Error())
	}
	return nil
}

// country reads the country from metadata, which the game controls and may fill with
// anything.
func country(metadata json.RawMessage) string {
	var m map[string]json.RawMessage
	var code string
	if json.Unmarshal(metadata, &m) != nil || json.Unmarshal(m["country"], &code) != nil {
		return ""
	}
	return session.Country(code)
}

func moment(milliseconds int64) (time.Time, error) {
	if milliseconds <= 0 || milliseconds > maxMoment {
		return time.Time{}, malformed("it has no time: want unix milliseconds")
	}
	return time.UnixMilli(milliseconds).UTC(), nil
}

func malformed(why string) error { return fmt.Errorf("%w: %s", ErrMalformed, why) }

// Event is one of UserSaved, UserDeleted, MembershipSaved, MembershipEnded and
// Ignored.
type Event interface{ event() }

// UserSaved is the profile of a player as it is since Moment (user.created,
// user.updated).
type UserSaved struct {
	// Player is the player's id.
	Player string
	// Name is first and last name, else the user name; one line of at most 80
	// runes, or empty.
	Name string
	// Picture is an absolute https URL of at most 512 bytes, or empty.
	Picture string
	// Country is public_metadata.country when that is an ISO 3166-1 alpha-2
	// code in upper case, or empty.
	Country string
	// Moment is when the profile was last changed, to the millisecond.
	Moment time.Time
}

// UserDeleted says that a player is to be erased (user.deleted). No other event, earlier or
// later, undoes that.
type UserDeleted struct {
	Player string
}

// MembershipSaved says that a player belongs to an organization, which is a
// group (organizationMembership.created, .updated).
type MembershipSaved struct {
	// ID is that of the membership. A player who leaves and joins again gets another.
	ID     string
	Player string
	Group  string
	// Moment is when the membership was last changed, to the millisecond.
	Moment time.Time
}

// MembershipEnded says that a player has left an organization
// (organizationMembership.deleted). It ends only the membership with that ID.
type MembershipEnded struct {
	ID     string
	Player string
	Group  string
	// Moment is when that happened, to the millisecond.
	Moment time.Time
}

// Ignored is any other event; it needs no action.
type Ignored struct {
	// Type is Clerk's name of the event, cut to 100 characters.
	Type string
}

func (UserSaved) event()       {}
func (UserDeleted) event()     {}
func (MembershipSaved) event() {}
func (MembershipEnded) event() {}
func (Ignored) event()         {}
