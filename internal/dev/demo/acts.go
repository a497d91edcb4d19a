package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/framedle/leaderboards/client"
)

// Act is a type of event, in a game whose scores are computed from what players do.
type Act struct {
	Type string
	Who  []string // from and to, user, or users
}

// actsADay is how many events a player causes on a day, at most.
const actsADay = 8

// acts returns a day's events, spread over the part of it that has passed, from 0 to 1.
func (d *Demo) acts(date string, day time.Time, passed float64) (all []client.Event) {
	if len(d.Acts) == 0 {
		return nil
	}
	random := randomOf(d.Seed, "acts "+date)
	for p, person := range d.people {
		if random.Float64() >= person.keen {
			continue
		}
		for n := range 1 + random.IntN(actsADay) {
			at := hour(random) * passed
			all = append(all, d.act(random, p, fmt.Sprintf("demo-%s-%d-%d", date, p, n), day.Add(time.Duration(at*float64(24*time.Hour)))))
		}
	}
	return all
}

// act makes an event of a player, and of another one of the same group if it takes two.
func (d *Demo) act(random *rand.Rand, person int, id string, at time.Time) client.Event {
	groups := d.game.Groups
	if len(groups) == 0 {
		groups = []string{"demo"}
	}
	act := d.Acts[random.IntN(len(d.Acts))]
	e := client.Event{ID: id, Type: act.Type, At: at, Group: groups[person%len(groups)]}
	other := (person + len(groups)*(1+random.IntN(3))) % len(d.people)
	if other == person {
		other = (person + 1) % len(d.people)
	}
	one, two := d.people[person].ID, d.people[other].ID
	switch {
	case slices.Contains(act.Who, "to"):
		e.From, e.To = one, two
	case slices.Contains(act.Who, "users"):
		e.Users, e.Winner = []string{one, two}, one
	default:
		e.User = one
	}
	return e
}

// happen sends events, and has the boards of their days computed.
func (d *Demo) happen(ctx context.Context, all []client.Event, now time.Time) error {
	if len(all) == 0 {
		return nil
	}
	for part := range slices.Chunk(all, client.MaxEvents) {
		r, err := d.server.SendEvents(ctx, part)
		if err != nil {
			return err
		}
		if len(r.Refused) > 0 {
			refused := r.Refused[0]
			return fmt.Errorf("event %s of %s: %s", part[refused.Index].Type, part[refused.Index].At, refused.Detail)
		}
	}
	return d.local.Fire(ctx, "compute", now)
}
