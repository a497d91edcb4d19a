package costday

import "github.com/framedle/leaderboards/internal/product/jobs"

func (d *deployment) around() (around jobs.Around) {
	if d.queue != nil {
		around.Scores = d.queue
	}
	return around
}

// ingestTakes has the function ingest take what the queue has.
func (d *deployment) ingestTakes() {
	d.queue.take = d.ingest
}
