package notices

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A process remembers what it has written, but that is true of one Redis only. An epoch names
// that Redis. The first process that writes to an empty Redis begins an epoch, and so does a
// restore. A process whose epoch is no longer in Redis forgets everything. It also sets expiry
// and index again for the day boards that it has written to since it last found the epoch.
//
// The epoch is in the set of bans, which every process that writes reads anyway: at its start
// and every 15 minutes. Writes to groups' boards ask for the epoch more often, since nothing
// else shows that these boards are off the index; see [Keys.Prove].

// proofAge is how long a process writes to groups' boards without asking whether Redis still
// has the epoch.
const proofAge = 3 * time.Second

// epoch is what a process knows of the Redis that it writes to.
type epoch struct {
	mu    sync.Mutex
	id    string        // "" until one is known
	round uint64        // how many epochs this process has seen end
	asked time.Duration // when the process last asked Redis for the epoch
	notes uint64        // counts calls of note that have changed open
	// open are keys that were written to since the epoch was last found, each with the number
	// of its note.
	open map[DayKey]uint64
	// owed are keys that were written to about the time at which an epoch ended.
	owed    map[DayKey]struct{}
	waiting bool   // a later call of Prove is scheduled
	rules   string // which a new epoch begins with, if Redis has none; else ""
}

func newEpoch() *epoch {
	return &epoch{open: map[DayKey]uint64{}, owed: map[DayKey]struct{}{}}
}

// now is the round in which a write begins.
func (e *epoch) now() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.round
}

// mark is called before the bans are read.
func (e *epoch) mark() (round, upTo uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.round, e.notes
}

// proof is one question whether Redis still has the epoch.
type proof struct {
	round, upTo uint64
	stands      bool
	ended       bool
}

// ask queues the question whether Redis still has the epoch, after the writes that the answer
// should prove. A process that knows no epoch begins one instead.
func (e *epoch) ask(p *rdb.Pipeline, now time.Duration) *proof {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = now
	asked := &proof{round: e.round, upTo: e.notes}
	if e.id == "" {
		id := rand.Text()
		begin := []string{"SADD", game.BansKey, game.EpochMember(id)}
		if e.rules != "" {
			begin = append(begin, game.RulesMember(e.rules))
		}
		p.Add(upstash.Cmd(begin...).Idempotent(), func(upstash.Reply) error {
			e.adopt(id, asked.round)
			return nil
		})
		return asked
	}
	p.Add(upstash.Cmd("SISMEMBER", game.BansKey, game.EpochMember(e.id)), func(r upstash.Reply) error {
		n, err := r.Int64()
		asked.stands, asked.ended = err == nil && n == 1, err == nil && n == 0
		return err
	})
	return asked
}

// due reports whether a write should ask: always while no epoch is known, and every 3 s if the
// write is to a group's board.
func (e *epoch) due(grouped bool, now time.Duration) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.id == "" || grouped && now-e.asked >= proofAge
}

func (e *epoch) adopt(id string, round uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.id == "" && e.round == round {
		e.id = id
	}
	e.rules = ""
}

// read notes the epochs in the set of bans. It reports whether the process's own has ended.
func (e *epoch) read(ids []string, round, upTo uint64, now time.Duration) (ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.round != round:
		return false
	case e.id != "" && !slices.Contains(ids, e.id):
		return true
	case e.id == "" && len(ids) > 0:
		e.id = slices.Min(ids)
	}
	e.asked = now
	e.proved(upTo)
	return false
}

// proved drops the keys that were noted before the question was asked.
func (e *epoch) proved(upTo uint64) {
	for key, note := range e.open {
		if note <= upTo {
			delete(e.open, key)
		}
	}
}

// note notes the keys that a write has written to, the round in which it began, and the proof
// that it has asked for, if it has. It reports false if the epoch has ended since the write
// began: then the write relied on keys that the new Redis does not have.
func (e *epoch) note(keys []DayKey, round uint64, came *proof) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.round != round || came != nil && came.ended:
		return false
	case came != nil && came.stands:
		e.proved(came.upTo)
		return true
	}
	e.notes++
	for _, key := range keys {
		e.open[key] = e.notes
	}
	return true
}

// end ends the round, unless it has ended already.
func (e *epoch) end(round uint64) (ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.round != round {
		return false
	}
	e.round, e.id = e.round+1, ""
	for key := range e.open {
		e.owed[key] = struct{}{}
	}
	clear(e.open)
	return true
}

func (e *epoch) owe(keys []DayKey) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, key := range keys {
		e.owed[key] = struct{}{}
	}
}

func (e *epoch) debts() (keys []DayKey, round uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for key := range e.owed {
		keys = append(keys, key)
	}
	return keys, e.round
}

func (e *epoch) paid(keys []DayKey, round uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.round != round {
		return
	}
	for _, key := range keys {
		delete(e.owed, key)
	}
}

// foundRules notes whether Redis has rules. If it has none, this process adds its own when it
// begins an epoch.
func (e *epoch) foundRules(found bool, own string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.rules = own; found {
		e.rules = ""
	}
}

// unproved lists the boards that were written to and may be off the index.
func (e *epoch) unproved(of func(DayKey) bool) (keys []DayKey) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for key := range e.open {
		if !key.Details && of(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// wait reports whether a call of Prove has to be scheduled: a proof is due, and no call is
// scheduled yet.
func (e *epoch) wait() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.waiting {
		return false
	}
	for key := range e.open {
		if key.Grouped() {
			e.waiting = true
			return true
		}
	}
	return false
}

func (e *epoch) waited() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = false
}
