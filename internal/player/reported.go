package player

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// reportedSeconds is how long Redis keeps the moment of an authority's newest message about a
// player. An older message that arrives later is found by it and skipped. Senders of webhooks
// stop repeating a message after some days.
const reportedSeconds = 7 * 24 * 60 * 60

// reportedScript writes profiles, except those of players who are marked as deleted or of whom
// Redis knows a newer message.
//
// KEYS: deleted players, profiles, countries, and for each player the moment of the newest
// message
// ARGV, for each player: id, digest, moment, record, seconds for which the moment is kept (""
// not to keep it), number of the country that the player moves to ("-" for none, "" if the
// player stays)
// Answer: {calls, for each player 1 if the profile was written, else 0}
var reportedScript = redis.NewScript(`
local n = #KEYS - 3
local digests, keys = {}, {}
for i = 1, n do digests[i], keys[i] = ARGV[6 * i - 4], KEYS[3 + i] end
local gone = call('SMISMEMBER', KEYS[1], unpack(digests))
local written, all = {}, true
for i = 1, n do
  written[i] = 0
  all = all and gone[i] == 1
end
if all then return answer(unpack(written)) end
local newest = call('MGET', unpack(keys))
local records, come, go = {}, {}, {}
for i = 1, n do
  local at = 6 * i - 6
  if gone[i] == 0 and not (newest[i] and tonumber(newest[i]) > tonumber(ARGV[at + 3])) then
    written[i] = 1
    if ARGV[at + 5] ~= '' then call('SET', KEYS[3 + i], ARGV[at + 3], 'EX', ARGV[at + 5]) end
    records[#records + 1] = ARGV[at + 1]
    records[#records + 1] = ARGV[at + 4]
    if ARGV[at + 6] == '-' then
      go[#go + 1] = ARGV[at + 1]
    elseif ARGV[at + 6] ~= '' then
      come[#come + 1] = ARGV[at + 6]
      come[#come + 1] = ARGV[at + 1]
    end
  end
end
if #records > 0 then call('HSET', KEYS[2], unpack(records)) end
if #go > 0 then call('ZREM', KEYS[3], unpack(go)) end
if #come > 0 then call('ZADD', KEYS[3], unpack(come)) end
return answer(unpack(written))
`)

// SaveReported saves what an authority says of a player's profile as of a moment, unless the
// authority has said something newer, or that the player was deleted. Fields that it leaves
// out stay. This process shows the change at once; another one shows it once it no longer
// relies on the old profile, see [Directory].
//
// Cost: up to 7 billed commands in 2 round trips, and 1 more in a third if the player had no
// profile.
func (ps *Profiles) SaveReported(ctx context.Context, t game.PlayerProfile) (saved bool, err error) {
	writes, err := ps.reportedWrites(ctx, []game.PlayerProfile{t})
	if err == nil {
		err = ps.writeReported(ctx, writes)
	}
	if err != nil {
		return false, redis.Wrap("save the profile of "+t.Player, err)
	}
	if writes[0].saved && writes[0].first {
		var p redis.Pipeline
		ps.reappears(&p, t.Player)
		if _, err := p.Run(ctx, ps.db.Redis); err != nil {
			return false, redis.Wrap("save the profile of "+t.Player, err)
		}
	}
	return writes[0].saved, nil
}

// MostReported is how many profiles SaveAllReported takes at once.
const MostReported = 500

// SaveAllReported is SaveReported for up to 500 different players. It returns the profiles that have
// changed. A dry run writes nothing, and returns those that would change.
//
// Cost: 1 billed command to read; up to 6 to write all profiles together, and 1 for each that
// is not a week old; in 2 round trips.
func (ps *Profiles) SaveAllReported(ctx context.Context, all []game.PlayerProfile, dryRun bool) (saved []game.PlayerProfile, err error) {
	writes, err := ps.reportedWrites(ctx, all)
	if err != nil {
		return nil, redis.Wrap("read profiles", err)
	}
	var due []*reportedWrite
	for _, w := range writes {
		// If a player's profile has not changed for a week, no older message can arrive any
		// more, so the moment need not be kept.
		old := ps.db.Now().Sub(w.UpdatedAt) >= reportedSeconds*time.Second
		if old {
			w.seconds = ""
		}
		if w.news || !old {
			due = append(due, w)
		}
	}
	if !dryRun && len(due) > 0 {
		if err := ps.writeReported(ctx, due); err != nil {
			return nil, redis.Wrap("save profiles", err)
		}
	}
	for _, w := range due {
		if w.news && (w.saved || dryRun) {
			saved = append(saved, w.PlayerProfile)
		}
	}
	return saved, nil
}

// reportedWrite is one profile for reportedScript.
type reportedWrite struct {
	game.PlayerProfile
	first   bool   // there was no profile
	news    bool   // the record or the country has changed
	record  string // to be written
	moves   string // an argument of the script: the country's number, "-" or ""
	seconds string // an argument of the script
	saved   bool   // the script has written it
}

// reportedWrites reads the players' profiles, and makes the writes from them.
func (ps *Profiles) reportedWrites(ctx context.Context, all []game.PlayerProfile) ([]*reportedWrite, error) {
	players := make([]string, len(all))
	for i, t := range all {
		players[i] = t.Player
	}
	read, err := ps.ReadProfiles(ctx, players)
	if err != nil {
		return nil, err
	}
	writes := make([]*reportedWrite, len(all))
	for i, t := range all {
		kept := read[t.Player]
		before, country := kept.reported, kept.Profile().Country
		kept.reported = t.Profile.Over(before)
		w := &reportedWrite{PlayerProfile: t, first: read[t.Player] == (sources{}), news: kept.reported != before, record: Record(kept.reported, t.UpdatedAt), seconds: redis.Itoa(reportedSeconds)}
		if now := kept.Profile().Country; ps.RankCountries && now != country {
			w.moves = "-"
			if now != "" {
				w.moves = redis.Itoa(game.CountryNumber(now))
			}
		}
		writes[i] = w
	}
	return writes, nil
}

// writeReported writes profiles, and sets saved in those that were written.
func (ps *Profiles) writeReported(ctx context.Context, writes []*reportedWrite) error {
	keys := []string{game.DeletedKey, game.ProfilesKey, game.CountriesKey}
	args := make([]string, 0, 6*len(writes))
	for _, w := range writes {
		keys = append(keys, game.ReportedKey(w.Player))
		args = append(args, w.Player, game.BanMember(w.Player), redis.Itoa(w.UpdatedAt.UnixMilli()), w.record, w.seconds, w.moves)
	}
	reply, err := ps.db.Redis.Do(ctx, reportedScript.Command(keys, args...).Idempotent())
	if err != nil {
		return err
	}
	written, err := redis.Counts(reply, len(writes), "a number for each player")
	if err != nil {
		return err
	}
	for i, w := range writes {
		if w.saved = written[i] == 1; w.saved {
			ps.Directory.Forget(w.Player)
		}
	}
	return nil
}

// MarkDeleted marks a player as deleted, so that nothing is saved any more that an authority
// says of the player. It deletes no profile: lifecycle.Repair.Erase does.
//
// Cost: 2 billed commands in 1 round trip.
func (ps *Profiles) MarkDeleted(ctx context.Context, player string) error {
	var p redis.Pipeline
	p.Add(upstash.Cmd("SADD", game.DeletedKey, game.BanMember(player)).Idempotent(), nil)
	p.Add(upstash.Cmd("DEL", game.ReportedKey(player)).Idempotent(), nil)
	_, err := p.Run(ctx, ps.db.Redis)
	return redis.Wrap("mark "+player+" as gone", err)
}

// ProfileOf reads a player's whole profile, with name and picture of a hidden player too.
//
// Cost: 1 billed command.
func (ps *Profiles) ProfileOf(ctx context.Context, player string) (game.Profile, error) {
	read, err := ps.ReadProfiles(ctx, []string{player})
	return read[player].Profile(), redis.Wrap("read the profile of "+player, err)
}

// ProfilesOf is ProfileOf for several players, in their order.
//
// Cost: 1 billed command.
func (ps *Profiles) ProfilesOf(ctx context.Context, players []string) ([]game.Profile, error) {
	read, err := ps.ReadProfiles(ctx, players)
	profiles := make([]game.Profile, len(players))
	for i, player := range players {
		profiles[i] = read[player].Profile()
	}
	return profiles, redis.Wrap("read profiles", err)
}
