package api

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/notices"
)

// longestMaintenance bounds how long a forgotten one keeps everybody from playing.
const longestMaintenance = 7 * 24 * time.Hour

// unboundMaintenance is what a caller waits during a maintenance that has no end.
const unboundMaintenance = time.Minute

func maintenanceWait(e *notices.MaintenanceError) time.Duration {
	if e.Until.IsZero() {
		return unboundMaintenance
	}
	return max(time.Second, e.Left)
}

// maintenanceAnswer says whether writes wait.
type maintenanceAnswer struct {
	On     bool   `json:"on"`
	Since  string `json:"since,omitempty"`
	Until  string `json:"until,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Everywhere is when every process has noticed.
	Everywhere string `json:"everywhere,omitempty"`
}

func newMaintenanceAnswer(m notices.Maintenance) maintenanceAnswer {
	text := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	return maintenanceAnswer{On: true, Since: text(m.Since), Until: text(m.Until), Reason: m.Reason, Everywhere: text(m.Since.Add(notices.NoticedWithin))}
}

// getMaintenance reads whether writes wait: GET /v1/ops/maintenance.
func (o ops) getMaintenance(w http.ResponseWriter, r *request) error {
	if err := newQuery(r).done(); err != nil {
		return err
	}
	m, on, err := o.Store.Notices.Maintenance(r.Context())
	if err != nil {
		return err
	}
	if !on {
		return writeJSON(w, r, http.StatusOK, "no-store", maintenanceAnswer{})
	}
	return writeJSON(w, r, http.StatusOK, "no-store", newMaintenanceAnswer(m))
}

// putMaintenance has writes wait: PUT /v1/ops/maintenance. One that is on keeps
// the time since when.
func (o ops) putMaintenance(w http.ResponseWriter, r *request) error {
	f := object(r.body, "")
	until, hasUntil := f.text("until", true)
	reason, _ := f.text("reason", false)
	if utf8.RuneCountInString(reason) > maxReason || strings.ContainsRune(reason, 0) {
		f.fault("reason", fmt.Sprintf("this must be up to %d characters, without NUL", maxReason))
	}
	now := o.Now()
	end, timeErr := time.Parse(time.RFC3339, until)
	if hasUntil && (timeErr != nil || !end.After(now) || end.After(now.Add(longestMaintenance))) {
		f.fault("until", "this must be a time to come, within 7 days, as in "+now.Add(time.Hour).UTC().Format(time.RFC3339))
	}
	if err := joined(newQuery(r).done(), f.done()); err != nil {
		return err
	}
	m := notices.Maintenance{Since: now.UTC(), Until: end.UTC(), Reason: reason}
	m, err := o.Store.Notices.Maintain(r.Context(), m)
	if err != nil {
		return err
	}
	return writeJSON(w, r, http.StatusOK, "no-store", newMaintenanceAnswer(m))
}

// deleteMaintenance lets writes in again: DELETE /v1/ops/maintenance.
func (o ops) deleteMaintenance(w http.ResponseWriter, r *request) error {
	if err := newQuery(r).done(); err != nil {
		return err
	}
	if err := o.Store.Notices.EndMaintenance(r.Context()); err != nil {
		return err
	}
	return writeJSON(w, r, http.StatusOK, "no-store", maintenanceAnswer{})
}
