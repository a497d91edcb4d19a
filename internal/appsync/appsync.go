// Package appsync tells those who watch a board over AWS AppSync Events that it has
// changed, where functions end with their request and none can keep a stream open.
//
// It knows the protocol of its HTTP endpoint
// (https://docs.aws.amazon.com/appsync/latest/eventapi/publish-http.html) and which
// channel is whose. It must not know what a score is worth: a message names the board
// and the moment, and whoever is told reads the page. So nobody can be told a wrong
// board, whoever may publish.
package appsync

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	// namespace is that of the channels.
	namespace = "boards"
	// gap is the least time between two messages about one board, from one process.
	gap      = time.Second
	patience = 300 * time.Millisecond
	// silence is how long nothing is told after a message has failed.
	silence = 30 * time.Second
	// maxAnswer bounds what is read of an answer in bytes.
	maxAnswer = 64 << 10
	// mostBoards is how many boards are remembered.
	mostBoards = 256
)

// Options are what a Publisher is made of.
type Options struct {
	URL string // of the API's HTTP endpoint, without a path
	Key string // an API key that may publish
	Now func() time.Time
	Log *slog.Logger
	// Patience bounds one message, connection and handshake included, and so what a
	// submission can wait for one; 0: 0.3 s.
	Patience time.Duration
}

// Publisher publishes. It is safe for concurrent use.
type Publisher struct {
	Options
	http *http.Client

	mu     sync.Mutex
	told   map[string]time.Time // by channel and day: when it was told last
	silent time.Time            // nothing is told before
}

// New makes a Publisher. Errors: an address that is not one of such an endpoint, or a key
// that no header takes.
func New(o Options) (*Publisher, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, errors.New("use the HTTP endpoint of an Event API without a path, such as https://example.appsync-api.eu-central-1.amazonaws.com")
	}
	if o.Key == "" || strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("use an API key of the Event API")
	}
	if o.Patience == 0 {
		o.Patience = patience
	}
	o.URL = u.Scheme + "://" + u.Host
	return &Publisher{
		Options: o, told: map[string]time.Time{},
		http: &http.Client{
			Transport:     &http.Transport{ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: 90 * time.Second},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Channel is what is told of a mode's boards on. AppSync takes letters, digits and
// hyphens alone.
func Channel(mode string) string { return namespace + "/" + strings.ReplaceAll(mode, "_", "-") }

// message is one as subscribers get it.
type message struct {
	Mode string    `json:"mode"`
	Date string    `json:"date"`
	At   time.Time `json:"at"`
}

// Beside begins to tell that scores are being written, and is over when what it returns
// is called, which waits for what is under way: 0.3 s from its beginning at most, and
// not at all where the board was told of within a second. It never fails: who is not told
// reads the page a little later. A nil Publisher tells nothing.
func (p *Publisher) Beside(subs ...game.Submission) (done func()) {
	if p == nil {
		return func() {}
	}
	var running sync.WaitGroup
	for _, m := range p.due(subs) {
		running.Go(func() {
			if err := p.publish(m); err != nil {
				p.failed(err)
			}
		})
	}
	return running.Wait
}

// due are the boards that are to be told of now.
func (p *Publisher) due(subs []game.Submission) (all []message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if now.Before(p.silent) {
		return nil
	}
	for _, sub := range subs {
		m := message{sub.Mode.Called(), sub.Date.String(), now.UTC().Truncate(time.Millisecond)}
		board := m.Mode + " " + m.Date
		if last, known := p.told[board]; known && now.Sub(last) < gap && !now.Before(last) {
			continue
		}
		if len(p.told) >= mostBoards {
			clear(p.told)
		}
		p.told[board] = now
		all = append(all, m)
	}
	return all
}

// publish sends one message.
func (p *Publisher) publish(m message) error {
	event, err := json.Marshal(m)
	if err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		Channel string   `json:"channel"`
		Events  []string `json:"events"`
	}{Channel(m.Mode), []string{string(event)}})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.Patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL+"/event", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", p.Key)
	// A connection that ended while the process was frozen is found out by writing to
	// it; to be told twice does no harm, so net/http may write again.
	r.Header["Idempotency-Key"] = nil
	answer, err := p.http.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	var verdict struct {
		Failed []json.RawMessage `json:"failed"`
	}
	switch {
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("status %d: %.200q", answer.StatusCode, said)
	case json.Unmarshal(said, &verdict) != nil || len(verdict.Failed) > 0:
		return fmt.Errorf("not taken: %.200q", said)
	}
	return nil
}

// failed has nothing told for a while.
func (p *Publisher) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if now.Before(p.silent) {
		return
	}
	p.silent = now.Add(silence)
	p.Log.Warn("AppSync Events was not told of a change; nothing is told for 30 s", slog.String("error", err.Error()))
}
