package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/framedle/leaderboards/client"
)

// How fast the rest of a day is played: for two minutes a play each second, so that a viewer
// sees boards move, then slower. A minute has at most 60 plays and 4 duels.
const (
	quick      = time.Second
	quickPlays = 120
	slow       = 3 * time.Second
	duelEvery  = 15              // plays
	afterwards = 5 * time.Second // pause after a play that could not be sent
)

// Live sends the plays of the rest of today's players, and of the following days, until ctx
// ends. When all players of a day have played, those play again for whom the best play counts.
func (d *Demo) Live(ctx context.Context) {
	date := dateOf(d.Now())
	rest := d.today(date)
	rest = rest[len(rest)/3:]
	random := randomOf(d.Seed, "live "+date)
	for n := 1; ; n++ {
		wait := quick
		if n > quickPlays {
			wait = slow
		}
		if d.Wait(ctx, wait) != nil {
			return
		}
		if today := dateOf(d.Now()); today != date {
			date, rest, random = today, d.today(today), randomOf(d.Seed, "live "+today)
		}
		var err error
		switch {
		case n%duelEvery == 0:
			err = d.duel(ctx, random, fmt.Sprintf("demo-live-%s-%d", date, n))
		case len(rest) > 0:
			next := 0
			if n <= quickPlays && n%2 == 0 {
				// The board that a page shows first gets the most plays.
				next = max(0, slices.IndexFunc(rest, func(a arrival) bool { return a.mode == 0 }))
			}
			err = d.send(ctx, submission(random, d.people[rest[next].person], d.game.Modes[rest[next].mode], date))
			rest = slices.Delete(rest, next, next+1)
		case len(d.Acts) > 0:
			id := fmt.Sprintf("demo-live-%s-%d", date, n)
			err = d.happen(ctx, []client.Event{d.act(random, random.IntN(len(d.people)), id, d.Now())}, d.Now())
		default:
			err = d.improve(ctx, random, date)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			d.Failed(err)
			if d.Wait(ctx, afterwards) != nil {
				return
			}
		}
	}
}

// improve makes a player play again in a mode of policy best.
func (d *Demo) improve(ctx context.Context, random *rand.Rand, date string) error {
	again := slices.IndexFunc(d.game.Modes, func(m client.Mode) bool { return m.Policy == "best" })
	if again < 0 {
		return nil
	}
	who := d.people[1+random.IntN(len(d.people)-1)]
	return d.send(ctx, submission(random, who, d.game.Modes[again], date))
}
