package board

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// record is what is kept of what credentials say, and since when they say so;
// the zero time is unknown. Whether a player is hidden is said by the player
// alone: see ChangeProfile.
func (p Profile) record(at time.Time) string {
	p.Hidden = false
	dated := struct {
		At int64 `json:"at,omitempty"` // milliseconds; first, for lateProfilesScript
		Profile
	}{Profile: p}
	if !at.IsZero() {
		dated.At = at.UnixMilli()
	}
	record, _ := json.Marshal(dated) // a number and three strings always marshal
	return string(record)
}

func parseProfile(record string) Profile {
	var p Profile
	// A record that does not parse shows the player without a name.
	_ = json.Unmarshal([]byte(record), &p)
	return p
}

// sources of a profile: what credentials told, and what the player has set.
type sources struct{ told, own Profile }

func (s sources) profile() Profile { return s.told.over(s.own) }

// profileWrite is one player's profile on its way to Redis, besides a write.
type profileWrite struct {
	player string
	new    Profile   // what the credential says,
	at     time.Time // and when it did
	late   bool      // others may have said something newer
	asked  sources   // what Redis said, where this process did not know
	asking bool
}

// keepProfiles sees to it that what credentials say of players reaches Redis.
// Of players that this process knows only news are written, along with p;
// the others are asked for, and what is new of them is for [Store.tellProfiles]
// to write. One command for any number of players each, two for news.
func (s *Store) keepProfiles(p *pipeline, writes []profileWrite) {
	var unknown []int
	var ask []string
	var news []profileWrite
	for i := range writes {
		w := &writes[i]
		if w.new == (Profile{}) {
			continue
		}
		known, ok := s.directory.stored(w.player)
		if !ok {
			w.asking = true
			unknown = append(unknown, i)
			ask = append(ask, w.player)
			continue
		}
		if w.asked = known; w.isNews() {
			news = append(news, *w)
		}
	}
	s.writeProfiles(p, news)
	if len(unknown) == 0 {
		return
	}
	p.add(askProfiles(ask...), func(r upstash.Reply) error {
		read, err := profilesOf(r, len(unknown))
		for i, at := range read {
			w := &writes[unknown[i]]
			w.asked = at
			s.directory.learn(w.player, at)
		}
		return err
	})
	s.directory.advance(p)
}

// isNews reports whether the credential says what Redis does not have.
func (w *profileWrite) isNews() bool { return w.new.over(w.asked.told) != w.asked.told }

// tellProfiles writes what keepProfiles has found to be new of players this
// process did not know, in a round trip of its own; mostly there is nothing.
func (s *Store) tellProfiles(ctx context.Context, writes []profileWrite) error {
	var news []profileWrite
	for i := range writes {
		if w := &writes[i]; w.asking && w.isNews() {
			news = append(news, *w)
		}
	}
	if len(news) == 0 {
		return nil
	}
	var p pipeline
	s.writeProfiles(&p, news)
	_, err := p.run(ctx, s.redis)
	return wrap("write names", err)
}

// keepAgain writes once more what writes took for granted of players.
//
// Cost: as much as a write for profiles.
func (s *Store) keepAgain(ctx context.Context, writes []profileWrite) error {
	again := make([]profileWrite, len(writes))
	for i, w := range writes {
		again[i] = profileWrite{player: w.player, new: w.new, at: w.at, late: w.late}
	}
	var p pipeline
	s.keepProfiles(&p, again)
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("see to names that were lost", err)
	}
	return s.tellProfiles(ctx, again)
}

// KeepProfile sees to it that what a credential says of a player reaches Redis
// without a submission.
//
// Cost: nothing for a player whom this process knows, else 1 or 2 billed
// commands; 2 more, or 1 without a country, for what is news, and 1 where there
// was no profile.
func (s *Store) KeepProfile(ctx context.Context, player string, said Profile) error {
	writes := []profileWrite{{player: player, new: said, at: s.now()}}
	var p pipeline
	s.keepProfiles(&p, writes)
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("keep the profile of "+player, err)
	}
	if w := writes[0]; w.isNews() && w.asked == (sources{}) {
		p = pipeline{}
		s.reappears(&p, player)
		if _, err := p.run(ctx, s.redis); err != nil {
			return wrap("keep the profile of "+player, err)
		}
	}
	return s.tellProfiles(ctx, writes)
}

// writeProfiles queues news: the countries first, so that whoever finds the
// record knows that the country is in its place.
func (s *Store) writeProfiles(p *pipeline, news []profileWrite) {
	if len(news) == 0 {
		return
	}
	records := make([]string, 0, 2+2*len(news))
	records = append(records, "HSET", game.ProfilesKey)
	countries := make(map[string]string, len(news))
	var prompt, late []profileWrite
	for _, w := range news {
		w.asked.told = w.new.over(w.asked.told)
		if w.late {
			late = append(late, w)
			continue
		}
		prompt = append(prompt, w)
		countries[w.player] = w.asked.profile().Country
		records = append(records, w.player, w.asked.told.record(w.at))
	}
	s.writeLateProfiles(p, late)
	if len(prompt) == 0 {
		return
	}
	s.putCountries(p, countries)
	p.add(upstash.Cmd(records...).Idempotent(), func(upstash.Reply) error {
		for _, w := range prompt {
			s.directory.learn(w.player, w.asked)
		}
		return nil
	})
}

// readProfiles asks for many players in one command.
func (s *Store) readProfiles(ctx context.Context, players []string) (map[string]sources, error) {
	if len(players) == 0 {
		return nil, nil
	}
	reply, err := s.redis.Do(ctx, askProfiles(players...))
	if err != nil {
		return nil, err
	}
	profiles, err := profilesOf(reply, len(players))
	if err != nil {
		return nil, err
	}
	read := make(map[string]sources, len(players))
	for i, player := range players {
		read[player] = profiles[i]
	}
	return read, nil
}

// askProfiles asks for both records of each player.
func askProfiles(players ...string) upstash.Command {
	command := make([]string, 0, 2+2*len(players))
	command = append(command, "HMGET", game.ProfilesKey)
	for _, player := range players {
		command = append(command, player, game.OwnProfile(player))
	}
	return upstash.Cmd(command...)
}

// profilesOf reads the answer of askProfiles for so many players.
func profilesOf(r upstash.Reply, players int) ([]sources, error) {
	records, err := r.Array()
	if err != nil {
		return nil, err
	}
	if len(records) != 2*players {
		return nil, errShape("two records per player", len(records))
	}
	read := make([]sources, players)
	for i := range read {
		if read[i].told, err = profileIn(records[2*i]); err != nil {
			return nil, err
		}
		if read[i].own, err = profileIn(records[2*i+1]); err != nil {
			return nil, err
		}
	}
	return read, nil
}

// profileIn reads one record; a missing one is empty.
func profileIn(record upstash.Reply) (Profile, error) {
	if record.IsNil() {
		return Profile{}, nil
	}
	text, err := record.Text()
	return parseProfile(text), err
}

// name fills in how the entries' players are shown: from memory, and in one
// command for all that this process does not know, or in one more with which it
// learns of others.
func (s *Store) name(ctx context.Context, entries []Entry, learning bool) error {
	unknown := s.shown(entries)
	if len(unknown) == 0 {
		return nil
	}
	var p pipeline
	if s.directory.refreshes(&p) {
		if _, err := p.run(ctx, s.redis); err != nil {
			return wrap("read names", err)
		}
		if unknown = s.shown(entries); len(unknown) == 0 {
			return nil
		}
		p = pipeline{}
	} else if learning {
		s.directory.advance(&p)
	}
	p.add(askProfiles(unknown...), func(r upstash.Reply) error {
		read, err := profilesOf(r, len(unknown))
		for i, at := range read {
			s.directory.learn(unknown[i], at)
		}
		return err
	})
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("read names", err)
	}
	s.shown(entries)
	return nil
}

// shown fills in what is in memory, and lists the players that are not.
func (s *Store) shown(entries []Entry) (unknown []string) {
	for i := range entries {
		if known, ok := s.directory.fresh(entries[i].Player); ok {
			entries[i].Profile = known.profile().shown()
		} else {
			unknown = append(unknown, entries[i].Player)
		}
	}
	return unknown
}

// reappears queues that a player of whom there was no profile has one: so a
// second erasure on the date of a first looks for everything again.
//
// Cost: 1 billed command.
func (s *Store) reappears(p *pipeline, player string) {
	p.add(upstash.Cmd("ZREM", game.ErasureKey(game.DateOf(s.now()), player), game.ErasureDone).Idempotent(), nil)
}
