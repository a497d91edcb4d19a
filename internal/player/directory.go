package player

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// profileFresh is how long a process relies on a profile.
const profileFresh = 15 * time.Minute

// Directory is what a process knows of players' profiles: those that it has read or written
// last. It relies on each for 15 minutes, and then asks again.
type Directory struct {
	elapsed func() time.Duration

	mu    sync.Mutex
	known *lru.Cache[string, knownProfile]
}

type knownProfile struct {
	sources
	at time.Duration
}

func newDirectory(db *redis.DB) *Directory {
	return &Directory{elapsed: db.Elapsed, known: lru.New[string, knownProfile](rememberProfiles)}
}

// show fills in the profiles that the process still relies on, and lists the players of whom
// to ask: none if it relies on all, else also those on whose profiles it does not rely for
// long any more. So the names of a board are asked for together, and not one by one.
func (d *Directory) show(entries []game.Entry) (unknown []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var aging []string
	for i := range entries {
		e := &entries[i]
		known, ok := d.known.Get(e.Player)
		switch age := d.elapsed() - known.at; {
		case !ok || age > profileFresh:
			unknown = append(unknown, e.Player)
			continue
		case age > profileFresh/2:
			aging = append(aging, e.Player)
		}
		e.Profile = known.Profile().Shown()
	}
	if len(unknown) > 0 {
		unknown = append(unknown, aging...)
	}
	return unknown
}

// Knows fills in the profiles of the entries' players, and reports whether the process relies
// on all of them.
func (d *Directory) Knows(entries []game.Entry) bool { return len(d.show(entries)) == 0 }

// Stored is a player's profile in Redis, as far as this process still relies on what it knows.
func (d *Directory) Stored(player string) (p sources, fresh bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.known.Get(player)
	return known.sources, ok && d.elapsed()-known.at <= profileFresh
}

// Last is the last that this process knows of a player's profile, however old that is. It
// reports false if the process knows nothing.
func (d *Directory) Last(player string) (sources, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.known.Peek(player)
	return known.sources, ok
}

// Learn remembers a profile that was read or written. It copies the player's id, because the
// id may be a part of a long answer that would then stay in memory.
func (d *Directory) Learn(player string, p sources) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Add(strings.Clone(player), knownProfile{p, d.elapsed()})
}

func (d *Directory) Forget(player string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Remove(player)
}

func (d *Directory) purge() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Purge()
}

func (d *Directory) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known.Len()
}

// PutCountries queues writing the countries of players. A player whose country is "" stays in
// the country that Redis has.
func (ps *Profiles) PutCountries(p *redis.Pipeline, of map[string]string) {
	if !ps.RankCountries {
		return
	}
	command := []string{"ZADD", game.CountriesKey}
	for player, country := range of {
		if country != "" {
			command = append(command, redis.Itoa(game.CountryNumber(country)), player)
		}
	}
	if len(command) > 2 {
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
}

// moveTo queues moving a player to a country, or out of every country if it is "".
func (ps *Profiles) moveTo(p *redis.Pipeline, player, country string) {
	if country == "" {
		p.Add(upstash.Cmd("ZREM", game.CountriesKey, player).Idempotent(), nil)
		return
	}
	ps.PutCountries(p, map[string]string{player: country})
}

// Countries reads the country of each player who has one.
//
// Cost: 1 billed command for every 20,000 players.
func (ps *Profiles) Countries(ctx context.Context) (map[string]string, error) {
	byNumber := map[float64]string{}
	of := map[string]string{}
	err := ps.db.ScanMembers(ctx, game.CountriesKey, func(page []redis.Member) error {
		for _, m := range page {
			country, ok := byNumber[m.Stored]
			if !ok {
				country = game.CountryOf(int64(m.Stored))
				if err := game.ValidCountry(country); err != nil {
					return err
				}
				byNumber[m.Stored] = country
			}
			of[m.Player] = country
		}
		return nil
	})
	return of, redis.Wrap("read the countries", err)
}
