package profiles

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Record is the record of what credentials say of a player, and of when they said it; the zero
// time is unknown. Only the player says whether they are hidden: see ChangeProfile.
func Record(p game.Profile, at time.Time) string {
	p.Hidden = false
	dated := struct {
		At int64 `json:"at,omitempty"` // milliseconds; first, for lateProfilesScript
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
		_ = json.Unmarshal([]byte(record), &p) // one that does not parse shows the player without a name
	}
	return p
}

// sources are the two parts of a profile: what credentials said, and what the player has set.
type sources struct{ told, own game.Profile }

func (s sources) Profile() game.Profile { return s.told.Over(s.own) }

// ProfileWrite is a player's profile that comes with a write, such as that of a score.
type ProfileWrite struct {
	Player string
	New    game.Profile // what the credential says,
	At     time.Time    // when it said so
	Late   bool         // the credential is old: Redis may have something newer
	asked  sources      // what Redis has, if this process did not know
	asking bool
	missed bool // a page of many profiles was read instead of the player's, and lacks the player
}

// KeepProfiles writes what credentials say of players to Redis. For players whom this process
// knows, it adds only news to p. For the others it adds a question to p, and leaves their news
// to [Profiles.TellProfiles]. 1 command asks for any number of players, and 2 write the news.
func (ps *Profiles) KeepProfiles(p *rdb.Pipeline, writes []ProfileWrite) {
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
	if len(unknown) == 0 || ps.Directory.refreshes(p, ps.begun.AreFew(), func() {
		for i, player := range ask {
			w := &writes[unknown[i]]
			known, ok := ps.Directory.Stored(player)
			w.asked, w.missed = known, !ok
		}
	}) {
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
	ps.Directory.advance(p)
}

// isNews reports whether the credential says something that Redis does not have.
func (w *ProfileWrite) isNews() bool { return w.New.Over(w.asked.told) != w.asked.told }

// askMissed asks for the players whom KeepProfiles did not find on the page that it read
// instead of asking for each.
func askMissed(ctx context.Context, ps *Profiles, writes []ProfileWrite) error {
	var missed []string
	for _, w := range writes {
		if w.missed {
			missed = append(missed, w.Player)
		}
	}
	read, err := ps.ReadProfiles(ctx, missed)
	if err != nil {
		return rdb.Wrap("ask for names", err)
	}
	for i := range writes {
		if w := &writes[i]; w.missed {
			w.asked, w.missed = read[w.Player], false
			ps.Directory.Learn(w.Player, w.asked)
		}
	}
	return nil
}

// TellProfiles writes the news that KeepProfiles has found of players whom this process did
// not know, in a round trip of its own; mostly there are none.
func (ps *Profiles) TellProfiles(ctx context.Context, writes []ProfileWrite) error {
	if err := askMissed(ctx, ps, writes); err != nil {
		return err
	}
	var news []ProfileWrite
	for i := range writes {
		if w := &writes[i]; w.asking && w.isNews() {
			news = append(news, *w)
		}
	}
	if len(news) == 0 {
		return nil
	}
	var p rdb.Pipeline
	ps.writeProfiles(&p, news)
	_, err := p.Run(ctx, ps.db.Redis)
	return rdb.Wrap("write names", err)
}

// KeepAgain writes the profiles of writes once more, after a loss of Redis.
//
// Cost: as much as a write for profiles.
func (ps *Profiles) KeepAgain(ctx context.Context, writes []ProfileWrite) error {
	again := make([]ProfileWrite, len(writes))
	for i, w := range writes {
		again[i] = ProfileWrite{Player: w.Player, New: w.New, At: w.At, Late: w.Late}
	}
	var p rdb.Pipeline
	ps.KeepProfiles(&p, again)
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return rdb.Wrap("see to names that were lost", err)
	}
	return ps.TellProfiles(ctx, again)
}

// KeepProfile writes what a credential says of a player to Redis, without a submission.
//
// Cost: nothing for a player whom this process knows, else 1 or 2 billed commands; 2 more, or
// 1 without a country, for news, and 1 if there was no profile.
func (ps *Profiles) KeepProfile(ctx context.Context, player string, said game.Profile) error {
	writes := []ProfileWrite{{Player: player, New: said, At: ps.db.Now()}}
	var p rdb.Pipeline
	ps.KeepProfiles(&p, writes)
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return rdb.Wrap("keep the profile of "+player, err)
	}
	if err := askMissed(ctx, ps, writes); err != nil {
		return err
	}
	if w := writes[0]; w.isNews() && w.asked == (sources{}) {
		p = rdb.Pipeline{}
		ps.reappears(&p, player)
		if _, err := p.Run(ctx, ps.db.Redis); err != nil {
			return rdb.Wrap("keep the profile of "+player, err)
		}
	}
	return ps.TellProfiles(ctx, writes)
}

// writeProfiles queues news: the countries first, so that a process which finds the record
// knows that the country is in its place.
func (ps *Profiles) writeProfiles(p *rdb.Pipeline, news []ProfileWrite) {
	if len(news) == 0 {
		return
	}
	records := make([]string, 0, 2+2*len(news))
	records = append(records, "HSET", game.ProfilesKey)
	countries := make(map[string]string, len(news))
	var prompt, late []ProfileWrite
	for _, w := range news {
		w.asked.told = w.New.Over(w.asked.told)
		if w.Late {
			late = append(late, w)
			continue
		}
		prompt = append(prompt, w)
		countries[w.Player] = w.asked.Profile().Country
		records = append(records, w.Player, Record(w.asked.told, w.At))
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

// ReadProfiles asks for many players in one command.
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

// ProfilesOf reads the answer of askProfiles for so many players.
func ProfilesOf(r upstash.Reply, players int) ([]sources, error) {
	records, err := rdb.Texts(r, 2*players, "two records per player")
	if err != nil {
		return nil, err
	}
	read := make([]sources, players)
	for i := range read {
		read[i] = sources{told: parseProfile(records[2*i]), own: parseProfile(records[2*i+1])}
	}
	return read, nil
}

// Name fills in how the entries' players are shown. It takes what this process remembers, and
// asks for all others in one command. With learning, it may also read a page of profiles, in
// one more command, to know more players later.
func (ps *Profiles) Name(ctx context.Context, entries []game.Entry, learning bool) error {
	unknown := ps.Directory.show(entries)
	if len(unknown) == 0 {
		return nil
	}
	var p rdb.Pipeline
	if ps.Directory.refreshes(&p, learning && len(unknown) > 1 && ps.begun.AreFew()) {
		if _, err := p.Run(ctx, ps.db.Redis); err != nil {
			return rdb.Wrap("read names", err)
		}
		if unknown = ps.Directory.show(entries); len(unknown) == 0 {
			return nil
		}
		p = rdb.Pipeline{}
	} else if learning {
		ps.Directory.advance(&p)
	}
	p.Add(AskProfiles(unknown...), func(r upstash.Reply) error {
		read, err := ProfilesOf(r, len(unknown))
		for i, at := range read {
			ps.Directory.Learn(unknown[i], at)
		}
		return err
	})
	if _, err := p.Run(ctx, ps.db.Redis); err != nil {
		return rdb.Wrap("read names", err)
	}
	ps.Directory.show(entries)
	return nil
}

// reappears notes that a player without a profile now has one: then a second erasure on the
// date of a first looks for everything again.
//
// Cost: 1 billed command.
func (ps *Profiles) reappears(p *rdb.Pipeline, player string) {
	p.Add(upstash.Cmd("ZREM", game.ErasureKey(game.DateOf(ps.db.Now()), player), game.ErasureDone).Idempotent(), nil)
}
