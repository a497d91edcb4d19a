package appsync

import "time"

// SetPatience bounds one message anew.
func (p *Publisher) SetPatience(d time.Duration) { p.patience = d }
