package jobs

import (
	"context"
	"net/http"
	"os"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/live"
)

// Live is what streams boards, for a process that lives on: nil on Lambda, where none
// does. What it does is done within a context, and is over when its hub is closed.
func Live(ctx context.Context, a *app.App) *api.Live {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		return nil
	}
	var updates *live.Updates
	if a.Game().LiveChannels {
		updates = &live.Updates{Redis: a.Redis(), Now: a.Now, Log: a.Log()}
	}
	return &api.Live{
		Hub: live.NewHub(live.Options{
			Game: a.Game(), Now: a.Now, Log: a.Log(), Within: ctx, Updates: updates,
			Reader: board.Current{Boards: a.Store().Boards},
			News:   live.Notifications{Redis: a.Redis(), Log: a.Log(), Writers: a.Store().Notices.Deaf},
		}),
		Records: live.NewRecords(live.RecordOptions{
			Now: a.Now, Log: a.Log(), Within: ctx,
			News: live.Notifications{Redis: a.Redis(), Log: a.Log(), Of: live.OfDuels},
		}),
		Seats: live.NewSeats(0, 0),
	}
}

// RunLive serves boards and their streams, on a host that runs containers, from the
// process's environment. It does not return.
func RunLive() {
	serve(func(p *Product) http.Handler { return p.Live(Live(context.Background(), p.app)) }, NewProduct)
}
