package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

// shownKinds is the number of kinds of refusals that are printed.
const shownKinds = 10

// printSummary prints what happened to the lines. It prints nothing if the import failed before
// a first line.
func printSummary(out io.Writer, f *importFlags, s importer.Summary, took time.Duration, err error) {
	lines := s.Counts.Written() + s.Counts.Refused
	switch {
	case lines == 0 && err != nil:
		return
	case s.Done:
		say(out, "%s was imported completely by %s; nothing was sent.\n", f.File, s.DoneAt.Format(time.RFC3339))
		say(out, "To send it again, remove %s.\n", f.ProgressFile)
	}
	say(out, "%s: %s lines\n", f.File, progress.Count(lines))
	if f.dryRun {
		say(out, "  valid    %9s  (not sent)\n", progress.Count(s.Counts.Accepted))
	} else {
		say(out, "  accepted %9s  %s\n", progress.Count(s.Counts.Written()), takenAs(s.Counts))
	}
	say(out, "  rejected %9s", progress.Count(s.Counts.Refused))
	if s.Counts.Refused > 0 && !f.dryRun {
		say(out, "  see %s", f.ReportFile)
	}
	say(out, "\n")
	for i, kind := range s.Kinds {
		if i == shownKinds {
			say(out, "    and %d more kinds\n", len(s.Kinds)-shownKinds)
			break
		}
		say(out, "    %9s  %s (first in line %d)\n", progress.Count(kind.Count), kind.Name, kind.First)
	}
	if f.dryRun {
		for _, r := range s.Examples {
			say(out, "  line %d: %s\n", r.Line, r.Reason)
		}
	}
	if !s.Done {
		say(out, "  in %s\n", took.Round(10*time.Millisecond))
	}
}

func takenAs(c importer.Counts) string {
	var parts []string
	for _, part := range []struct {
		count int64
		name  string
	}{{c.Accepted, "accepted"}, {c.Improved, "improved"}, {c.Kept, "kept"}, {c.Replayed, "replayed"}} {
		if part.count > 0 {
			parts = append(parts, progress.Count(part.count)+" "+part.name)
		}
	}
	return strings.Join(parts, ", ")
}

// say prints to a person; an error of printing cannot be reported.
func say(out io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
