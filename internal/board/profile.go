package board

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Profile is how a player is shown. Empty fields are unknown.
type Profile struct {
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"`
	Hidden  bool   `json:"hidden,omitempty"` // others see neither name nor picture
}

// shown is what others see of it.
func (p Profile) shown() Profile {
	if p.Hidden {
		return Profile{Country: p.Country}
	}
	return p
}

// partial tells a profile that must not replace one with a name.
func (p Profile) partial() bool { return p.Name == "" }

// over fills what p does not know from an older profile.
func (p Profile) over(older Profile) Profile {
	if p.Name == "" {
		p.Name = older.Name
	}
	if p.Picture == "" {
		p.Picture = older.Picture
	}
	if p.Country == "" {
		p.Country = older.Country
	}
	p.Hidden = p.Hidden || older.Hidden
	return p
}

// record is what is kept of what credentials say. Whether a player is hidden
// is said by the player alone: see ChangeProfile.
func (p Profile) record() string {
	p.Hidden = false
	record, _ := json.Marshal(p) // three strings always marshal
	return string(record)
}

func parseProfile(record string) Profile {
	var p Profile
	// A record that does not parse shows the player without a name.
	_ = json.Unmarshal([]byte(record), &p)
	return p
}

// profileFresh is how long a name read from Redis is shown without asking again.
const profileFresh = 10 * time.Minute

// profilesPerFlush bounds one HSET to some 600 KB.
const profilesPerFlush = 1000

type knownProfile struct {
	profile Profile
	at      time.Duration
}

// profiles remembers names and, on hosts that live on between requests, gathers
// new ones so that a thousand cost one command.
type profiles struct {
	mu      sync.Mutex
	pending map[string]Profile
}

func (s *Store) remember(player string, p Profile) {
	s.names.Add(player, knownProfile{p, s.elapsed()})
}

// keepProfile sees to it that a player's name reaches Redis. It returns the
// command to send along, unless nothing is new or a flush will take it.
func (s *Store) keepProfile(player string, p Profile) (command upstash.Command, now bool) {
	if p == (Profile{}) {
		return command, false
	}
	if known, ok := s.names.Peek(player); ok {
		if p = p.over(known.profile); p == known.profile {
			return command, false
		}
	}
	if s.gatherNames {
		s.profiles.mu.Lock()
		s.profiles.pending[player] = p.over(s.profiles.pending[player])
		s.profiles.mu.Unlock()
		s.remember(player, p)
		return command, false
	}
	if p.partial() {
		return upstash.Cmd("HSETNX", game.ProfilesKey, player, p.record()).Idempotent(), true
	}
	return upstash.Cmd("HSET", game.ProfilesKey, player, p.record()).Idempotent(), true
}

// FlushProfiles writes the gathered names: one command for up to a thousand,
// and one before it where a nameless player may have a name already.
func (s *Store) FlushProfiles(ctx context.Context) error {
	s.profiles.mu.Lock()
	pending := s.profiles.pending
	s.profiles.pending = map[string]Profile{}
	s.profiles.mu.Unlock()
	for len(pending) > 0 {
		some := make(map[string]Profile, min(len(pending), profilesPerFlush))
		for player, p := range pending {
			some[player] = p
			delete(pending, player)
			if len(some) == profilesPerFlush {
				break
			}
		}
		if err := s.writeProfiles(ctx, some); err != nil {
			s.profiles.mu.Lock()
			for _, unsaved := range []map[string]Profile{some, pending} {
				for player, p := range unsaved {
					s.profiles.pending[player] = s.profiles.pending[player].over(p)
				}
			}
			s.profiles.mu.Unlock()
			return wrap("write names", err)
		}
	}
	return nil
}

func (s *Store) writeProfiles(ctx context.Context, some map[string]Profile) error {
	var nameless []string
	for player, p := range some {
		if p.partial() {
			nameless = append(nameless, player)
		}
	}
	older, err := s.readProfiles(ctx, nameless)
	if err != nil {
		return err
	}
	args := []string{"HSET", game.ProfilesKey}
	for player, p := range some {
		p = p.over(older[player])
		s.remember(player, p)
		args = append(args, player, p.record())
	}
	_, err = s.redis.Do(ctx, upstash.Cmd(args...).Idempotent())
	return err
}

// readProfiles asks for many players in one command.
func (s *Store) readProfiles(ctx context.Context, players []string) (map[string]Profile, error) {
	if len(players) == 0 {
		return nil, nil
	}
	reply, err := s.redis.Do(ctx, askProfiles(players...))
	if err != nil {
		return nil, err
	}
	profiles, err := profilesOf(reply, len(players))
	if err != nil {
		return nil, err
	}
	read := make(map[string]Profile, len(players))
	for i, player := range players {
		read[player] = profiles[i]
	}
	return read, nil
}

// askProfiles asks for both records of each player.
func askProfiles(players ...string) upstash.Command {
	command := make([]string, 0, 2+2*len(players))
	command = append(command, "HMGET", game.ProfilesKey)
	for _, player := range players {
		command = append(command, player, game.OwnProfile(player))
	}
	return upstash.Cmd(command...)
}

// profilesOf reads the answer of askProfiles for so many players.
func profilesOf(r upstash.Reply, players int) ([]Profile, error) {
	records, err := r.Array()
	if err != nil {
		return nil, err
	}
	if len(records) != 2*players {
		return nil, errShape("two records per player", len(records))
	}
	read := make([]Profile, players)
	for i := range read {
		told, err := profileIn(records[2*i])
		if err != nil {
			return nil, err
		}
		own, err := profileIn(records[2*i+1])
		if err != nil {
			return nil, err
		}
		read[i] = told.over(own)
	}
	return read, nil
}

// profileIn reads one record; a missing one is empty.
func profileIn(record upstash.Reply) (Profile, error) {
	if record.IsNil() {
		return Profile{}, nil
	}
	text, err := record.Text()
	return parseProfile(text), err
}

// learn remembers a profile that was read, unless a newer one is on its way to
// Redis from here. The answer that the name came in is not kept alive by it.
func (s *Store) learn(player string, p Profile) {
	s.profiles.mu.Lock()
	_, newer := s.profiles.pending[player]
	s.profiles.mu.Unlock()
	if !newer {
		s.remember(strings.Clone(player), p)
	}
}

// name fills in how the entries' players are shown: from memory, and in one
// command for all that this process does not know.
func (s *Store) name(ctx context.Context, entries []Entry) error {
	var unknown []string
	for i := range entries {
		known, ok := s.names.Get(entries[i].Player)
		if ok && s.elapsed()-known.at <= profileFresh {
			entries[i].Profile = known.profile.shown()
			continue
		}
		unknown = append(unknown, entries[i].Player)
	}
	read, err := s.readProfiles(ctx, unknown)
	if err != nil {
		return wrap("read names", err)
	}
	for _, player := range unknown {
		s.learn(player, read[player])
	}
	for i := range entries {
		if p, ok := read[entries[i].Player]; ok {
			entries[i].Profile = p.shown()
		}
	}
	return nil
}
