package archive

import (
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/framedle/leaderboards/internal/game"
)

// readsOurTypes makes a connection read dates into [game.Date], and moments as times in UTC.
// Null is the zero value of both.
func readsOurTypes(c *pgx.Conn) {
	m := c.TypeMap()
	m.TryWrapScanPlanFuncs = append([]pgtype.TryWrapScanPlanFunc{dateOrTime}, m.TryWrapScanPlanFuncs...)
}

func dateOrTime(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	into := intoOf(target)
	return &intoPlan{}, into, into != nil
}

// intoOf returns what pgx reads a date or a moment into; nil for a target of another type.
func intoOf(target any) any {
	switch to := target.(type) {
	case *game.Date:
		return dateInto{to}
	case *time.Time:
		return timeInto{to}
	}
	return nil
}

// intoPlan reads a value into what intoOf says.
type intoPlan struct{ next pgtype.ScanPlan }

func (p *intoPlan) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *intoPlan) Scan(src []byte, target any) error { return p.next.Scan(src, intoOf(target)) }

type dateInto struct{ d *game.Date }

func (i dateInto) ScanDate(v pgtype.Date) error {
	if *i.d = (game.Date{}); v.Valid {
		*i.d = game.DateOf(v.Time)
	}
	return nil
}

type timeInto struct{ t *time.Time }

func (i timeInto) ScanTimestamptz(v pgtype.Timestamptz) error {
	if *i.t = (time.Time{}); v.Valid {
		*i.t = v.Time.UTC()
	}
	return nil
}
