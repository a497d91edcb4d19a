package game

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Boards that belong to the game as a whole. They have no periods, no scopes
// and no expiry.
const (
	XPKey   = "lb:alltime:xp"
	DuelKey = "lb:duels:elo"
)

// BoardKey names a board in Redis: lb:{mode}:{period}[:{scope}], where a day is its date, a
// week is week:2025-W08, a month is month:2025-02, a season is season:spring, rolling days are
// last7:2025-02-28 and all time is alltime. The mode must be one of the game's own.
func BoardKey(mode string, p Period, s Scope) string {
	var text [160]byte
	b := append(text[:0], "lb:"...)
	b = append(b, mode...)
	b = append(b, ':')
	if p.kind != Day && p.kind != AllTime {
		b = append(b, p.kind.String()...)
		b = append(b, ':')
	}
	b = p.appendKey(b)
	if s.kind != Global {
		b = append(b, ':')
		b = append(b, s.String()...)
	}
	return string(b)
}

// DayBoardKey names the board of all players of a day.
func DayBoardKey(mode string, d Date) string { return BoardKey(mode, Day.Of(d), Scope{}) }

// ParseBoardKey is the inverse of [BoardKey]. The boards of the game as a
// whole, XPKey and DuelKey, belong to no mode and are refused, and so are seasons,
// which a [Game] knows.
func ParseBoardKey(key string) (mode string, p Period, s Scope, err error) {
	return parseBoardKey(key, func(string) (Period, error) { return Period{}, fmt.Errorf("%w: seasons are a game's", ErrNoSeason) })
}

func parseBoardKey(key string, seasonNamed func(string) (Period, error)) (mode string, p Period, s Scope, err error) {
	fail := func(why error) (string, Period, Scope, error) {
		return "", Period{}, Scope{}, fmt.Errorf("%.200q is not a board key: %w", key, why)
	}
	rest, ok := strings.CutPrefix(key, "lb:")
	if !ok {
		return fail(errors.New("it does not begin with lb: and a mode"))
	}
	mode, rest, _ = strings.Cut(rest, ":")
	if err := ValidMode(mode); err != nil {
		return fail(err)
	}
	if why := reserved(mode); why != "" {
		return fail(fmt.Errorf("%s is no mode: %s", mode, why))
	}
	word, rest, more := strings.Cut(rest, ":")
	kind := Day
	switch word {
	case "week", "month", "season", "last7", "last30":
		kind, _ = ParsePeriodKind(word)
		word, rest, more = strings.Cut(rest, ":")
	case "alltime":
		kind = AllTime
	}
	if kind == Season {
		p, err = seasonNamed(word)
	} else {
		p, err = parsePeriod(kind, word)
	}
	if err != nil {
		return fail(err)
	}
	if more {
		if s, err = ParseScope(rest); err != nil {
			return fail(err)
		}
		if s.kind == Global {
			return fail(errors.New("the global board has no scope in its key"))
		}
	}
	return mode, p, s, nil
}

// reserved returns why a mode may not have this name; empty means it may. Each of these words
// already has a meaning in the place of a mode's name, in a key or in an address.
func reserved(mode string) string {
	switch mode {
	case "xp":
		return "the XP board goes by it"
	case "duels":
		return "the duel ratings go by it"
	case "alltime", "week", "month", "last7", "last30":
		return "it names a period"
	}
	return ""
}

// Names that addresses have in place of a mode, for boards of the game as a whole.
const (
	XPMode   = "xp"
	DuelMode = "duels"
)

// ProfilesKey is a hash: player -> name, picture and country as JSON, as credentials tell
// them. What players set themselves is in the fields of [OwnProfile].
const ProfilesKey = "profiles"

// OwnProfile is the field of [ProfilesKey] for what a player has set. No id of a player begins
// like it.
func OwnProfile(player string) string { return "~" + player }

// CountriesKey is a sorted set: player -> [CountryNumber] of the country in the player's
// profile. A player is in one country at most.
const CountriesKey = "countries"

// DetailsKey is a hash of one mode and day: player -> the details of the entry.
func DetailsKey(mode string, d Date) string { return "details:" + mode + ":" + d.String() }

// DaysKey is a hash of one mode, or of XP: date -> whether the day has been
// rolled up into what outlives it. It lists every day up to [ListedField] whose board was written.
func DaysKey(mode string) string { return "days:" + mode }

// ScopedDaysKey is to the boards of a mode's scopes what [DaysKey] is to its global boards.
// [ScopedDay] makes its fields.
func ScopedDaysKey(mode string) string { return "scoped:" + mode }

// ScopedDay names the day of a scope in the hash of [ScopedDaysKey].
func ScopedDay(d Date, s Scope) string { return d.String() + ":" + s.String() }

// ParseScopedDay is the inverse of [ScopedDay].
func ParseScopedDay(field string) (Date, Scope, error) {
	date, scope, _ := strings.Cut(field, ":")
	d, err := ParseDate(date)
	if err != nil {
		return Date{}, Scope{}, err
	}
	s, err := ParseScope(scope)
	return d, s, err
}

// ClosedKey is a hash: mode:date -> that the day's closing has seen all of the mode's boards,
// or the name of the run that closes the day, or the mark of the last write to a day that is
// over.
const ClosedKey = "closed"

// ClosedDay names a mode's day in the hash of [ClosedKey].
func ClosedDay(mode string, d Date) string { return mode + ":" + d.String() }

// ListedField, in the hash of [ClosedKey], is the date up to which the indexes of [DaysKey] list
// every day that was played.
const ListedField = "listed"

// SourceField, in the hash of [ClosedKey], is the name of this Redis: for each day the archive
// keeps the name of the Redis that it was written from.
const SourceField = "source"

// TakenOutField, in the hash of [ClosedKey], changes with each removal in a game with several
// sites: then the next merge looks at boards of days that are over too.
const TakenOutField = "taken out"

// MovedField, in the hash of [ClosedKey], changes whenever a claim moves a day from a device to
// its owner: then the process that archives days looks for unfinished claims.
const MovedField = "moved"

// MergedDay names the field, in the hash of [ClosedKey], that says how far a restore has
// merged a mode's day of a lost Redis into this one.
func MergedDay(mode string, d Date) string { return "merged " + ClosedDay(mode, d) }

// XPDayKey is a sorted set of the XP that all modes together gave for a date,
// made when the day closes.
func XPDayKey(d Date) string { return "xp:" + d.String() }

// XPBaseKey is XP up to the last day that was closed.
const XPBaseKey = "base:" + XPKey

// StreaksKey is a hash: player -> the record of the player's streak.
const StreaksKey = "streaks"

// LateKey is a sorted set: a player's digest ([BanMember]) -> when a score of theirs last came
// late into a closed day, in Unix milliseconds. It has those of the last 24 hours.
const LateKey = "late"

// OutboxKey is a stream of every submission, if the game keeps one.
const OutboxKey = "outbox"

// LockKey keeps two runs of a scheduled job from doing the same work.
func LockKey(job string) string { return "lock:" + job }

// BansKey is a set of what every process that writes has to know: the players who may not
// play, each as [BanMember] has it; the epochs that Redis is in ([EpochMember]); the rules
// that its boards are kept by ([RulesMember]); and whether writes are to wait
// ([MaintenanceMember]). One command reads all of it.
const BansKey = "bans"

// EpochMember is the member of the set of bans for an epoch: a name for this Redis, until it
// is lost or restored. No digest of a player begins like it.
func EpochMember(id string) string { return "epoch:" + id }

// RulesMember is the member of the set of bans for the rules that the boards are kept by, in
// the form of package ruleset.
func RulesMember(rules string) string { return "rules:" + rules }

// MaintenanceMember is in the set of bans while writes are to wait.
func MaintenanceMember(about string) string { return "maintenance:" + about }

// BanMember is the member of the set of bans for a player: a digest, so that a ban outlives
// the player's erasure without keeping the id.
func BanMember(player string) string {
	sum := sha256.Sum256([]byte(player))
	return hex.EncodeToString(sum[:16])
}

// GroupsPlayedKey is a sorted set of [GroupPlayed], all with score 0: which groups a player
// has ever played in. The members of a player are next to each other, by name.
const GroupsPlayedKey = "groups:played"

// GroupPlayed names a player's group in GroupsPlayedKey. No id of a player has
// a space in it.
func GroupPlayed(player string, group Scope) string { return player + " " + group.String() }

// ParseGroupPlayed is the inverse of [GroupPlayed].
func ParseGroupPlayed(member string) (player string, group Scope, err error) {
	player, name, _ := strings.Cut(member, " ")
	group, err = ParseScope(name)
	return player, group, err
}

// GroupsPlayedRange is the range of a player's groups in GroupsPlayedKey, as ZRANGEBYLEX takes
// it: '!' follows the space.
func GroupsPlayedRange(player string) (first, last string) {
	return "[" + player + " ", "(" + player + "!"
}

// GroupsLearned is in GroupsPlayedKey once all of a mode's boards that are older than the set
// have been read into it. No player's id begins like it.
func GroupsLearned(mode string) string { return "~" + mode }

// ErasureKey is a sorted set about one player and UTC date. It has the player, with a score
// that counts the requests to be erased, and [ErasureDone] once that is done. Since it has no
// other player, boards are looked through with it: for what it has and a board does not.
func ErasureKey(d Date, player string) string { return "erasure:" + d.String() + ":" + player }

// ErasureDone is the member of [ErasureKey] that says that nothing was left of
// the player. No player's id begins like it.
const ErasureDone = "~done"

// ExportKey counts how often a player has asked for everything that is kept of
// them, on one UTC date.
func ExportKey(d Date, player string) string { return "export:" + d.String() + ":" + player }

// RemovalsKey is a hash: player and act -> what was removed, until the daily job has finished
// it.
const RemovalsKey = "removals"

// ClaimKey is a hash of a device that a player has claimed: who, when, and what became of each
// day. It has digests of the device and the player, as in [BanMember], so that a claim
// outlives the player's erasure.
func ClaimKey(device string) string { return ClaimDigestKey(BanMember(device)) }

// ClaimDigestKey is [ClaimKey] for the digest of a device.
func ClaimDigestKey(digest string) string { return "claim:" + digest }

// ClaimIndexKey is a set: the digest of every device that has a [ClaimKey]. A digest without
// that key says nothing.
const ClaimIndexKey = "claimed"

// ClaimsKey is a hash: device -> the claim, until the daily job has finished it.
const ClaimsKey = "claims"

// FriendsKey is a sorted set of a player and the player's friends, each with score 0: its
// intersection with a board has their entries there.
func FriendsKey(player string) string { return "friends:" + player }

// ListsKey is a hash: player -> the version of the player's friends and blocks.
const ListsKey = "lists"

// BlocksKey is a hash: player -> the version of the player's lists, and the ids of the players
// whom the player blocks.
const BlocksKey = "blocks"

// DeletedKey is a set of players whose accounts are deleted, each as [BanMember] has it. Later
// news of their profiles changes nothing.
const DeletedKey = "gone"

// ReportedKey is the moment of the newest news of a player's profile, in Unix milliseconds. It
// lives as long as older news may arrive.
func ReportedKey(player string) string { return "told:" + player }

// GroupsKey is a hash: player -> the groups the player belongs to, each with
// the digest of the membership.
const GroupsKey = "groups"

// EndedKey says that a membership has ended, for as long as older news of it may arrive;
// membership is its digest.
func EndedKey(membership string) string { return "ended:" + membership }

// WebhookKey says that a webhook's message has had its effect.
func WebhookKey(message string) string { return "webhook:" + message }

// IdempotencyRecordKey is the record that an effect has happened; id is already a digest.
func IdempotencyRecordKey(id string) string { return "once:" + id }

// DistributionKey is the distribution of a board in so many buckets, as JSON: counts that name
// nobody. It lives as long as a page may be old.
func DistributionKey(board string, buckets int) string {
	return "dist:" + board + ":" + strconv.Itoa(buckets)
}

// RefreshKey is the lock of one refresh of a derived board. The slot is the number of the
// interval, so that a process whose clock was moved finds no old lock.
func RefreshKey(board string, slot int64) string {
	return "refresh:" + board + ":" + strconv.FormatInt(slot, 10)
}

// MadeKey is when a derived board was last made, in Unix milliseconds. It is kept while a day of
// the board waits to be rolled up: if the day is lost, the board stays as it was then.
func MadeKey(board string) string { return "refresh:" + board + ":made" }

// RolledUpKey is what a derived board has of rolled-up days, whose own boards may have
// expired. The boards of months, seasons and all time, and XP, have one.
func RolledUpKey(board string) string { return "folded:" + board }

// ScratchKey holds an intermediate step of a derivation; it lives some minutes.
func ScratchKey(board, step string) string { return "scratch:" + board + ":" + step }

// DuelRecordKey is a hash: everything about one duel. One step changes it together with the
// board of ratings. The keys are in one database that is not spread over nodes, so they have
// no hash tag.
func DuelRecordKey(id string) string { return "duel:" + id }

// DuelsOfKey is a sorted set of a player's newest duels, by the milliseconds of when they were
// made.
func DuelsOfKey(player string) string { return "duels:of:" + player }

// DuelsUnseenKey is a sorted set of the duels that name a player but are not in [DuelsOfKey]:
// challenges by players whom the player may not meet. An erasure finds them by it.
func DuelsUnseenKey(player string) string { return "duels:unseen:" + player }

// DuelsOpenKey is a list of the challenges of a player that may still wait, oldest first: for
// each the milliseconds until when it waits, a space, and the duel.
func DuelsOpenKey(player string) string { return "duels:open:" + player }

// DuelsDueKey is a sorted set of the duels that are not in the history yet, by the
// milliseconds of when their time is over.
const DuelsDueKey = "duels:due"

// DuelsPlayedKey is a hash: player -> duels that were made ready, for games
// with a provisional K.
const DuelsPlayedKey = "duels:played"

// DuelXPKey is a sorted set: player -> XP of all duels that have left DuelsDueKey. The board
// of XP adds it as it is.
const DuelXPKey = "xp:duels"

// DuelQueueKey is a sorted set of players who wait for an opponent, by rating. Each mode has a
// queue, and one queue is for no mode in particular.
func DuelQueueKey(mode string) string { return "duels:queue:" + mode }

// DuelQueuedKey is a hash beside the queue: player -> since when, and when last seen.
func DuelQueuedKey(mode string) string { return "duels:queued:" + mode }

// DuelMatchKey holds the duel that the queue found for a player.
func DuelMatchKey(mode, player string) string { return "duels:match:" + mode + ":" + player }

// RunsKey is a hash: scheduled function -> how its last run ended, and its last good run.
const RunsKey = "runs"

// MoveKey is how far a move into this Redis has come; see package move. A move does not copy
// it.
const MoveKey = "move"

// LiveProbeKey is a sorted set of one member. A process with live boards writes it to prove
// that Redis notifies it of changes.
const LiveProbeKey = "live:probe"

// Redis publishes what has happened to a key on a channel that ends with the key. A
// self-hosted database may have another number than 0.
const (
	BoardNews = "__keyspace@*__:lb:*" // matches the channels of all boards
	DuelNews  = "__keyspace@*__:duel:*"
	ProbeNews = "__keyspace@*__:" + LiveProbeKey
)

// LiveChangesChannel is where processes that write publish which boards they have changed, while
// Redis does not do so itself; a message is the boards' keys, one a line.
const LiveChangesChannel = "live:told"

// UpdatesChannel is the channel that notifies other programs of changes to a mode's boards, if
// the game says so; [UpdatesGlobal] is for the boards of all modes.
func UpdatesChannel(mode string) string { return "leaderboard:updates:" + mode }

// UpdatesGlobal is the channel of all modes; a mode that is called global has the same
// channel.
const UpdatesGlobal = "leaderboard:updates:global"

// UpdateTurnKey is set by the process that publishes about a mode in one second; slot is the
// second, counted from 1970.
func UpdateTurnKey(mode string, slot int64) string {
	return "live:turn:" + mode + ":" + strconv.FormatInt(slot, 10)
}

// KeyOfNews is the key that one of Redis' channels is about; false for another channel.
func KeyOfNews(channel string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(channel, "__keyspace@")
	if !ok {
		return "", false
	}
	_, key, ok = strings.Cut(rest, "__:")
	return key, ok
}
