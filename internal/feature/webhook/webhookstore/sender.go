// Package webhookstore delivers events to other programs: periods have closed, badges were given,
// leagues have rolled over. Messages have the form of Standard Webhooks
// (https://www.standardwebhooks.com).
//
// It knows the queue in Postgres, how a message is signed and sent, and when to try again. Package
// archive writes an event where it happens, so that none is lost: each message is delivered at
// least once, and messages of one kind one after another. This package does not know Redis,
// nor why anything happened.
package webhookstore

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	signed "github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

const (
	// MinSecret is the length in characters of each secret.
	MinSecret = 32
	// mostSecrets is the largest number of secrets that sign a message.
	mostSecrets = 4

	// Patience bounds one message, including its answer.
	Patience = 10 * time.Second
	// lease is how long a run keeps a lane after it last noted something. After that another
	// run may deliver again what this one was about to deliver when it was cut off.
	lease = 4 * Patience
	// tried is for how long a message is tried.
	tried = 3 * 24 * time.Hour
	// kept is how long events are kept.
	kept = 35 * 24 * time.Hour

	shortestPause = time.Minute
	longestPause  = 4 * time.Hour
)

// Sender delivers events to endpoints.
type Sender struct {
	Game  *game.Game
	Books Queue
	Now   func() time.Time
	Log   *slog.Logger
	// Badge is the title of a badge; false for one that the game no longer has. It is nil without badges.
	Badge func(id string) (title string, ok bool)
	// GaveUp is called for each event that will not be tried again. It may be nil.
	GaveUp func(context.Context)
	// Secrets are the secrets that each endpoint's own secret is derived from, the newest
	// first. Without secrets nothing is delivered, and events wait.
	Secrets []string
	// Dial opens connections to endpoints; nil: that of dialer.
	Dial Dial
}

// DeliveryReport is what a run did.
type DeliveryReport struct {
	Delivered int `json:"told"`             // events
	Lost      int `json:"lost,omitempty"`   // events given up
	Failed    int `json:"failed,omitempty"` // lanes that have to be tried again
}

// Secrets parses a comma-separated list of secrets.
func Secrets(list []string) ([]string, error) {
	if len(list) > mostSecrets {
		return nil, fmt.Errorf("there are %d secrets: use up to %d", len(list), mostSecrets)
	}
	for _, secret := range list {
		if len(secret) < MinSecret {
			return nil, fmt.Errorf("there is a secret of %d characters: use at least %d, separated by commas", len(secret), MinSecret)
		}
	}
	return list, nil
}

// SecretOf is the secret by which an endpoint verifies messages, in the form that the
// endpoint's library takes. It is derived from one of the deployment's secrets, and reveals
// neither that nor another endpoint's.
func SecretOf(secret, endpoint string) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(auth.NewSecret(secret).Key("webhook out "+endpoint))
}

// Run delivers the events that wait, until none waits or the context has no more than reserve
// left. It may run at any time, and twice at once. A failed delivery is no error: Run logs it,
// keeps the event, and a later run tries again.
//
// Cost: no Redis command; 2 queries, and for each kind and endpoint with waiting events 3, and
// 1 for each event.
func (t *Sender) Run(ctx context.Context, reserve time.Duration) (done DeliveryReport, err error) {
	if len(webhook.EndpointsOf(t.Game)) == 0 || len(t.Secrets) == 0 {
		return done, nil
	}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
		if ctx.Err() != nil {
			return done, nil // the next run has more time
		}
	}
	names := make([]string, len(webhook.EndpointsOf(t.Game)))
	for i, w := range webhook.EndpointsOf(t.Game) {
		names[i] = w.Name
	}
	if err := t.Books.Forget(ctx, t.Now().Add(-kept)); err != nil {
		return done, err
	}
	lanes, err := t.Books.Waits(ctx, names)
	if err != nil {
		return done, err
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, w := range webhook.EndpointsOf(t.Game) {
		all.Go(func() {
			did, failed := t.endpoint(ctx, w, lanes)
			mu.Lock()
			defer mu.Unlock()
			done.Delivered, done.Lost, done.Failed = done.Delivered+did.Delivered, done.Lost+did.Lost, done.Failed+did.Failed
			err = errors.Join(err, failed)
		})
	}
	all.Wait()
	return done, err
}

// endpoint delivers the events that wait for one endpoint, of the kinds that it hears of by
// now.
func (t *Sender) endpoint(ctx context.Context, w webhook.Endpoint, lanes []Lane) (done DeliveryReport, err error) {
	client := newClient(w, t.Dial)
	defer client.CloseIdleConnections()
	for _, l := range lanes {
		if l.Endpoint != w.Name || !slices.Contains(w.Events, game.Happening(l.Kind)) || ctx.Err() != nil {
			continue
		}
		run := laneRun{Sender: t, to: w, lane: l, client: client, holder: rand.Text()}
		failed := run.deliver(ctx)
		done.Delivered, done.Lost, done.Failed = done.Delivered+run.Delivered, done.Lost+run.Lost, done.Failed+run.Failed
		if failed != nil && ctx.Err() == nil {
			err = errors.Join(err, failed)
		}
	}
	return done, err
}

// laneRun is a run that has a lane reserved.
type laneRun struct {
	*Sender
	DeliveryReport
	to     webhook.Endpoint
	lane   Lane
	client *http.Client
	holder string
}

func (r *laneRun) deliver(ctx context.Context) error {
	now := r.Now()
	failures, err := r.Books.Take(ctx, r.lane, r.holder, now, now.Add(lease))
	if errors.Is(err, ErrTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	why, err := r.all(ctx)
	if errors.Is(err, ErrTaken) {
		return nil // another run has the lane now and will leave it
	}
	due := r.Now()
	if why != "" {
		r.Failed++
		due = due.Add(pause(failures))
		if strings.HasPrefix(why, gone) {
			due = r.Now().Add(longestPause)
		}
	}
	// Leave the lane even if the run ends here, so that the next run need not wait.
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return errors.Join(err, r.Books.Leave(settle, r.lane, r.holder, due, why))
}

// pause is how long a lane rests after so many failures in a row.
func pause(failures int64) time.Duration {
	return wait.Backoff(int(failures), shortestPause, longestPause)
}

// all delivers every event that waits in the lane, until one fails. It returns why that
// failed.
func (r *laneRun) all(ctx context.Context) (why string, err error) {
	next, err := r.Books.Next(ctx, r.lane)
	for next != nil && why == "" && err == nil {
		next, why, err = r.one(ctx, *next)
	}
	return why, err
}

// one delivers an event or gives it up, and returns the next one.
func (r *laneRun) one(ctx context.Context, news News) (next *News, why string, err error) {
	now := r.Now()
	dead := now.Sub(news.Since) >= tried
	if !dead {
		if why = r.post(ctx, news, now); ctx.Err() != nil && why != "" {
			return nil, "", ctx.Err() // the run ends: not the endpoint's fault
		}
		if why != "" {
			r.Log.LogAttrs(ctx, slog.LevelWarn, "a webhook was not delivered; it is retried", r.attrs(news, slog.String("error", why))...)
			return nil, why, nil
		}
	}
	// A delivery is noted even if the run ends now.
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if next, err = r.Books.Settle(settle, r.lane, r.holder, news.ID, dead, r.Now(), r.Now().Add(lease)); err != nil {
		return nil, "", err
	}
	if !dead {
		r.Delivered++
		return next, "", ctx.Err()
	}
	r.Lost++
	r.Log.LogAttrs(ctx, slog.LevelError, "a webhook was not delivered and is not retried; lbctl webhooks resend delivers it", r.attrs(news)...)
	if r.GaveUp != nil {
		r.GaveUp(ctx)
	}
	return next, "", ctx.Err()
}

func (r *laneRun) attrs(news News, more ...slog.Attr) []slog.Attr {
	return append([]slog.Attr{slog.String("endpoint", r.lane.Endpoint), slog.String("event", r.lane.Kind), slog.String("id", news.ID)}, more...)
}

// message is the body of a delivery.
type message struct {
	Type      string         `json:"type"`
	Timestamp time.Time      `json:"timestamp"` // when the event was noted
	Data      map[string]any `json:"data"`
}

// post sends one message. It returns why the endpoint did not accept it; "" if it did.
func (r *laneRun) post(ctx context.Context, news News, now time.Time) (why string) {
	body, err := json.Marshal(message{r.lane.Kind, news.Made.UTC().Truncate(time.Millisecond), r.shown(news)})
	if err != nil {
		return err.Error()
	}
	signatures := make([]string, len(r.Secrets))
	headers := signed.Headers{}
	for i, secret := range r.Secrets {
		if headers, err = signed.Sign(SecretOf(secret, r.to.Name), news.ID, now, body); err != nil {
			return err.Error()
		}
		signatures[i] = headers.Signature
	}
	return send(ctx, r.client, r.to.URL, body, http.Header{
		"Webhook-Id": {headers.ID}, "Webhook-Timestamp": {headers.Timestamp}, "Webhook-Signature": {strings.Join(signatures, " ")},
	})
}

// shown returns the data of an event for its endpoint: with the present names of modes, and a
// badge's title.
func (r *laneRun) shown(news News) map[string]any {
	data := news.Data
	if mode, ok := data["mode"].(string); ok {
		data["mode"] = r.Game.Called(mode)
	}
	if news.Player != "" {
		data["player"] = news.Player
	}
	if id, ok := data["badge"].(string); ok {
		if r.Badge != nil {
			if title, found := r.Badge(id); found {
				data["title"] = title
			}
		}
	}
	return data
}
