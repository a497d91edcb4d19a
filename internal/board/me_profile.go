package board

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// What players set themselves is kept in a record of its own beside the one
// that credentials write, so that a submission, which does not read either,
// cannot undo it. Credentials come first: the own record fills what they leave
// out, and alone tells who is hidden.

// ProfileChange is what a player wants to be different. Nil fields stay as
// they are; "" takes a field back.
type ProfileChange struct {
	Name, Picture, Country *string
	Hidden                 *bool
}

func (c ProfileChange) apply(p Profile) Profile {
	set := func(field *string, to *string) {
		if to != nil {
			*field = *to
		}
	}
	set(&p.Name, c.Name)
	set(&p.Picture, c.Picture)
	set(&p.Country, c.Country)
	if c.Hidden != nil {
		p.Hidden = *c.Hidden
	}
	return p
}

func ownRecord(p Profile) string {
	record, _ := json.Marshal(p) // strings and a bool always marshal
	return string(record)
}

// ChangeProfile sets what a player wants others to see, and returns what
// stands then. Here it shows at once, in other processes within 10 minutes.
// A field that the player's credential tells is shown so until the next
// submission brings the credential's. Of two changes at once the later counts.
//
// Cost: 2 billed commands in 2 round trips.
func (s *Store) ChangeProfile(ctx context.Context, player string, c ProfileChange) (Profile, error) {
	reply, err := s.redis.Do(ctx, askProfiles(player))
	if err != nil {
		return Profile{}, wrap("read the profile of "+player, err)
	}
	told, own, err := bothProfiles(reply)
	if err != nil {
		return Profile{}, wrap("read the profile of "+player, err)
	}
	told, own = c.apply(s.newerProfile(player, told)), c.apply(own)
	_, err = s.redis.Do(ctx, upstash.Cmd("HSET", game.ProfilesKey,
		player, told.record(), game.OwnProfile(player), ownRecord(own)).Idempotent())
	if err != nil {
		return Profile{}, wrap("change the profile of "+player, err)
	}
	s.dropPending(player)
	told.Hidden = false
	now := told.over(own)
	s.remember(player, now)
	return now, nil
}

// resultProfiles reads the profiles of each result's player, in halves where
// one answer would be too large.
func (s *Store) resultProfiles(ctx context.Context, results []Result) error {
	players := make([]string, len(results))
	for i, r := range results {
		players[i] = r.Player
	}
	read, err := s.readProfiles(ctx, players)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(s.resultProfiles(ctx, results[:half]), s.resultProfiles(ctx, results[half:]))
	}
	for i, player := range players {
		results[i].Profile = read[player]
	}
	return err
}

func bothProfiles(r upstash.Reply) (told, own Profile, err error) {
	records, err := r.Array()
	if err != nil {
		return told, own, err
	}
	if len(records) != 2 {
		return told, own, errShape("two records", len(records))
	}
	if told, err = profileIn(records[0]); err != nil {
		return told, own, err
	}
	own, err = profileIn(records[1])
	return told, own, err
}

// newerProfile is a profile that was read, as it will be when what this process
// has gathered has been written.
func (s *Store) newerProfile(player string, read Profile) Profile {
	s.profiles.mu.Lock()
	defer s.profiles.mu.Unlock()
	return s.profiles.pending[player].over(read)
}

func (s *Store) dropPending(player string) {
	s.profiles.mu.Lock()
	defer s.profiles.mu.Unlock()
	delete(s.profiles.pending, player)
}
