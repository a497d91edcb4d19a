package limit

import (
	"fmt"
	"time"
)

// Names of the header fields, as draft-ietf-httpapi-ratelimit-headers has them.
const (
	PolicyHeader = "RateLimit-Policy"
	LimitHeader  = "RateLimit"
)

// Policy is the value of RateLimit-Policy: "submit-player";q=20;w=60, where q is
// the quota and w the window in seconds.
func (d Decision) Policy() string {
	return fmt.Sprintf("%q;q=%d;w=%d", d.Rule.Name, d.Rule.Count, seconds(d.Rule.Window))
}

// Limit is the value of RateLimit: "submit-player";r=19, where r is what remains. If the request
// is refused, t is how many seconds to wait.
func (d Decision) Limit() string {
	if d.Wait > 0 {
		return fmt.Sprintf("%q;r=%d;t=%d", d.Rule.Name, d.Remaining, seconds(d.Wait))
	}
	return fmt.Sprintf("%q;r=%d", d.Rule.Name, d.Remaining)
}

// seconds rounds up, so that a client that waits that long is not too early.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }
