package ops

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/people"
)

// acts note what an operator has done, but for removals, which note themselves.
type acts struct {
	now   func() time.Time
	log   *slog.Logger
	audit Lists
}

// noteWithin bounds how long an act that is done waits for the audit.
const noteWithin = 2 * time.Second

// note puts an act into the audit that is not to a player.
func (a acts) note(r *gate.Request, action string, detail map[string]any) {
	a.noteAs(r, people.Act{Action: action}, detail)
}

// noteAs puts an act into the audit, under the name it has or the request's; where there
// is no database, or it does not answer, into the log. Nothing of this fails the request.
func (a acts) noteAs(r *gate.Request, did people.Act, detail map[string]any) {
	by := act(r, a.now())
	did.At, did.Actor = by.At, by.Actor
	if did.ID == "" {
		did.ID = by.ID + " " + did.Action
	}
	if detail != nil {
		did.Detail, _ = json.Marshal(detail) // texts and numbers always marshal
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), noteWithin)
	defer cancel()
	err := a.audit.Note(ctx, did)
	if err == nil {
		return
	}
	attrs := []slog.Attr{slog.String("action", did.Action), slog.String("actor", did.Actor), slog.String("id", did.ID), slog.Time("at", did.At)}
	if did.Player != "" {
		attrs = append(attrs, slog.String("player", did.Player), slog.String("mode", did.Mode), slog.String("date", did.Date))
	}
	for name, value := range detail {
		attrs = append(attrs, slog.Any(name, value))
	}
	if !errors.Is(err, people.ErrNoArchive) {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	a.log.LogAttrs(ctx, slog.LevelInfo, "audit", attrs...)
}
