package jobs

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Live makes the streams of boards, for a process that lives on; nil on Lambda. Its work ends
// with ctx, and is finished when its hub is closed.
func Live(ctx context.Context, a *app.App) *live.Live {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		return nil
	}
	var updates *live.Updates
	if a.Game().LiveChannels {
		updates = &live.Updates{Redis: a.Redis(), Now: a.Now, Log: a.Log()}
	}
	return &live.Live{
		Hub: live.NewHub(live.Options{
			Game: a.Game(), Now: a.Now, Log: a.Log(), Within: ctx, Updates: updates,
			Reader: leaderboard.Current{Boards: a.Store().Boards},
			News:   live.Notifications{Redis: a.Redis(), Log: a.Log(), Announced: a.Game().Live},
		}),
		Records: live.NewRecords(live.RecordOptions{
			Now: a.Now, Log: a.Log(), Within: ctx,
			News: live.Notifications{Redis: a.Redis(), Log: a.Log(), Of: live.OfDuels},
		}),
		Seats: live.NewSeats(0, 0),
	}
}

// tellEvery is how often the cost of viewers is added to the counters.
const tellEvery = time.Minute

// countedLive is Live with its cost among the counters.
func countedLive(a *app.App) *live.Live {
	within, tell := a.Watch("live").Ongoing(context.Background())
	l := Live(within, a)
	if l != nil {
		go func() {
			for range time.Tick(tellEvery) { // as long as the process lives
				tell()
			}
		}()
	}
	return l
}

// RunLive serves boards and their streams, on a host for containers, configured by the
// process's environment. It does not return.
func RunLive(by app.Linked) {
	serve(by, func(p *Product) http.Handler {
		return p.Function("leaderboard", Around{Live: countedLive(p.app)})
	})
}
