// Command ingest is the function ingest, on Lambda.
package main

import (
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/host"
)

func main() {
	app.RunQueue(func(a *app.App) host.QueueFunc { return a.Ingest().Take })
}
