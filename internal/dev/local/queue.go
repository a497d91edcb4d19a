package local

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// The local queue delivers failed messages again sooner and fewer times than the deployed
// one, so that a person can watch it.
const (
	queueVisibility  = 5 * time.Second
	queueMaxReceives = 5
	queueCapacity    = 100_000
)

// DefaultQueueWindow is how long the local queue collects scores.
const DefaultQueueWindow = time.Second

// startQueue makes the queue between the functions enqueue and ingest. Ingest gets batches
// once the queue runs.
func (p *Product) startQueue(o Options, a *app.App, around *jobs.Around, takers map[string]host.QueueFunc) {
	window := o.QueueWindow
	if window == 0 {
		window = DefaultQueueWindow
	}
	p.queue = queue.New(queue.Options{
		Window: window, Visibility: queueVisibility, MaxReceives: queueMaxReceives, Capacity: queueCapacity,
	})
	around.Scores, around.Dead, takers["ingest"] = p.queue, p.deadLetters(), a.Ingest().Take
}

// feedFromQueue delivers the messages of the queues that a function declares.
func (p *Product) feedFromQueue(f *function, d template.Function, take host.QueueFunc, log io.Writer) {
	for _, q := range d.Queues {
		f.takes(p.queue, q.BatchSize, take, log)
	}
}

// takes delivers the queue's messages to a function as Lambda would.
func (f *function) takes(q *queue.Queue, batch int, take host.QueueFunc, log io.Writer) {
	adapter := host.QueueAdapter(func(ctx context.Context, messages []host.QueueMessage) ([]string, error) {
		return take(upstash.WithMeter(ctx, &f.meter), messages)
	}, log)
	q.Batch = batch
	q.Take = func(ctx context.Context, messages []host.QueueMessage) ([]string, error) {
		event, err := host.NewQueueEvent(messages)
		if err != nil {
			return nil, err
		}
		answer, err := adapter.Invoke(ctx, event)
		if err != nil {
			return nil, err
		}
		return host.ParseQueueAnswer(answer)
	}
}

// runQueue delivers batches until ctx ends and the waiting messages are taken.
func (p *Product) runQueue(ctx context.Context, log io.Writer) {
	if p.queue == nil {
		return
	}
	if left := p.queue.Run(ctx); left > 0 {
		slog.New(slog.NewJSONHandler(log, nil)).LogAttrs(ctx, slog.LevelWarn, "queued scores that could not be written are lost", slog.Int("scores", left))
	}
}

func (c controlDoor) getQueue(w http.ResponseWriter, _ *http.Request) {
	type letter struct {
		ID       string `json:"id"`
		Body     string `json:"body"`
		Receives int    `json:"receives"`
	}
	got := struct {
		Waiting int      `json:"waiting"`
		Dead    []letter `json:"dead_letters"`
	}{Dead: []letter{}}
	if c.p.queue == nil {
		refuse(w, http.StatusNotFound, "there is no queue; start with -queue")
		return
	}
	got.Waiting = c.p.queue.Waiting()
	for _, m := range c.p.queue.Dead() {
		got.Dead = append(got.Dead, letter{m.ID, m.Body, m.Receives})
	}
	answer(w, http.StatusOK, got)
}

// postRedrive puts dead letters back into the queue, like aws sqs start-message-move-task.
func (c controlDoor) postRedrive(w http.ResponseWriter, _ *http.Request) {
	if c.p.queue == nil {
		refuse(w, http.StatusNotFound, "there is no queue; start with -queue")
		return
	}
	answer(w, http.StatusOK, map[string]int{"sent_back": c.p.queue.Redrive()})
}

// deadLetters are the dead letters of the queue. Schedules have none here: a failed run is
// not repeated.
func (p *Product) deadLetters() queue.Queues {
	return queue.Queues{Scores: deadScores{p.queue}}
}

// deadScores are the dead letters of the local queue.
type deadScores struct{ queue *queue.Queue }

func (d deadScores) Waiting(context.Context) (int64, error) { return int64(len(d.queue.Dead())), nil }

func (d deadScores) Look(context.Context) ([]queue.Letter, error) {
	dead := d.queue.Dead()
	letters := make([]queue.Letter, min(len(dead), queue.MostSamples))
	for i := range letters {
		m := dead[i]
		letters[i] = queue.Letter{ID: m.ID, Body: m.Body, Sent: m.Sent, Receives: m.Receives}
	}
	return letters, nil
}

func (d deadScores) Redrive(context.Context) error {
	d.queue.Redrive()
	return nil
}
