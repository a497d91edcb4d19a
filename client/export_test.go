package client

import (
	"context"
	"time"
)

// SetWait has the client not wait between attempts, but tell how long it would.
func (c *Client) SetWait(wait func(context.Context, time.Duration) error) { c.wait = wait }
