package ops

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// noteWithin bounds how long a completed act waits for the audit.
const noteWithin = 2 * time.Second

// Note writes an act into the audit that does not concern one player.
func (c Config) Note(r *gate.Request, action string, detail map[string]any) {
	c.NoteAs(r, playerdata.Act{Action: action}, detail)
}

// NoteAs writes an act into the audit, under its own id or the request's. If there is no
// database, or it does not answer, NoteAs writes to the log. No failure here fails the
// request.
func (c Config) NoteAs(r *gate.Request, did playerdata.Act, detail map[string]any) {
	by := act(r, c.Now())
	did.At, did.Actor = by.At, by.Actor
	if did.ID == "" {
		did.ID = by.ID + " " + did.Action
	}
	if detail != nil {
		did.Detail, _ = json.Marshal(detail) // texts and numbers always marshal
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), noteWithin)
	defer cancel()
	err := c.People.Note(ctx, did)
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
	if !errors.Is(err, playerdata.ErrNoArchive) {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	c.Log.LogAttrs(ctx, slog.LevelInfo, "audit", attrs...)
}
