package closing

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash"
)

// Sides are Redis and Postgres. All fields are required.
type Sides struct {
	Archive *archive.Archive
	// Mirrors are brought, compared and restored in this order.
	Mirrors []lifecycle.Mirror
	// Erase erases a player from everything once more.
	Erase func(ctx context.Context, player string) error
}

// SidesOptions bound a Refill of Sides.
type SidesOptions struct {
	// Commands is the number of billed commands after which no further page begins; 0: read
	// all pages. A page of small kinds has up to some 500 entries.
	Commands int64
	// All also brings the kinds that have been brought before.
	All bool
}

// Filled is what a run has brought of a kind.
type Filled struct {
	Kind    string `json:"kind"`
	Entries int    `json:"entries"` // entries read, whether the archive had them or not
	Done    bool   `json:"done"`    // all of the kind has been read
}

// Refill brings what Redis has to the archive, kind by kind, each once. The archive notes
// which kinds it has, so a new archive is filled again. Refill may be repeated, and continues
// where it was cut off.
//
// Cost: none if all kinds have been brought. Else that of the mirrors' Page and Finish.
func (s *Sides) Refill(ctx context.Context, o SidesOptions) ([]Filled, error) {
	var meter upstash.Meter
	ctx = upstash.WithMeter(ctx, &meter)
	rows, err := s.Archive.Refills.All(ctx)
	if err != nil {
		return nil, err
	}
	at := map[string]archive.Refill{}
	for _, r := range rows {
		at[r.Kind] = r
	}
	filled := []Filled{}
	for _, m := range s.Mirrors {
		if m.Page == nil {
			continue
		}
		first, cursor := !at[m.Name].Done, at[m.Name].Cursor
		if !first && !o.All {
			continue
		}
		if o.All {
			cursor = ""
		}
		did := Filled{Kind: m.Name}
		for !did.Done {
			if o.Commands > 0 && meter.Usage().Commands >= o.Commands {
				return append(filled, did), nil
			}
			next, entries, err := m.Page(ctx, cursor)
			if err != nil {
				return filled, fmt.Errorf("bring %s to the archive: %w", m.Name, err)
			}
			did.Entries += entries
			cursor = next
			done := next == ""
			if did.Done = done; done && m.Finish != nil {
				if done, err = m.Finish(ctx, first); err != nil {
					return filled, fmt.Errorf("bring %s to the archive: %w", m.Name, err)
				}
			}
			if first {
				if err := s.Archive.Refills.Put(ctx, archive.Refill{Kind: m.Name, Cursor: next, Done: done}); err != nil {
					return filled, err
				}
			}
		}
		filled = append(filled, did)
	}
	return filled, nil
}

// Restore gives back to Redis what it has lost, and returns by kind what it did. A dry run only
// reports what it would do.
//
// Cost: that of the mirrors' Restore.
func (s *Sides) Restore(ctx context.Context, dryRun bool) (map[string]any, error) {
	restored := map[string]any{}
	for _, m := range s.Mirrors {
		if m.Restore == nil {
			continue
		}
		did, err := m.Restore(ctx, dryRun)
		if did != nil {
			restored[m.Name] = did
		}
		if err != nil {
			return restored, fmt.Errorf("restore %s: %w", m.Name, err)
		}
	}
	return restored, nil
}
