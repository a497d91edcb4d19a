package jobs

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/host"
)

// mostAhead is how far a scheduler's clock may be ahead of the product's.
const mostAhead = 5 * time.Minute

// arrived refuses an event whose time has not come.
func (j *Jobs) arrived(at time.Time) error {
	ahead := at.Sub(j.closing.Now())
	if ahead <= mostAhead {
		return nil
	}
	return &host.EventError{Reason: fmt.Sprintf("the event is for a time that is %s ahead: want one that has come; nothing was done", ahead.Round(time.Second))}
}
