package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/client"
)

// atOnce is how many players are introduced in parallel.
const atOnce = 4

// duelsADay is how many duels each day of the past has.
const duelsADay = 10

// Past plays the days before today, and a third of today, through the product itself: it moves
// the clock from day to day, imports scores as an operator does, and closes each day with its
// schedule. The product's own schedules must not follow the clock meanwhile. In the end the
// clock is the machine's again.
func (d *Demo) Past(ctx context.Context) (err error) {
	defer func() {
		// The clock must not stay in the past, whatever went wrong.
		if back := d.local.SetClock(context.WithoutCancel(ctx), time.Time{}); err == nil {
			err = back
		}
	}()
	now := d.Now().UTC()
	today := now.Truncate(24 * time.Hour)
	for n := d.Days; n > 0; n-- {
		day := today.AddDate(0, 0, -n)
		// At the last hour of the date all its plays are in the past.
		if err := d.local.SetClock(ctx, day.Add(23*time.Hour)); err != nil {
			return err
		}
		if n == d.Days {
			if err := d.open(ctx, day); err != nil {
				return err
			}
		}
		all := arrivals(d.Seed, dateOf(day), d.people, d.game.Modes)
		if err := d.record(ctx, all, dateOf(day), func(at float64) time.Time { return day.Add(time.Duration(at * float64(23*time.Hour))) }); err != nil {
			return err
		}
		if err := d.happen(ctx, d.acts(dateOf(day), day, 0.95), day.Add(23*time.Hour)); err != nil {
			return err
		}
		if err := d.duels(ctx, dateOf(day), duelsADay); err != nil {
			return err
		}
		if err := d.close(ctx, day, now); err != nil {
			return err
		}
	}
	if err := d.local.SetClock(ctx, time.Time{}); err != nil {
		return err
	}
	if d.Days == 0 {
		if err := d.introduce(ctx); err != nil {
			return err
		}
	}
	if err := d.befriend(ctx); err != nil {
		return err
	}
	all := d.today(dateOf(now))
	standing, so := all[:len(all)/3], now.Sub(today)
	if len(standing) > 0 {
		// Spread over the part of today that has passed, in the proportions of the curve.
		last := max(standing[len(standing)-1].at, 1e-9)
		at := func(at float64) time.Time { return today.Add(time.Duration(at / last * float64(so) * 0.99)) }
		if err := d.record(ctx, standing, dateOf(now), at); err != nil {
			return err
		}
	}
	if err := d.happen(ctx, d.acts(dateOf(now), today, 0.99*now.Sub(today).Hours()/24), now); err != nil {
		return err
	}
	return d.local.Fire(ctx, "cron-save", now)
}

// open begins the first day. It runs the week's schedule once before the day's schedule, which
// checks for missed runs.
func (d *Demo) open(ctx context.Context, day time.Time) error {
	if err := d.introduce(ctx); err != nil {
		return err
	}
	return d.local.Fire(ctx, "cron-weekly", day.Add(23*time.Hour))
}

// today returns today's arrivals of everybody but the guest.
func (d *Demo) today(date string) []arrival {
	return arrivals(d.Seed, date, append([]Person{{}}, d.people[1:]...), d.game.Modes)
}

// introduce sets the name and country of every player.
func (d *Demo) introduce(ctx context.Context) error {
	tasks := make(chan Person)
	errs := make(chan error, atOnce)
	for range atOnce {
		go func() {
			var first error
			for who := range tasks {
				if first == nil {
					first = d.introduceOne(ctx, who)
				}
			}
			errs <- first
		}()
	}
	for _, who := range d.people {
		tasks <- who
	}
	close(tasks)
	var first error
	for range atOnce {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}

func (d *Demo) introduceOne(ctx context.Context, who Person) error {
	body, err := json.Marshal(map[string]string{"name": who.Name, "country": who.Country})
	if err != nil {
		return err
	}
	return d.as(ctx, who, http.MethodPatch, "/v1/me", string(body))
}

// record sends plays as an operator's import, with the time of each.
func (d *Demo) record(ctx context.Context, all []arrival, date string, at func(float64) time.Time) error {
	random := randomOf(d.Seed, "record "+date)
	for len(all) > 0 {
		part := all[:min(len(all), client.MaxBatch/2)] // with details, 500 are some 100 KB
		all = all[len(part):]
		var b client.Batch
		for _, a := range part {
			s := submission(random, d.people[a.person], d.game.Modes[a.mode], date)
			s.Country = d.people[a.person].Country
			s.PlayedAt = at(a.at)
			b.Scores = append(b.Scores, s)
		}
		results, err := d.importer.SubmitBatch(ctx, b)
		if err != nil {
			return err
		}
		for i, r := range results {
			if r.Problem != nil {
				return fmt.Errorf("%s of %s on %s: %w", b.Scores[i].Mode, b.Scores[i].Player, date, r.Problem)
			}
			d.Played(Play{b.Scores[i].Mode, date, b.Scores[i].Player, b.Scores[i].Score, r.Status})
		}
	}
	return nil
}

// close runs the schedules of the night after a date, a little apart as in a deployment, and
// none later than now. If days are local, the date is over everywhere at noon.
func (d *Demo) close(ctx context.Context, day, now time.Time) error {
	over := day.Add(24 * time.Hour)
	if d.game.Day == "local" {
		over = over.Add(12 * time.Hour)
	}
	for _, s := range []struct {
		function string
		after    time.Duration
	}{{"cron-save", 19 * time.Minute}, {"cron-daily", 20 * time.Minute}, {"cron-weekly", 30 * time.Minute}} {
		at := over.Add(s.after)
		if at.After(now) {
			at = now
		}
		if err := d.local.SetClock(ctx, at); err != nil {
			return err
		}
		if err := d.local.Fire(ctx, s.function, at); err != nil {
			return err
		}
	}
	return nil
}

// duels makes pairs of players meet, and decides as the game's server.
func (d *Demo) duels(ctx context.Context, date string, number int) error {
	random := randomOf(d.Seed, "duels "+date)
	for n := range number {
		if err := d.duel(ctx, random, fmt.Sprintf("demo-%s-%d", date, n)); err != nil {
			return err
		}
	}
	return nil
}

func (d *Demo) duel(ctx context.Context, random *rand.Rand, id string) error {
	if !d.has("duels") {
		return nil
	}
	a := random.IntN(len(d.people))
	b := (a + 1 + random.IntN(len(d.people)-1)) % len(d.people)
	one, other := d.people[a], d.people[b]
	if _, err := d.server.MakeDuel(ctx, client.NewDuel{ID: id, Players: [2]string{one.ID, other.ID}, IdempotencyKey: client.NoKey}); err != nil {
		return err
	}
	o := client.Outcome{Winner: one.ID, Rounds: &[2]int{3, random.IntN(3)}}
	switch luck := one.skill - other.skill + 0.4*random.NormFloat64(); {
	case luck < -0.03:
		o = client.Outcome{Winner: other.ID, Rounds: &[2]int{random.IntN(3), 3}}
	case luck < 0.03:
		o = client.Outcome{Rounds: &[2]int{2, 2}}
	}
	_, err := d.server.DecideDuel(ctx, id, o)
	return err
}

// befriend gives the guest some friends, a player who waits for her answer and one who
// challenges her, and makes others friends of each other.
func (d *Demo) befriend(ctx context.Context) error {
	others := slices.Clone(d.people[1:])
	// The keenest players, so that a board of friends is never empty for long.
	slices.SortStableFunc(others, func(a, b Person) int { return cmp.Compare(b.keen, a.keen) })
	if d.has("duels") {
		who := others[len(others)-1]
		if err := d.as(ctx, who, http.MethodPost, "/v1/duels", fmt.Sprintf(`{"opponent":%q}`, Guest.ID)); err != nil {
			return err
		}
	}
	if !d.has("friends") {
		return nil
	}
	pairs := [][2]Person{}
	for i, who := range others[:min(len(others), 8)] {
		pairs = append(pairs, [2]Person{Guest, who})
		pairs = append(pairs, [2]Person{who, others[(i+1)%len(others)]})
	}
	for _, pair := range pairs {
		if pair[0].ID == pair[1].ID {
			continue
		}
		for i, who := range pair { // if both ask, both are friends
			if err := d.as(ctx, who, http.MethodPost, "/v1/friends/requests", fmt.Sprintf(`{"player":%q}`, pair[1-i].ID)); err != nil {
				return err
			}
		}
	}
	if len(others) > 9 {
		return d.as(ctx, others[9], http.MethodPost, "/v1/friends/requests", fmt.Sprintf(`{"player":%q}`, Guest.ID))
	}
	return nil
}
