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

// What a process remembers having written holds for one Redis only. An epoch names that Redis:
// the first process that writes to an empty one begins an epoch, and so does a restore. A
// process that finds its epoch ended forgets everything. It also sets expiry and index once
// more for the day boards that it has written to since it last found that the epoch stands.
//
// The epoch stands among the bans, which every process that writes reads anyway: at its start
// and every 15 minutes. Writes to groups' boards ask for it more often, since nothing else
// shows that these boards are off the index; see [Keys.Prove].

// proofAge is how long a process writes to groups' boards without asking whether
// the epoch stands.
const proofAge = 3 * time.Second

// epoch is what a process knows of the Redis it writes to.
type epoch struct {
	mu    sync.Mutex
	id    string        // "" until one is known
	round uint64        // how many epochs this process has seen end
	asked time.Duration // when Redis was last asked whether it stands
	notes uint64        // counts what was noted in open
	// open are keys written to since the epoch was last found to stand, each with
	// the number of its note.
	open map[DayKey]uint64
	// owed are keys that were written to about the time an epoch ended.
	owed    map[DayKey]struct{}
	waiting bool   // a proof is due that no write brings along
	rules   string // to begin an epoch with, where Redis names none; else ""
}

func newEpoch() *epoch {
	return &epoch{open: map[DayKey]uint64{}, owed: map[DayKey]struct{}{}}
}

// now is the round that a write begins in.
func (e *epoch) now() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.round
}

// mark is taken before the bans are read.
func (e *epoch) mark() (round, upTo uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.round, e.notes
}

// proof is one question whether the epoch stands.
type proof struct {
	round, upTo uint64
	stands      bool
	ended       bool
}

// ask queues the question whether the epoch stands, behind what that is to prove. A process
// that knows no epoch begins one instead.
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

// due reports whether a write should ask: every 3 s where it is to a group's board, and while
// no epoch is known.
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

// read takes in which epochs the bans name. It reports whether this process'
// own has ended.
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

// proved drops what was noted before a proof was asked for.
func (e *epoch) proved(upTo uint64) {
	for key, note := range e.open {
		if note <= upTo {
			delete(e.open, key)
		}
	}
}

// note takes in the keys that a write of some round has written to, and the proof that came
// with the write, if one did. It reports false where the epoch has ended since the write
// began: then the write took something for done that was not done.
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

// end ends the round, unless that has happened.
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

// foundRules takes in whether Redis names rules. If it does not, this process adds its own
// when it begins an epoch.
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

// wait reports whether a proof has to be asked for without a write: one is wanted, and none is
// under way.
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
