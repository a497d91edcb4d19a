// Package webhooks tells other programs what has happened: that periods have closed,
// badges were given, leagues have rolled over. Messages are in the form of Standard
// Webhooks (https://www.standardwebhooks.com).
//
// It knows who is told, how a message is signed and sent, and when to try again. What has
// happened is noted by package archive where it happens, so that nothing is lost: a
// message is told at least once, and those of one kind one after another. It must not
// know Redis, nor why anything happened.
package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/game"
)

const (
	// MinSecret is the length in characters of each secret.
	MinSecret = 32
	// mostSecrets sign each message at once.
	mostSecrets = 4

	// Patience bounds one message, the answer included.
	Patience = 10 * time.Second
	// lease is how long a run has a lane for itself after it has last noted anything: what
	// it was about to tell when it was cut off is told again after that.
	lease = 4 * Patience
	// tried is how long a message is.
	tried = 3 * 24 * time.Hour
	// kept is how long it is remembered what was told.
	kept = 35 * 24 * time.Hour

	shortestPause = time.Minute
	longestPause  = 4 * time.Hour
)

// Teller tells. Make one with [New].
type Teller struct {
	Game  *game.Game
	Books archive.WebhooksOut
	Now   func() time.Time
	Log   *slog.Logger
	// GaveUp is called for each event that is not tried again; nil: nobody is.
	GaveUp func(context.Context)
	// Secrets are those that each endpoint's own follow from, the newest first; none: nobody
	// is told, and what happens waits.
	Secrets []string
	// Dial reaches an endpoint; nil: as its kind has it, see dialer.
	Dial Dial
}

// Done tells what a run did.
type Done struct {
	Told   int `json:"told"`
	Lost   int `json:"lost,omitempty"`   // given up
	Failed int `json:"failed,omitempty"` // endpoints' kinds that have to be tried again
}

// Secrets reads secrets that are separated by commas.
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

// SecretOf is what an endpoint verifies messages by, in the form that its library takes:
// it follows from one of the deployment's secrets, and tells neither that nor another
// endpoint's.
func SecretOf(secret, endpoint string) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(auth.NewSecret(secret).Key("webhook out "+endpoint))
}

// Run tells what waits, until nothing does or the context has no more than reserve left.
// It may run at any time, and twice at once. That somebody cannot be told is no error: it
// is logged, kept, and tried again by a later run.
//
// Cost: no Redis command; 2 queries, and for each kind and endpoint with something to tell
// 3, and 1 for each event.
func (t *Teller) Run(ctx context.Context, reserve time.Duration) (done Done, err error) {
	if len(t.Game.Webhooks) == 0 || len(t.Secrets) == 0 {
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
	names := make([]string, len(t.Game.Webhooks))
	for i, w := range t.Game.Webhooks {
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
	for _, w := range t.Game.Webhooks {
		all.Go(func() {
			did, failed := t.endpoint(ctx, w, lanes)
			mu.Lock()
			defer mu.Unlock()
			done.Told, done.Lost, done.Failed = done.Told+did.Told, done.Lost+did.Lost, done.Failed+did.Failed
			err = errors.Join(err, failed)
		})
	}
	all.Wait()
	return done, err
}

// endpoint tells one endpoint what waits for it.
func (t *Teller) endpoint(ctx context.Context, w game.Webhook, lanes []archive.Lane) (done Done, err error) {
	client := newClient(w, t.Dial)
	defer client.CloseIdleConnections()
	for _, l := range lanes {
		if l.Endpoint != w.Name || ctx.Err() != nil {
			continue
		}
		run := laneRun{Teller: t, to: w, lane: l, client: client, holder: rand.Text()}
		failed := run.tell(ctx)
		done.Told, done.Lost, done.Failed = done.Told+run.Told, done.Lost+run.Lost, done.Failed+run.Failed
		if failed != nil && ctx.Err() == nil {
			err = errors.Join(err, failed)
		}
	}
	return done, err
}

// laneRun is one run's hold of a lane.
type laneRun struct {
	*Teller
	Done
	to     game.Webhook
	lane   archive.Lane
	client *http.Client
	holder string
}

func (r *laneRun) tell(ctx context.Context) error {
	now := r.Now()
	failures, err := r.Books.Take(ctx, r.lane, r.holder, now, now.Add(lease))
	if errors.Is(err, archive.ErrTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	why, err := r.all(ctx)
	if errors.Is(err, archive.ErrTaken) {
		return nil // whoever has it now leaves it
	}
	due := r.Now()
	if why != "" {
		r.Failed++
		due = due.Add(pause(failures))
		if strings.HasPrefix(why, gone) {
			due = r.Now().Add(longestPause)
		}
	}
	// Where the run ends here, the lane is left all the same: the next one need not wait.
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return errors.Join(err, r.Books.Leave(settle, r.lane, r.holder, due, why))
}

// pause is how long a lane rests that has failed so often before.
func pause(failures int64) time.Duration {
	return min(shortestPause<<min(failures, 20), longestPause)
}

// all tells everything that waits in the lane, up to the first that fails, and says why it
// did.
func (r *laneRun) all(ctx context.Context) (why string, err error) {
	next, err := r.Books.Next(ctx, r.lane)
	for next != nil && why == "" && err == nil {
		next, why, err = r.one(ctx, *next)
	}
	return why, err
}

// one tells one event, or gives it up, and says which one is next.
func (r *laneRun) one(ctx context.Context, news archive.News) (next *archive.News, why string, err error) {
	now := r.Now()
	dead := now.Sub(news.Since) >= tried
	if !dead {
		if why = r.post(ctx, news, now); ctx.Err() != nil && why != "" {
			return nil, "", ctx.Err() // the run ends; that is not the endpoint's fault
		}
		if why != "" {
			r.Log.LogAttrs(ctx, slog.LevelWarn, "an endpoint was not told; it is tried again", r.attrs(news, slog.String("error", why))...)
			return nil, why, nil
		}
	}
	// What was told is noted whatever becomes of the run.
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if next, err = r.Books.Told(settle, r.lane, r.holder, news.ID, dead, r.Now(), r.Now().Add(lease)); err != nil {
		return nil, "", err
	}
	if !dead {
		r.Told++
		return next, "", ctx.Err()
	}
	r.Lost++
	r.Log.LogAttrs(ctx, slog.LevelError, "an endpoint was not told, and is not tried again; lbctl webhooks resend has it told", r.attrs(news)...)
	if r.GaveUp != nil {
		r.GaveUp(ctx)
	}
	return next, "", ctx.Err()
}

func (r *laneRun) attrs(news archive.News, more ...slog.Attr) []slog.Attr {
	return append([]slog.Attr{slog.String("endpoint", r.lane.Endpoint), slog.String("event", r.lane.Kind), slog.String("id", news.ID)}, more...)
}

// message is what is sent.
type message struct {
	Type      string         `json:"type"`
	Timestamp time.Time      `json:"timestamp"` // when it happened, as far as it was noted then
	Data      map[string]any `json:"data"`
}

// post sends one message, and says why it was not taken; empty where it was.
func (r *laneRun) post(ctx context.Context, news archive.News, now time.Time) (why string) {
	body, err := json.Marshal(message{r.lane.Kind, news.Made.UTC().Truncate(time.Millisecond), r.shown(news)})
	if err != nil {
		return err.Error()
	}
	signatures := make([]string, len(r.Secrets))
	headers := webhook.Headers{}
	for i, secret := range r.Secrets {
		if headers, err = webhook.Sign(SecretOf(secret, r.to.Name), news.ID, now, body); err != nil {
			return err.Error()
		}
		signatures[i] = headers.Signature
	}
	return send(ctx, r.client, r.to.URL, body, http.Header{
		"Webhook-Id": {headers.ID}, "Webhook-Timestamp": {headers.Timestamp}, "Webhook-Signature": {strings.Join(signatures, " ")},
	})
}

// shown is what is told of an event: modes as callers know them, and a badge's title.
func (r *laneRun) shown(news archive.News) map[string]any {
	data := news.Data
	if mode, ok := data["mode"].(string); ok {
		data["mode"] = r.Game.Called(mode)
	}
	if news.Player != "" {
		data["player"] = news.Player
	}
	if id, ok := data["badge"].(string); ok {
		if rule, found := r.Game.Badges.Rule(id); found {
			data["title"] = rule.Title
		}
	}
	return data
}
