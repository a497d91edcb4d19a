package game

import "strconv"

// WorldKey is a board of the world, merged from the sites' boards.
func WorldKey(board string) string { return "world:" + board }

// WorldStateKey is a hash that other sites read: what this site has published of each of its
// boards, by key, and in [WorldLookedField] when it last looked.
const WorldStateKey = "world:state"

// WorldTopKey is a sorted set that a site has published: the top of a board. It never
// changes: each publication has its own.
func WorldTopKey(board string, stamp int64) string {
	return "world:top:" + strconv.FormatInt(stamp, 10) + ":" + board
}

// WorldLookedField is the field of no board.
const WorldLookedField = ":looked"

// WorldCopiesKey is a hash of another site: what it had published of each board, by key,
// when it was copied.
func WorldCopiesKey(site string) string { return "world:copies:" + site }

// WorldCopyKey is a sorted set: the top of another site's board, as it was copied.
func WorldCopyKey(site, board string) string { return "world:copy:" + site + ":" + board }

// WorldShownKey is a hash: player -> how the first players of a copy are shown.
func WorldShownKey(site, board string) string { return "world:shown:" + site + ":" + board }

// WorldMadeKey is a hash: board -> what the board of the world was made from.
const WorldMadeKey = "world:made"

// WorldSitesKey is a hash: site -> what was last known of it.
const WorldSitesKey = "world:sites"

// WorldNotedKey is a hash of what the site's last merges have seen, so that the next merge
// skips what has not changed.
const WorldNotedKey = "world:noted"
