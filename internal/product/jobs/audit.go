package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/game"
)

// AuditRecord is the record of what submissions did; nil without an archive.
func AuditRecord(kept *archive.Archive) audit.Reader {
	if kept == nil {
		return nil
	}
	return auditstore.In(kept)
}

// astrayOf returns nil for a game without a record of what submissions do.
func astrayOf(g *game.Game, kept *archive.Archive) func(context.Context) (rows, most int64, err error) {
	if !audit.RulesOf(g).Enabled() {
		return nil
	}
	return func(ctx context.Context) (rows, most int64, err error) {
		rows, err = auditstore.In(kept).Astray(ctx)
		return rows, auditstore.MostAstray, err
	}
}
