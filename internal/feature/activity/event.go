package activity

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
)

// MostEvents is the largest number of events in one batch.
const MostEvents = 500

// Event is something that players did, as it was sent.
type Event struct {
	ID     string    `json:"id"` // the same each time the event is sent; 1 to 128 characters, as a player's
	Type   string    `json:"type"`
	At     time.Time `json:"at"`
	Group  string    `json:"group"` // the group in which it counts
	From   string    `json:"from,omitempty"`
	To     string    `json:"to,omitempty"`
	User   string    `json:"user,omitempty"`
	Users  []string  `json:"users,omitempty"`
	Winner string    `json:"winner,omitempty"`
}

// Reason is why an event is refused permanently.
type Reason string

// The reasons that there are.
const (
	BadID        Reason = "bad_id"
	UnknownType  Reason = "unknown_type"
	UnknownGroup Reason = "unknown_group"
	BadPlayers   Reason = "bad_players"
	BadTime      Reason = "bad_time"
	Future       Reason = "future"
	Sealed       Reason = "sealed" // the day's boards are sealed or have expired
	Banned       Reason = "banned"
	Deleted      Reason = "deleted"  // an account was deleted
	TooMany      Reason = "too_many" // too many of one player and day
)

// Refusal is an event that does not count and never will.
type Refusal struct {
	Index  int // in the batch
	Reason Reason
	Detail string
}

func refuse(reason Reason, format string, args ...any) *Refusal {
	return &Refusal{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// groupDay is a date of a group.
type groupDay struct {
	group string
	date  game.Date
}

func (d groupDay) key() string { return ActsKey(d.group, d.date) }

// sealMargin is how long before its day is sealed an event must arrive, so that a compute can
// still follow.
const sealMargin = 15 * time.Minute

// place checks an event against the rules, and finds the day that it belongs to.
func (a *Activity) place(e Event) (Act, groupDay, *Refusal) {
	rule, known := a.rules.Event(e.Type)
	switch {
	case !known:
		return Act{}, groupDay{}, refuse(UnknownType, "%.80q is not a type of event of this game", e.Type)
	case e.ID == "" || e.ID == "-" || game.ValidID(e.ID) != nil:
		return Act{}, groupDay{}, refuse(BadID, "%.140q is not the id of an event; use 1 to 128 characters of A-Z, a-z, 0-9, _ . : @ and -, and not - alone", e.ID)
	case !a.rules.Knows(e.Group):
		return Act{}, groupDay{}, refuse(UnknownGroup, "%.80q is not a group of this game", e.Group)
	}
	who, refusal := players(rule, e)
	if refusal != nil {
		return Act{}, groupDay{}, refusal
	}
	now := a.DB.Now()
	day := groupDay{e.Group, a.date(e.Group, e.At)}
	switch {
	case e.At.IsZero() || e.At.Year() < 1 || e.At.Year() > 9998:
		return Act{}, groupDay{}, refuse(BadTime, "no timestamp; use at, such as 2004-04-15T14:56:01Z")
	case e.At.After(now.Add(derive.ClockSkew)):
		return Act{}, groupDay{}, refuse(Future, "timestamp %s is in the future", e.At.Format(time.RFC3339))
	case a.DB.Game.Lifecycle(game.Day.Of(day.date), now.Add(sealMargin)) >= game.Sealed:
		return Act{}, groupDay{}, refuse(Sealed, "boards of %s are closed", day.date)
	}
	act := Act{ID: e.ID, Type: e.Type, At: e.At.UnixMilli(), Who: who, Winner: e.Winner}
	if rule.Touches() {
		act.ID = "" // all acts of a day are one
	}
	return act, day, nil
}

// players are those of an event. They must be exactly those that its type has.
func players(rule *EventRule, e Event) ([]string, *Refusal) {
	var who []string
	switch rule.Who[0] {
	case From:
		who = []string{e.From, e.To}
	case User:
		who = []string{e.User}
	default:
		who = e.Users
		if len(who) != 2 {
			return nil, refuse(BadPlayers, "there are %d users; use two", len(who))
		}
	}
	for i, role := range rule.Who {
		if role == Users {
			continue
		}
		if who[i] == "" {
			return nil, refuse(BadPlayers, "it has no %s", role)
		}
	}
	for _, player := range who {
		if err := game.ValidPlayer(player); err != nil {
			return nil, refuse(BadPlayers, "%v", err)
		}
	}
	if len(who) == 2 && who[0] == who[1] {
		return nil, refuse(BadPlayers, "both players are %.140q", who[0])
	}
	if e.Winner != "" && (rule.Who[0] != Users || e.Winner != who[0] && e.Winner != who[1]) {
		return nil, refuse(BadPlayers, "the winner is not one of the users")
	}
	return who, nil
}
