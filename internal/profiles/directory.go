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
	// profileFresh is the least time for which a process relies on a profile.
	profileFresh = 15 * time.Minute
	// profilesPage is the COUNT of an HSCAN. Redis counts slots of its hash table, of which
	// usually at least half are used, so a page has up to some 5,000 records: up to 600 KB, and
	// 4 ms of a processor.
	profilesPage = 5000
	// pageLife, times the number of pages, is how long a process relies on a profile if there
	// are more than 3 pages.
	pageLife = 5 * time.Minute
	// pageWait is how long a process waits for a page before it asks for the page again: the
	// request that asked may have failed.
	pageWait = 2 * time.Second
)

// Directory is what a process knows of players' profiles. Each question about players costs a
// command. To ask less often, the process reads all profiles, page by page, one page with each
// question but the first. In a game that is known to have few players the first page replaces
// the first question. If there are more profiles than the process can remember, or if the
// deployment spares bytes, the process reads no pages and only asks.
//
// The process relies on a profile for 15 minutes; if there are more than 3 pages, for 5 minutes
// for each page. So to know all profiles anew, it reads at most one page in 5 minutes.
type Directory struct {
	elapsed func() time.Duration
	asks    bool // the deployment spares bytes: the process only asks, and reads no pages

	mu    sync.Mutex
	known *lru.Cache[string, knownProfile]
	asked int  // questions since the process began
	full  bool // there are more profiles than known holds, so no pages are read

	cursor  string        // of the reading in progress; "": none is
	pages   int           // that this reading, or else the last one, has read
	began   time.Duration // when this reading began
	waiting time.Duration // when the process asked for the page that it waits for; 0: it waits for none

	whole      bool          // a reading has ended, so the process knows every player with a profile
	wholeSince time.Duration // when that reading began
	wholePages int           // how many pages it read
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

// show fills in the profiles that the process still relies on, and lists the other players.
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
		case whole: // the player has no profile: the reading would have found it
			e.Profile = game.Profile{}
		default:
			unknown = append(unknown, e.Player)
		}
	}
	return unknown
}

// Stored is the last that this process knows of a player's profile in Redis, however old that
// is. It reports false if the process knows nothing.
func (d *Directory) Stored(player string) (sources, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.known.Peek(player)
	if d.whole && d.elapsed()-d.wholeSince <= d.life() && (!ok || known.at < d.wholeSince) {
		return sources{}, true
	}
	return known.sources, ok
}

// Learn remembers a profile that was read or written. It copies the player's id, because the
// id may be a part of a long answer that would then stay in memory.
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

// IsWhole reports whether the process has read the profiles of all players.
func (d *Directory) IsWhole() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.whole
}

// advance queues the next page with a question, from the second question on: a process that
// has asked once may never ask again.
func (d *Directory) advance(p *rdb.Pipeline) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.asked > 1 {
		d.ask(p)
	}
}

// refreshes queues a page in place of a question, and reports whether it did: if all profiles
// fit in one page or, in a process that has read no page, if there are few players. Once the
// page was read, it calls then.
func (d *Directory) refreshes(p *rdb.Pipeline, few bool, then ...func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.whole && d.wholePages == 1 || few && d.pages == 0 {
		return d.ask(p, then...)
	}
	return false
}

// ask queues the next page, unless none is due, and reports whether it did. Once the page was
// read, it calls then.
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

// turn remembers the profiles of a page, and notes the cursor of the next.
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
		return nil // the page was asked for twice, or a loss of Redis has ended its reading
	}
	d.waiting = 0
	d.pages++
	for i := 0; i < len(fields); i += 2 {
		player, own := strings.CutPrefix(fields[i], game.OwnProfile(""))
		known, _ := d.known.Peek(player)
		if known.at < d.began { // older than the page; what was learnt since then is as new
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
