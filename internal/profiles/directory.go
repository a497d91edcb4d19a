package profiles

import (
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/rdb"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// profileFresh is how long a profile is shown without asking again, at least.
	profileFresh = 15 * time.Minute
	// profilesPage is how many profiles one command brings at the most: Redis counts the
	// places of its hash table, which are half full or more. That is up to 600 KB, and 4 ms of
	// a processor.
	profilesPage = 5000
	// pageLife is how long, for each page of profiles, the process relies on a profile.
	pageLife = 5 * time.Minute
	// pageWait is how long an answer with a page is awaited before the page is asked for
	// again.
	pageWait = 2 * time.Second
)

// Directory is what a process knows of players' profiles. Asking for each player once costs a
// command each. So a process that has to ask again also reads all profiles, one page with each
// question, until it knows them all. In a game that is known to be small the first page takes
// the place of the first question. Where there are more profiles than the process remembers,
// or bytes are spared, it goes on asking.
//
// The process relies on a profile for 15 minutes, and where there are more than 3 pages for
// five minutes for each of them: so reading them anew stays below one page in five minutes.
type Directory struct {
	elapsed func() time.Duration
	asks    bool // bytes are spared: it asks for players who are shown, and reads no pages

	mu    sync.Mutex
	known *lru.Cache[string, knownProfile]
	asked int  // questions since the process began
	full  bool // more profiles than are remembered: none are read ahead

	cursor  string // of the reading under way; "" for none
	pages   int    // that it has read
	began   time.Duration
	waiting time.Duration // when the page that is under way was asked for; 0 for none

	whole      bool // a reading has ended, and all who have a profile are known
	wholeSince time.Duration
	wholePages int
}

type knownProfile struct {
	sources
	at time.Duration
}

func newDirectory(db *rdb.DB) *Directory {
	return &Directory{elapsed: db.Elapsed, asks: db.SparesBytes, known: lru.New[string, knownProfile](rememberProfiles)}
}

// life is how long the process relies on a profile.
func (d *Directory) life() time.Duration {
	return max(profileFresh, time.Duration(d.wholePages)*pageLife)
}

// show fills in the profiles in memory that are young enough, and lists the other players.
func (d *Directory) show(entries []game.Entry) (unknown []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, life := d.elapsed(), d.life()
	whole := d.whole && now-d.wholeSince <= life
	for i := range entries {
		e := &entries[i]
		switch known, ok := d.known.Get(e.Player); {
		case ok && now-known.at <= life:
			e.Profile = known.Profile().Shown()
		case whole: // there is none: the reading would have met it
			e.Profile = game.Profile{}
		default:
			unknown = append(unknown, e.Player)
		}
	}
	return unknown
}

// Stored is what Redis had of a player as far as this process knows, however old.
func (d *Directory) Stored(player string) (sources, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.known.Peek(player)
	if d.whole && d.elapsed()-d.wholeSince <= d.life() && (!ok || known.at < d.wholeSince) {
		return sources{}, true
	}
	return known.sources, ok
}

// Learn keeps what was read or written. It copies the player's id, so as not to keep the whole
// answer in memory.
func (d *Directory) Learn(player string, p sources) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.put(strings.Clone(player), p)
}

func (d *Directory) put(player string, p sources) {
	if d.known.Add(player, knownProfile{p, d.elapsed()}) {
		d.full, d.whole = true, false
	}
}

func (d *Directory) Forget(player string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Remove(player)
	d.whole = false
}

func (d *Directory) purge() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Purge()
	d.cursor, d.pages, d.waiting, d.whole, d.full = "", 0, 0, false, false
}

func (d *Directory) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known.Len()
}

// IsWhole reports whether all who have a profile are known.
func (d *Directory) IsWhole() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.whole
}

// advance queues the next page behind a question, from the second question on.
func (d *Directory) advance(p *rdb.Pipeline) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.asked > 1 {
		d.ask(p)
	}
}

// refreshes queues a page in place of a question: where all profiles are known to fit in one
// page or, in a process that has read none, where there are few players.
func (d *Directory) refreshes(p *rdb.Pipeline, few bool, then ...func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.whole && d.wholePages == 1 || few && d.pages == 0 {
		return d.ask(p, then...)
	}
	return false
}

// ask queues the next page, and what is done after it was read.
func (d *Directory) ask(p *rdb.Pipeline, then ...func()) bool {
	now := d.elapsed()
	switch {
	case d.asks, d.full, d.waiting > 0 && now-d.waiting < pageWait:
		return false
	case d.cursor == "" && d.whole && now-d.wholeSince <= d.life():
		return false
	case d.cursor == "":
		d.cursor, d.pages, d.began = "0", 0, now
	}
	cursor := d.cursor
	d.waiting = max(now, 1)
	p.Add(upstash.Cmd("HSCAN", game.ProfilesKey, cursor, "COUNT", rdb.Itoa(profilesPage)), func(r upstash.Reply) error {
		if err := d.turn(cursor, r); err != nil {
			return err
		}
		for _, do := range then {
			do()
		}
		return nil
	})
	return true
}

// turn takes a page in, and turns to the next.
func (d *Directory) turn(cursor string, r upstash.Reply) error {
	parts, err := rdb.Values(r, 2, "a cursor with profiles")
	if err != nil {
		return err
	}
	next, err := parts[0].Text()
	if err != nil {
		return err
	}
	fields, err := parts[1].Strings()
	if err != nil {
		return err
	}
	if len(fields)%2 != 0 {
		return rdb.WrongShape("fields with values", len(fields))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if cursor != d.cursor {
		return nil // another reading has begun meanwhile
	}
	d.waiting = 0
	d.pages++
	for i := 0; i < len(fields); i += 2 {
		player, own := strings.CutPrefix(fields[i], game.OwnProfile(""))
		known, _ := d.known.Peek(player)
		if known.at < d.began { // what was learnt since then is as new as the page
			known = knownProfile{}
		}
		if own {
			known.own = parseProfile(fields[i+1])
		} else {
			known.told = parseProfile(fields[i+1])
		}
		d.put(strings.Clone(player), known.sources)
	}
	if d.cursor = strings.Clone(next); next == "0" {
		d.cursor, d.whole, d.wholeSince, d.wholePages = "", !d.full, d.began, d.pages
	}
	return nil
}
