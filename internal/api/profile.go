package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/player"
)

// keepingTime bounds how long a change waits for the history to store it.
const keepingTime = 2 * time.Second

// profileAnswer is what others see of a player.
type profileAnswer struct {
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Hidden  bool   `json:"hidden"`
}

// changedProfile answers a request that changed the profile.
type changedProfile struct {
	Player  string        `json:"player"`
	Profile profileAnswer `json:"profile"`
}

// patchMe reads PATCH /v1/me, of players and of devices.
//
// Cost: that of the change; for a device also that of Claimed.MayBeNamed.
func (m me) patchMe(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player.ID
	read := readProfileChange
	if r.Caller.IsDevice() {
		read = readDeviceName
	}
	change, err := read(r.Sent)
	if err != nil {
		return err
	}
	if err := m.Notices.MayPlay(r.Context(), player); err != nil {
		return err
	}
	if err := m.Claimed.MayBeNamed(w, r, m.Gate); err != nil {
		return err
	}
	p, err := m.Profiles.ChangeProfile(r.Context(), player, change)
	if err != nil {
		return err
	}
	m.keepProfile(r.Context(), player, p)
	return respond.JSON(w, r.Request, http.StatusOK, changedProfile{player, profileAnswer(p)})
}

// keepProfile writes a changed profile to the history at once. If that fails, the history
// gets it when a day that the player has played is taken in.
func (m me) keepProfile(ctx context.Context, player string, p game.Profile) {
	if m.History == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, keepingTime)
	defer cancel()
	if err := m.History.KeepProfile(ctx, player, p, m.Now()); err != nil {
		m.problems.Warn(ctx, "a profile is archived later", err)
	}
}

// readProfileChange reads what a player wants to change. Texts that pass are fit to be shown
// to others as they are.
func readProfileChange(body []byte) (player.ProfileChange, error) {
	var c player.ProfileChange
	f := decode.Open(body, "")
	c.Name = f.Shown("name", shownName)
	c.Picture = f.Shown("picture", shownPicture)
	c.Country = f.Shown("country", func(code string) (string, error) { return code, game.ValidCountry(code) })
	c.Hidden = f.Flag("hidden")
	if len(f.Values) == 0 && len(f.Faults) == 0 {
		f.Fault("", "this is empty; send one or more of name, picture, country and hidden")
	}
	return c, f.Done()
}

// readDeviceName reads the one thing that a device may change.
func readDeviceName(body []byte) (player.ProfileChange, error) {
	f := decode.Open(body, "")
	name := f.Shown("name", shownName)
	for _, other := range []string{"picture", "country", "hidden"} {
		if _, there := f.Take(other, decode.Optional); there {
			f.Fault(other, "an anonymous player may change only the name; sign in first")
		}
	}
	if name == nil && len(f.Faults) == 0 {
		f.Fault("name", "this field is required")
	}
	return player.ProfileChange{Name: name}, f.Done()
}

func shownName(name string) (string, error) {
	if fault := auth.NameFault(name); fault != "" {
		return "", errors.New(fault)
	}
	return name, nil
}

func shownPicture(address string) (string, error) {
	shown := auth.ShownPicture(address)
	if shown == "" {
		return "", errors.New("this must be an https address of up to 512 bytes of printable ASCII, without a user, whose host is a name with a dot, not an IP address and not of a local network")
	}
	return shown, nil
}

// Profiles keeps what others see of players.
type Profiles interface {
	// KeepProfile keeps what a credential says of a player.
	KeepProfile(ctx context.Context, player string, said game.Profile) error
}

// Introduce keeps the caller's name for another player, who else would see a part of an id until
// the caller has played.
func Introduce(ctx context.Context, to Profiles, r *gate.Request) error {
	p := r.Caller.Player
	return to.KeepProfile(ctx, p.ID, game.Profile{Name: p.Name, Picture: p.Picture, Country: p.Country})
}

// Person is how a player is shown who has a name.
type Person struct {
	Player  string `json:"player"`
	Name    string `json:"name"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
}

// People reads how players are shown.
type People interface {
	Names(ctx context.Context, players []string) (map[string]game.Profile, error)
}

// ReadPeople are those of the players who have a name, each once.
//
// Cost: 1 billed command, or none if this process knows all of them.
func ReadPeople(ctx context.Context, from People, players []string) (all []Person, err error) {
	players = slices.Clone(players)
	slices.Sort(players)
	players = slices.DeleteFunc(slices.Compact(players), func(player string) bool { return player == "" })
	if len(players) == 0 {
		return nil, nil
	}
	profiles, err := from.Names(ctx, players)
	for _, player := range players {
		if p := profiles[player]; p.Name != "" {
			all = append(all, Person{player, p.Name, p.Picture, p.Country})
		}
	}
	return all, err
}
