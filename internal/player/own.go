package player

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A player has two records: one for what credentials say, which submissions write, and one for
// what the player has set, which no submission changes. Credentials come first: the player's
// own record fills in what they leave out, and it alone says whether the player is hidden.

// ProfileChange is what a player wants to change. A nil field stays as it is; "" empties a
// field.
type ProfileChange struct {
	Name, Picture, Country *string
	Hidden                 *bool
}

func (c ProfileChange) apply(p game.Profile) game.Profile {
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

func OwnRecord(p game.Profile) string {
	record, _ := json.Marshal(p) // strings and a bool always marshal
	return string(record)
}

// ChangeProfile sets what a player wants others to see, and returns the profile after the
// change. This process shows it at once; another one shows it once it no longer relies on the
// old profile, see [Directory]. If the player's credential has a changed field too, the next
// submission sets that field to the credential's value again. Of two concurrent changes the
// later one counts.
//
// Cost: 2 billed commands in 2 round trips; 1 more if the country changes, and 1 more if the
// player had no profile.
func (ps *Profiles) ChangeProfile(ctx context.Context, player string, c ProfileChange) (game.Profile, error) {
	reply, err := ps.db.Redis.Do(ctx, AskProfiles(player))
	if err != nil {
		return game.Profile{}, redis.Wrap("read the profile of "+player, err)
	}
	current, err := ProfilesOf(reply, 1)
	if err != nil {
		return game.Profile{}, redis.Wrap("read the profile of "+player, err)
	}
	changed := sources{reported: c.apply(current[0].reported), own: c.apply(current[0].own)}
	changed.reported.Hidden = false
	now := changed.Profile()
	if changed == (sources{}) && current[0] == changed {
		return now, nil // the player has no profile, and the change sets nothing
	}
	var p redis.Pipeline
	if now.Country != current[0].Profile().Country {
		ps.moveTo(&p, player, now.Country)
	}
	p.Add(upstash.Cmd("HSET", game.ProfilesKey,
		player, Record(changed.reported, ps.db.Now()), game.OwnProfile(player), OwnRecord(changed.own)).Idempotent(), nil)
	if current[0] == (sources{}) {
		ps.reappears(&p, player)
	}
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return game.Profile{}, redis.Wrap("change the profile of "+player, err)
	}
	ps.Directory.Learn(player, changed)
	ps.windows.ForgetPlayer(player)
	return now, nil
}
