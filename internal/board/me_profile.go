package board

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
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
// stands then. Here it shows at once, in other processes within 15 minutes.
// A field that the player's credential tells is shown so until the next
// submission brings the credential's. Of two changes at once the later counts.
//
// Cost: 2 billed commands in 2 round trips; 1 more where the country changes, and
// where there was no profile.
func (s *Store) ChangeProfile(ctx context.Context, player string, c ProfileChange) (Profile, error) {
	reply, err := s.redis.Do(ctx, askProfiles(player))
	if err != nil {
		return Profile{}, wrap("read the profile of "+player, err)
	}
	stands, err := profilesOf(reply, 1)
	if err != nil {
		return Profile{}, wrap("read the profile of "+player, err)
	}
	changed := sources{told: c.apply(stands[0].told), own: c.apply(stands[0].own)}
	changed.told.Hidden = false
	now := changed.profile()
	var p pipeline
	if now.Country != stands[0].profile().Country {
		s.moveTo(&p, player, now.Country)
	}
	p.add(upstash.Cmd("HSET", game.ProfilesKey,
		player, changed.told.record(s.now()), game.OwnProfile(player), ownRecord(changed.own)).Idempotent(), nil)
	if stands[0] == (sources{}) {
		s.reappears(&p, player)
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return Profile{}, wrap("change the profile of "+player, err)
	}
	s.directory.learn(player, changed)
	s.windows.forgetPlayer(player)
	return now, nil
}
