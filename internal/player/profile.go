// Package player keeps what is known of players beside their scores: how they are shown (names,
// pictures, countries, who is hidden), and what they gain by playing (XP, and streaks of days).
package player

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Record is the record of what credentials say of a player, with the time at which they said
// it, unless that is zero. It leaves Hidden out, because only players themselves say whether
// they are hidden: see ChangeProfile.
func Record(p game.Profile, at time.Time) string {
	p.Hidden = false
	dated := struct {
		At int64 `json:"at,omitempty"` // milliseconds; lateProfilesScript looks for it at the beginning
		game.Profile
	}{Profile: p}
	if !at.IsZero() {
		dated.At = at.UnixMilli()
	}
	record, _ := json.Marshal(dated) // a number and three strings always marshal
	return string(record)
}

func parseProfile(record string) game.Profile {
	var p game.Profile
	if record != "" {
		_ = json.Unmarshal([]byte(record), &p) // if it does not parse, the player is shown without a name
	}
	return p
}

// sources are the two parts of a profile: what credentials said, and what the player has set.
type sources struct{ reported, own game.Profile }

func (s sources) Profile() game.Profile { return s.reported.Over(s.own) }

// ProfileWrite is a player's profile that comes with a write, such as that of a score.
type ProfileWrite struct {
	Player string
	New    game.Profile // what the credential says
	At     time.Time    // when it said so
	Late   bool         // the credential is old: Redis may have something newer
	asked  sources      // what Redis has
	asking bool         // this process did not know what Redis has
}

// KeepProfiles writes to Redis what credentials say of players. For players whom this process
// knows, it adds their news to p: what Redis does not have yet. For the others it adds a
// question to p; [Profiles.WriteNews] writes their news after the answer. For any number of
// players, 1 command asks and 2 write the news.
func (ps *Profiles) KeepProfiles(p *redis.Pipeline, writes []ProfileWrite) {
	var unknown []int
	var ask []string
	var news []ProfileWrite
	for i := range writes {
		w := &writes[i]
		if w.New == (game.Profile{}) {
			continue
		}
		known, ok := ps.Directory.Stored(w.Player)
		if !ok {
			w.asking = true
			unknown = append(unknown, i)
			ask = append(ask, w.Player)
			continue
		}
		if w.asked = known; w.isNews() {
			news = append(news, *w)
		}
	}
	ps.writeProfiles(p, news)
	if len(unknown) == 0 {
		return
	}
	p.Add(AskProfiles(ask...), func(r upstash.Reply) error {
		read, err := ProfilesOf(r, len(unknown))
		for i, at := range read {
			w := &writes[unknown[i]]
			w.asked = at
			ps.Directory.Learn(w.Player, at)
		}
		return err
	})
}

// isNews reports whether the credential says something that Redis does not have.
func (w *ProfileWrite) isNews() bool { return w.New.Over(w.asked.reported) != w.asked.reported }

// WriteNews writes the news of players whom this process did not know in KeepProfiles, in a
// round trip of its own. Mostly there are none.
func (ps *Profiles) WriteNews(ctx context.Context, writes []ProfileWrite) error {
	var news []ProfileWrite
	for i := range writes {
		if w := &writes[i]; w.asking && w.isNews() {
			news = append(news, *w)
		}
	}
	if len(news) == 0 {
		return nil
	}
	var p redis.Pipeline
	ps.writeProfiles(&p, news)
	_, err := p.Run(ctx, ps.db.Redis)
	return redis.Wrap("write names", err)
}

// KeepAgain does the work of KeepProfiles and WriteNews once more, after a loss of Redis.
//
// Cost: as much as a write for profiles.
func (ps *Profiles) KeepAgain(ctx context.Context, writes []ProfileWrite) error {
	again := make([]ProfileWrite, len(writes))
	for i, w := range writes {
		again[i] = ProfileWrite{Player: w.Player, New: w.New, At: w.At, Late: w.Late}
	}
	var p redis.Pipeline
	ps.KeepProfiles(&p, again)
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return redis.Wrap("see to names that were lost", err)
	}
	return ps.WriteNews(ctx, again)
}

// KeepProfile writes to Redis what a credential says of a player who sends no score.
//
// Cost: nothing for a player whom this process knows, else 1 billed command. News cost 2
// more, or 1 without a country, and 1 more if the player had no profile.
func (ps *Profiles) KeepProfile(ctx context.Context, player string, said game.Profile) error {
	writes := []ProfileWrite{{Player: player, New: said, At: ps.db.Now()}}
	var p redis.Pipeline
	ps.KeepProfiles(&p, writes)
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return redis.Wrap("keep the profile of "+player, err)
	}
	if w := writes[0]; w.isNews() && w.asked == (sources{}) {
		p = redis.Pipeline{}
		ps.reappears(&p, player)
		if _, err := p.Run(ctx, ps.db.Redis); err != nil {
			return redis.Wrap("keep the profile of "+player, err)
		}
	}
	return ps.WriteNews(ctx, writes)
}

// writeProfiles queues news. Countries go before records: if a process finds a record, the
// country is written too.
func (ps *Profiles) writeProfiles(p *redis.Pipeline, news []ProfileWrite) {
	if len(news) == 0 {
		return
	}
	records := make([]string, 0, 2+2*len(news))
	records = append(records, "HSET", game.ProfilesKey)
	countries := make(map[string]string, len(news))
	var prompt, late []ProfileWrite
	for _, w := range news {
		w.asked.reported = w.New.Over(w.asked.reported)
		if w.Late {
			late = append(late, w)
			continue
		}
		prompt = append(prompt, w)
		countries[w.Player] = w.asked.Profile().Country
		records = append(records, w.Player, Record(w.asked.reported, w.At))
	}
	ps.writeLateProfiles(p, late)
	if len(prompt) == 0 {
		return
	}
	ps.PutCountries(p, countries)
	p.Add(upstash.Cmd(records...).Idempotent(), func(upstash.Reply) error {
		for _, w := range prompt {
			ps.Directory.Learn(w.Player, w.asked)
		}
		return nil
	})
}

// ReadProfiles reads the profiles of many players in one command.
func (ps *Profiles) ReadProfiles(ctx context.Context, players []string) (map[string]sources, error) {
	if len(players) == 0 {
		return nil, nil
	}
	reply, err := ps.db.Redis.Do(ctx, AskProfiles(players...))
	if err != nil {
		return nil, err
	}
	profiles, err := ProfilesOf(reply, len(players))
	if err != nil {
		return nil, err
	}
	read := make(map[string]sources, len(players))
	for i, player := range players {
		read[player] = profiles[i]
	}
	return read, nil
}

// AskProfiles asks for both records of each player.
func AskProfiles(players ...string) upstash.Command {
	command := make([]string, 0, 2+2*len(players))
	command = append(command, "HMGET", game.ProfilesKey)
	for _, player := range players {
		command = append(command, player, game.OwnProfile(player))
	}
	return upstash.Cmd(command...)
}

// ProfilesOf reads the answer to AskProfiles for that many players.
func ProfilesOf(r upstash.Reply, players int) ([]sources, error) {
	records, err := redis.Texts(r, 2*players, "two records per player")
	if err != nil {
		return nil, err
	}
	read := make([]sources, players)
	for i := range read {
		read[i] = sources{reported: parseProfile(records[2*i]), own: parseProfile(records[2*i+1])}
	}
	return read, nil
}

// Name fills in the profiles of the entries' players. It takes those that this process
// remembers, and asks for all others in one command.
func (ps *Profiles) Name(ctx context.Context, entries []game.Entry) error {
	unknown := ps.Directory.show(entries)
	if len(unknown) == 0 {
		return nil
	}
	var p redis.Pipeline
	p.Add(AskProfiles(unknown...), func(r upstash.Reply) error {
		read, err := ProfilesOf(r, len(unknown))
		for i, at := range read {
			ps.Directory.Learn(unknown[i], at)
		}
		return err
	})
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return redis.Wrap("read names", err)
	}
	ps.Directory.show(entries)
	return nil
}

// reappears is for a player who had no profile and now gets one. If the player was erased
// today, it deletes the note that nothing was left, so that a second erasure today looks for
// everything again.
//
// Cost: 1 billed command.
func (ps *Profiles) reappears(p *redis.Pipeline, player string) {
	p.Add(upstash.Cmd("ZREM", game.ErasureKey(game.DateOf(ps.db.Now()), player), game.ErasureDone).Idempotent(), nil)
}

// rememberProfiles is how many profiles a process remembers at most: some 40 MB.
const rememberProfiles = 1 << 17

// Profiles keeps how players are shown: what credentials and authorities, such as Clerk, say of
// them, and what they have set themselves. It is safe for concurrent use.
type Profiles struct {
	db            *redis.DB
	windows       *derive.Windows
	Directory     *Directory
	RankCountries bool // some mode ranks by country or region
}

func NewProfiles(db *redis.DB, w *derive.Windows, notices *control.Notices) *Profiles {
	ps := &Profiles{
		db: db, windows: w, Directory: newDirectory(db),
		RankCountries: slices.ContainsFunc(db.Game.Modes, game.RanksByCountry),
	}
	notices.OnLoss(ps.Directory.purge)
	return ps
}

// lateProfilesScript writes profiles, each unless Redis has a newer record of the player. A
// record begins with the time at which the credential said it; a record without a time is
// replaced.
//
// KEYS: profiles, countries
// ARGV, for each profile: player, milliseconds, record, number of the country or ""
// Answer: {calls, for each profile 1 if it was written, else 0}
var lateProfilesScript = redis.NewScript(`
local ask, put, move, written = {'HMGET', KEYS[1]}, {'HSET', KEYS[1]}, {'ZADD', KEYS[2]}, {}
for i = 1, #ARGV, 4 do ask[#ask + 1] = ARGV[i] end
local stand = call(unpack(ask))
for i = 1, #ARGV, 4 do
  local record = stand[(i + 3) / 4]
  local said = record and string.match(record, '^{"at":(%d+)')
  if said and tonumber(said) > tonumber(ARGV[i + 1]) then
    written[#written + 1] = 0
  else
    written[#written + 1] = 1
    put[#put + 1] = ARGV[i]
    put[#put + 1] = ARGV[i + 2]
    if ARGV[i + 3] ~= '' then
      move[#move + 1] = ARGV[i + 3]
      move[#move + 1] = ARGV[i]
    end
  end
end
if #move > 2 then call(unpack(move)) end
if #put > 2 then call(unpack(put)) end
return answer(unpack(written))
`)

// writeLateProfiles queues profiles from credentials that are old. If Redis has a newer record
// of a player, the process does not learn it here: it asks again once it no longer relies on
// what it knows.
//
// Cost: 4 billed commands for any number of players, 3 without countries.
func (ps *Profiles) writeLateProfiles(p *redis.Pipeline, late []ProfileWrite) {
	if len(late) == 0 {
		return
	}
	args := make([]string, 0, 4*len(late))
	for _, w := range late {
		number := ""
		if country := w.asked.Profile().Country; ps.RankCountries && country != "" {
			number = redis.Itoa(game.CountryNumber(country))
		}
		at := max(0, w.At.UnixMilli())
		args = append(args, w.Player, redis.Itoa(at), Record(w.asked.reported, time.UnixMilli(at)), number)
	}
	p.Add(lateProfilesScript.Command([]string{game.ProfilesKey, game.CountriesKey}, args...).Idempotent(), func(r upstash.Reply) error {
		written, err := redis.Counts(r, len(late), "what became of each profile")
		if err != nil {
			return err
		}
		for i, w := range late {
			if written[i] == 1 {
				ps.Directory.Learn(w.Player, w.asked)
			}
		}
		return nil
	})
}
