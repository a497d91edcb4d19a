package archive

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Profiles are the names, pictures and countries that boards show of players.
type Profiles struct{ db *DB }

// Put keeps profiles, each in place of one that is not newer. If a player is given several
// times, the newest profile counts. Profiles that are older than the player's erasure are left
// out.
// 1 round trip.
func (a Profiles) Put(ctx context.Context, profiles []game.PlayerProfile) error {
	sorted := slices.Clone(profiles)
	slices.SortStableFunc(sorted, func(a, b game.PlayerProfile) int {
		return cmp.Or(cmp.Compare(a.Player, b.Player), a.UpdatedAt.Compare(b.UpdatedAt))
	})
	var players, names, pictures, countries []string
	var hidden []bool
	var updated []time.Time
	for i, p := range sorted {
		if i+1 < len(sorted) && sorted[i+1].Player == p.Player {
			continue
		}
		players, names, pictures = append(players, p.Player), append(names, p.Name), append(pictures, p.Picture)
		countries, hidden, updated = append(countries, p.Country), append(hidden, p.Hidden), append(updated, p.UpdatedAt)
	}
	if len(players) == 0 {
		return nil
	}
	return a.db.Run(ctx, "put profiles", `
INSERT INTO profiles AS old (player, name, picture, country, hidden, updated_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::timestamptz[])
         AS rows (player, name, picture, country, hidden, updated_at)
WHERE NOT erased_since(player, updated_at)
ON CONFLICT (player) DO UPDATE
SET name = excluded.name, picture = excluded.picture, country = excluded.country,
    hidden = excluded.hidden, updated_at = excluded.updated_at
WHERE old.updated_at <= excluded.updated_at
  AND (old.name, old.picture, old.country, old.hidden)
      IS DISTINCT FROM (excluded.name, excluded.picture, excluded.country, excluded.hidden)`,
		players, names, pictures, countries, hidden, updated)
}

const profileColumns = `SELECT player, name, picture, country, hidden, updated_at FROM profiles `

// Of reads the profiles of the players who have one, ordered by player.
// 1 round trip.
func (a Profiles) Of(ctx context.Context, players []string) ([]game.PlayerProfile, error) {
	return Collect(ctx, a.db, "read profiles", profileColumns+`WHERE player = ANY ($1) ORDER BY player`, []any{players}, pgx.RowToStructByName[game.PlayerProfile])
}

// NamedPlayer is a player whose name was looked for.
type NamedPlayer struct {
	Player string
	game.Profile
	LastPlayed *time.Time // the newest date with a result; nil: none
}

// named has as parameters the beginning of a name, and the name and the player after which to go
// on. No character comes after chr(1114111), the last of Unicode, so names with that beginning are
// a run of the index profiles_name under any plan, which LIKE with a parameter is not.
const named = `
SELECT player, name, picture, country, hidden,
       (SELECT date FROM results WHERE results.player = profiles.player ORDER BY date DESC LIMIT 1) AS last_played
FROM profiles
WHERE lower(name) ~>=~ lower($1) AND lower(name) ~<~ (lower($1) || chr(1114111))
  AND lower(name) ~>=~ lower($2) AND (lower(name) ~>~ lower($2) OR player > $3)
ORDER BY lower(name) USING ~<~, player LIMIT $4`

// FindByName reads the players whose names begin with a text, in upper or lower case, in the order of
// their names, after a name and a player.
// 1 round trip.
func (a Profiles) FindByName(ctx context.Context, prefix, afterName, afterPlayer string, limit int) ([]NamedPlayer, error) {
	return Collect(ctx, a.db, "find players by name", named,
		[]any{prefix, afterName, afterPlayer, limit}, pgx.RowToStructByName[NamedPlayer])
}

// All reads every profile. It calls each as [Results.OfDay] does.
// 1 round trip.
func (a Profiles) All(ctx context.Context, each func([]game.PlayerProfile) error) error {
	return Stream(ctx, a.db, "read all profiles", profileColumns, nil, pgx.RowToStructByName[game.PlayerProfile], each)
}
