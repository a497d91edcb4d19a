// Command ingest is the function ingest, on Lambda.
package main

import (
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
)

func main() {
	app.RunQueue(func(a *app.App) host.QueueFunc { return a.Ingest().Take })
}
