package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Report is what a run did.
type Report struct {
	Published int                `json:"published"` // boards whose new top the others can see
	Taken     int                `json:"taken"`     // boards copied from other sites
	Made      int                `json:"made"`      // boards of the world that were made
	Sites     map[string]Outcome `json:"sites,omitempty"`
}

// Outcome is the result of reading another site.
type Outcome struct {
	AgeSeconds int64  `json:"age_s"`             // of what is known of it; -1: nothing is known
	Problem    string `json:"problem,omitempty"` // why it is not newer
}

// run is one run of a merge.
type run struct {
	*Merge
	db     *redis.DB
	rules  *Rules
	began  time.Time
	report Report

	states map[string]string            // board -> the published state
	made   map[string]string            // board -> what the board of the world is made of
	noted  map[string]string            // see NotedKey
	news   []string                     // fields and values to note at the end
	sites  map[string]string            // what the last run knew of each site
	copies map[string]map[string]string // site -> board -> record of the copy
	copied map[string]bool              // boards of which this run has copied an entry
	closed string                       // a digest of the marks of closed days
	means  map[string]string            // mode -> rulesOf
}

// Run publishes the site's own boards that have changed, copies those of the others that have
// changed, and makes the boards of the world from both. If a site does not answer, or answers
// an older state, its present copies stay. If a run is cut off, the next one finishes it;
// concurrent runs do no harm.
//
// Cost, where nothing has changed: 7 billed commands and 2 for each other site, of which 1
// there, and 2 for each mode and date that takes scores or did in the last day; once an hour 2
// for each other board that takes scores, with their refreshes, and once a day for those that
// take none.
func (m *Merge) Run(ctx context.Context) (Report, error) {
	db := m.Boards.DB
	r := &run{Merge: m, db: db, rules: RulesOf(db.Game), began: db.Now(), means: map[string]string{}}
	r.report.Sites = map[string]Outcome{}
	if r.rules == nil {
		return r.report, nil
	}
	for _, mode := range db.Game.Modes {
		r.means[mode.Name] = meaningOf(db.Game, mode)
	}
	if err := r.read(ctx); err != nil {
		return r.report, redis.Wrap("read what the last merge has left", err)
	}
	looked := r.look(ctx)
	if err := r.note(ctx, looked == nil); err != nil {
		return r.report, errors.Join(looked, err)
	}
	seen := r.take(ctx)
	return r.report, errors.Join(looked, r.unite(ctx), r.leave(ctx, seen))
}

// read reads everything that the last run left.
func (r *run) read(ctx context.Context) error {
	r.copies, r.copied = map[string]map[string]string{}, map[string]bool{}
	var p redis.Pipeline
	into := func(key string, take func(map[string]string)) {
		p.Add(upstash.Cmd("HGETALL", key), redis.FieldsInto(func(f map[string]string) error {
			take(f)
			return nil
		}))
	}
	into(StateKey, func(f map[string]string) { r.states = f })
	into(MadeKey, func(f map[string]string) { r.made = f })
	into(NotedKey, func(f map[string]string) { r.noted = f })
	into(SitesKey, func(f map[string]string) { r.sites = f })
	into(game.ClosedKey, func(f map[string]string) {
		delete(f, game.ListedField) // not a mark of a day
		sum := sha256.New()
		for _, field := range slices.Sorted(maps.Keys(f)) {
			_, _ = fmt.Fprintf(sum, "%q %q ", field, f[field])
		}
		r.closed = hex.EncodeToString(sum.Sum(nil)[:16])
	})
	for _, o := range r.Others {
		into(CopiesKey(o.Name), func(f map[string]string) { r.copies[o.Name] = f })
	}
	_, err := p.Run(ctx, r.db.Redis)
	return err
}

// hash reads a whole hash of any site's Redis.
func hash(ctx context.Context, client *upstash.Client, key string) (fields map[string]string, err error) {
	var p redis.Pipeline
	p.Add(upstash.Cmd("HGETALL", key), redis.FieldsInto(func(f map[string]string) error {
		fields = f
		return nil
	}))
	_, err = p.Run(ctx, client)
	return fields, err
}

// rulesOf identifies what the stored scores of a mode mean.
func (r *run) rulesOf(m *game.Mode) string { return r.means[m.Name] }

func meaningOf(g *game.Game, m *game.Mode) string {
	sum := sha256.New()
	rules := ruleset.Of(g)
	for _, path := range slices.Sorted(maps.Keys(rules)) {
		if of, key, _ := strings.Cut(strings.TrimPrefix(path, "modes."), "."); of == m.Name && slices.Contains(meaning, key) {
			_, _ = fmt.Fprintf(sum, "%q %q ", key, rules[path])
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// meaning are the rules of a mode that decide how its scores compare.
var meaning = []string{"policy", "order", "decimals", "aggregate", "decay"}

// boardOf returns the board of a key, if the site merges it at present.
func (r *run) boardOf(key string) (game.Board, bool) {
	name, p, scope, err := r.db.Game.ParseBoardKey(key)
	if err != nil || scope != (game.Scope{}) {
		return game.Board{}, false
	}
	m, ok := r.db.Game.Mode(name)
	if age := r.db.Age(p); !ok || !r.rules.Merges(m, p.Kind()) || age == game.Expired || age == game.Upcoming {
		return game.Board{}, false
	}
	return game.BoardOf(m, p, scope), true
}

// Fields of the hash of what merges have noted.
const (
	notedClosed = "closed" // the digest of the marks when all boards were looked at
	notedDate   = "date"   // and the date then
	notedMode   = "mode:"  // when all of a mode's boards were looked at
)

// mostLooked is how long boards that follow from days are skipped while no day's top changes.
// They may change all the same: all time may decay, or may have lost a day that has left
// Redis.
const mostLooked = time.Hour

// late is how long after its end and grace a day is still looked at in each run.
const late = 24 * time.Hour

// look publishes the boards that have changed.
func (r *run) look(ctx context.Context) (failed error) {
	date := r.db.Game.Today(r.began).String()
	back := r.noted[notedClosed] != r.closed || r.noted[notedDate] != date // a closed day was written to, or a new date began
	for _, m := range r.db.Game.Modes {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.lookAt(ctx, m, back); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	if back {
		if err := r.lookBack(ctx); err != nil {
			return errors.Join(failed, err)
		}
		r.news = append(r.news, notedClosed, r.closed, notedDate, date)
	}
	return failed
}

// lookAt publishes those boards of a mode that have changed and take scores, or did lately. It
// skips the boards that follow from days (unless all is set) if every day's top is its whole
// board and no day has changed lately: neither in this run, nor so shortly before the last one
// that the last one may have seen a refresh from before the change.
func (r *run) lookAt(ctx context.Context, m *game.Mode, all bool) error {
	var f redis.Fields
	before := f.Whole(r.noted[notedMode+m.Name])
	newest, whole := int64(0), r.rules.Merges(m, game.Day)
	var others []game.Board
	var every time.Duration // the longest refresh interval of others
	for _, d := range r.dates() {
		for _, p := range append([]game.Period{game.Day.Of(d)}, r.db.Game.PeriodsOf(d)...) {
			b := game.BoardOf(m, p, game.Scope{})
			switch {
			case !r.rules.Merges(m, p.Kind()) || slices.ContainsFunc(others, func(o game.Board) bool { return o.Key == b.Key }):
				continue
			case p.Kind() != game.Day:
				others = append(others, b)
				every = max(every, r.Boards.Rollup.Every(b))
				continue
			}
			if err := r.publish(ctx, b); err != nil {
				return err
			}
			s, err := parse[State]("a state", r.states[b.Key])
			if err != nil {
				return err
			}
			newest, whole = max(newest, s.Stamp), whole && s.Players == s.Top
		}
	}
	if !all && whole && newest < before-every.Milliseconds() && r.began.UnixMilli()-before < mostLooked.Milliseconds() {
		return nil
	}
	for _, b := range others {
		if err := r.publish(ctx, b); err != nil {
			return err
		}
	}
	r.news = append(r.news, notedMode+m.Name, redis.Itoa(r.began.UnixMilli()))
	return f.Err
}

// dates returns the dates that take scores or did in the last day, newest first.
func (r *run) dates() (dates []game.Date) {
	g := r.db.Game
	for d := g.Today(r.began).AddDays(1); r.began.Before(g.Ends(game.Day.Of(d)).Add(g.Grace + late)); d = d.AddDays(-1) {
		if !r.began.Before(g.Opens(d)) {
			dates = append(dates, d)
		}
	}
	return dates
}

// lookBack publishes those boards that have changed and take no more scores.
func (r *run) lookBack(ctx context.Context) error {
	for _, key := range slices.Sorted(maps.Keys(r.made)) {
		b, ok := r.boardOf(key)
		if !ok || r.db.Age(b.Period) < game.Closed {
			continue
		}
		if err := r.publish(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// note publishes that the site has looked, unless it could not look everywhere, and
// deletes the records of boards that have expired.
func (r *run) note(ctx context.Context, whole bool) error {
	var p redis.Pipeline
	if whole {
		r.states[LookedField] = redis.Itoa(r.began.UnixMilli())
		p.Add(upstash.Cmd("HSET", StateKey, LookedField, r.states[LookedField]).Idempotent(), nil)
	}
	if len(r.news) > 0 {
		p.Add(upstash.Cmd(append([]string{"HSET", NotedKey}, r.news...)...).Idempotent(), nil)
	}
	r.drop(&p, StateKey, r.states)
	r.drop(&p, MadeKey, r.made)
	for name, copies := range r.copies {
		r.drop(&p, CopiesKey(name), copies)
	}
	_, err := p.Run(ctx, r.db.Redis)
	return redis.Wrap("note that the site has looked", err)
}

// drop deletes the fields of expired boards from a hash.
func (r *run) drop(p *redis.Pipeline, key string, fields map[string]string) {
	var gone []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		_, period, _, err := r.db.Game.ParseBoardKey(field)
		if err == nil && r.db.Age(period) == game.Expired {
			gone = append(gone, field)
			delete(fields, field)
		}
	}
	if len(gone) > 0 {
		p.Add(upstash.Cmd(append([]string{"HDEL", key}, gone...)...).Idempotent(), nil)
	}
}

// take copies from all other sites at once what has changed there, and returns what is then
// known of each site.
func (r *run) take(ctx context.Context) map[string]siteState {
	var f redis.Fields
	seen := map[string]siteState{r.Name: {Own: true, Looked: f.Whole(r.states[LookedField])}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, o := range r.Others {
		wg.Go(func() {
			was, err := parse[siteState]("what is known of a site", r.sites[o.Name])
			t := taking{run: r, from: o, before: was.Looked, copies: r.copies[o.Name]}
			var looked int64
			if err == nil {
				looked, err = t.all(ctx)
			}
			mu.Lock()
			defer mu.Unlock()
			r.report.Taken += len(t.taken)
			for _, key := range t.taken {
				r.copied[key] = true
			}
			now := siteState{Looked: max(looked, was.Looked)}
			if err != nil {
				now.Problem = err.Error()
			}
			seen[o.Name] = now
			outcome := Outcome{AgeSeconds: -1, Problem: now.Problem}
			if now.Looked > 0 {
				outcome.AgeSeconds = max(0, r.began.UnixMilli()-now.Looked) / 1000
			}
			r.report.Sites[o.Name] = outcome
		})
	}
	wg.Wait()
	return seen
}

// leave notes what is known of the sites, and deletes what is kept of sites that are no longer
// configured.
func (r *run) leave(ctx context.Context, seen map[string]siteState) error {
	var p redis.Pipeline
	set := []string{"HSET", SitesKey}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		set = append(set, name, textOf(seen[name]))
	}
	p.Add(upstash.Cmd(set...).Idempotent(), nil)
	for _, name := range slices.Sorted(maps.Keys(r.sites)) {
		if _, there := seen[name]; there {
			continue
		}
		if err := r.forget(ctx, &p, name); err != nil {
			return err
		}
	}
	_, err := p.Run(ctx, r.db.Redis)
	return redis.Wrap("note what is known of the sites", err)
}

// forget deletes a site that is no longer configured, and its copies.
func (r *run) forget(ctx context.Context, p *redis.Pipeline, name string) error {
	copies, err := hash(ctx, r.db.Redis, CopiesKey(name))
	if err != nil {
		return err
	}
	gone := []string{"UNLINK", CopiesKey(name)}
	for _, key := range slices.Sorted(maps.Keys(copies)) {
		gone = append(gone, CopyKey(name, key), ShownKey(name, key))
	}
	p.Add(upstash.Cmd(gone...).Idempotent(), nil)
	p.Add(upstash.Cmd("HDEL", SitesKey, name).Idempotent(), nil)
	return nil
}
