package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/people"
)

// acts note what an operator has done that is not to a player: what is, notes itself.
type acts struct {
	kernel
	audit OperatorLists
}

// noteWithin bounds how long an act that is done waits for the audit.
const noteWithin = 2 * time.Second

// note puts an act into the audit; where there is no database, or it does not answer, into
// the log. The act is done, so nothing of this fails the request.
func (a acts) note(r *request, action string, detail map[string]any) {
	by := act(r, operatorName, a.now())
	var text json.RawMessage
	if detail != nil {
		text, _ = json.Marshal(detail) // texts and numbers always marshal
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), noteWithin)
	defer cancel()
	err := a.audit.Note(ctx, people.Act{ID: by.ID + " " + action, At: by.At, Actor: by.Actor, Action: action, Detail: text})
	if err == nil {
		return
	}
	attrs := []slog.Attr{slog.String("action", action), slog.String("actor", by.Actor), slog.String("id", by.ID)}
	for name, value := range detail {
		attrs = append(attrs, slog.Any(name, value))
	}
	if !errors.Is(err, people.ErrNoArchive) {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	a.log.LogAttrs(ctx, slog.LevelInfo, "audit", attrs...)
}
