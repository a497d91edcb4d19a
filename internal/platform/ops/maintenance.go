package ops

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
)

// longestMaintenance bounds how long a forgotten maintenance stops writes.
const longestMaintenance = 7 * 24 * time.Hour

// maintaining are the endpoints of maintenance.
type maintaining struct{ Config }

// maintenanceAnswer says whether writes wait.
type maintenanceAnswer struct {
	On     bool   `json:"on"`
	Since  string `json:"since,omitempty"`
	Until  string `json:"until,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Everywhere is when every process has noticed the change.
	Everywhere string `json:"everywhere,omitempty"`
}

func newMaintenanceAnswer(m control.Maintenance) maintenanceAnswer {
	text := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	return maintenanceAnswer{On: true, Since: text(m.Since), Until: text(m.Until), Reason: m.Reason, Everywhere: text(m.Since.Add(control.NoticedWithin))}
}

// GetMaintenance reads whether writes wait: GET /v1/ops/maintenance.
func (m maintaining) GetMaintenance(w http.ResponseWriter, r *gate.Request) error {
	is, on, err := m.Notices.Maintenance(r.Context())
	if err != nil {
		return err
	}
	if !on {
		return respond.JSON(w, r.Request, http.StatusOK, maintenanceAnswer{})
	}
	return respond.JSON(w, r.Request, http.StatusOK, newMaintenanceAnswer(is))
}

// PutMaintenance begins a maintenance: PUT /v1/ops/maintenance. If one is on already, its
// beginning stays.
func (m maintaining) PutMaintenance(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	until, hasUntil := f.Text("until", decode.Required)
	reason, _ := f.Text("reason", decode.Optional)
	if utf8.RuneCountInString(reason) > maxReason || strings.ContainsRune(reason, 0) {
		f.Fault("reason", fmt.Sprintf("this must be up to %d characters, without NUL", maxReason))
	}
	now := m.Now()
	end, timeErr := time.Parse(time.RFC3339, until)
	if hasUntil && (timeErr != nil || !end.After(now) || end.After(now.Add(longestMaintenance))) {
		f.Fault("until", "must be in the future, at most 7 days ahead, e.g. "+now.Add(time.Hour).UTC().Format(time.RFC3339))
	}
	if err := f.Done(); err != nil {
		return err
	}
	is, err := m.Notices.Maintain(r.Context(), control.Maintenance{Since: now.UTC(), Until: end.UTC(), Reason: reason})
	if err != nil {
		return err
	}
	m.Note(r, "maintenance", map[string]any{"until": is.Until.UTC().Format(time.RFC3339), "reason": is.Reason})
	return respond.JSON(w, r.Request, http.StatusOK, newMaintenanceAnswer(is))
}

// DeleteMaintenance ends a maintenance: DELETE /v1/ops/maintenance.
func (m maintaining) DeleteMaintenance(w http.ResponseWriter, r *gate.Request) error {
	if err := m.Notices.EndMaintenance(r.Context()); err != nil {
		return err
	}
	m.Note(r, "end_maintenance", nil)
	return respond.JSON(w, r.Request, http.StatusOK, maintenanceAnswer{})
}
