package duel

import "github.com/framedle/leaderboards/internal/lifecycle/playerdata"

// ExportSteady is what duels cost in an export.
var ExportSteady = playerdata.Cost{One: 4, None: 3}
