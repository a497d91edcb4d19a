package profiles

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// What players set themselves has a record of its own beside the one that credentials write. A
// submission reads neither, and so cannot undo it. Credentials come first: the own record
// fills in what they leave out, and it alone says who is hidden.

// ProfileChange is what a player wants to change. Nil fields stay as they are; "" takes a
// field back.
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

// ChangeProfile sets what a player wants others to see, and returns what stands then. Here it
// shows at once, in other processes within 15 minutes. A field that the player's credential
// has too shows the change until the next submission brings the credential's. Of two changes
// at once the later counts.
//
// Cost: 2 billed commands in 2 round trips; 1 more where the country changes, and
// where there was no profile.
func (ps *Profiles) ChangeProfile(ctx context.Context, player string, c ProfileChange) (game.Profile, error) {
	reply, err := ps.db.Redis.Do(ctx, AskProfiles(player))
	if err != nil {
		return game.Profile{}, rdb.Wrap("read the profile of "+player, err)
	}
	stands, err := ProfilesOf(reply, 1)
	if err != nil {
		return game.Profile{}, rdb.Wrap("read the profile of "+player, err)
	}
	changed := sources{told: c.apply(stands[0].told), own: c.apply(stands[0].own)}
	changed.told.Hidden = false
	now := changed.Profile()
	if changed == (sources{}) && stands[0] == changed {
		return now, nil // there is nothing, and there is to be nothing
	}
	var p rdb.Pipeline
	if now.Country != stands[0].Profile().Country {
		ps.moveTo(&p, player, now.Country)
	}
	p.Add(upstash.Cmd("HSET", game.ProfilesKey,
		player, Record(changed.told, ps.db.Now()), game.OwnProfile(player), OwnRecord(changed.own)).Idempotent(), nil)
	if stands[0] == (sources{}) {
		ps.reappears(&p, player)
	}
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return game.Profile{}, rdb.Wrap("change the profile of "+player, err)
	}
	ps.Directory.Learn(player, changed)
	ps.windows.ForgetPlayer(player)
	return now, nil
}
