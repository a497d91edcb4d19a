// This file notifies the viewers of a board over AWS AppSync Events that the board has
// changed. It is for deployments in which functions end with their request, so that no
// process can keep a stream open.
//
// It knows the protocol of the HTTP endpoint
// (https://docs.aws.amazon.com/appsync/latest/eventapi/publish-http.html) and the
// channels of boards. It must not know what a score is worth: a message contains only the
// board and the time, and a viewer reads the page after it. So no message can show a
// wrong board, no matter who publishes it.

package live

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
	// namespace is the namespace of the channels.
	namespace = "boards"
	// gap is the least time between two messages of one process about one board.
	gap      = time.Second
	patience = 300 * time.Millisecond
	// silence is how long nothing is published after a message has failed.
	silence = 30 * time.Second
	// maxAnswer is how many bytes of an answer are read.
	maxAnswer = 64 << 10
	// mostBoards is how many boards are remembered.
	mostPublished = 256
)

// Options are the settings of a Publisher.
type AppSyncOptions struct {
	URL string // of the API's HTTP endpoint, without a path
	Key string // an API key that may publish
	Now func() time.Time
	Log *slog.Logger
	// Patience bounds the time of one message, including connection and handshake, and so
	// the time that a submission can wait for it; 0 means 0.3 s.
	Patience time.Duration
}

// Publisher publishes changes of boards. It is safe for concurrent use.
type Publisher struct {
	AppSyncOptions
	http *http.Client

	mu     sync.Mutex
	sent   map[string]time.Time // by mode and date: the time of the last message
	silent time.Time            // nothing is published before this time
}

// New makes a Publisher. Errors: a URL that is not an HTTP endpoint of an Event API; a
// key that a header cannot contain.
func NewAppSync(o AppSyncOptions) (*Publisher, error) {
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
		AppSyncOptions: o, sent: map[string]time.Time{},
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

// Channel is the channel for messages about a mode's boards. AppSync allows only letters,
// digits and hyphens.
func Channel(mode string) string { return namespace + "/" + strings.ReplaceAll(mode, "_", "-") }

// message is a message as subscribers get it.
type message struct {
	Mode string    `json:"mode"`
	Date string    `json:"date"`
	At   time.Time `json:"at"`
}

// Beside starts to publish that scores are being written, while the caller writes them.
// done waits until the messages are sent: at most 0.3 s from the start, and not at all
// where a message about the board was sent within the last second. It never fails: a
// viewer that gets no message reads the page a little later. A nil Publisher publishes
// nothing.
func (p *Publisher) Beside(subs ...game.Submission) (done func()) {
	if p == nil {
		return func() {}
	}
	var running sync.WaitGroup
	for _, m := range p.dueMessages(subs) {
		running.Go(func() {
			if err := p.publish(m); err != nil {
				p.failed(err)
			}
		})
	}
	return running.Wait
}

// dueMessages returns the messages that are to be sent now.
func (p *Publisher) dueMessages(subs []game.Submission) (all []message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if now.Before(p.silent) {
		return nil
	}
	for _, sub := range subs {
		m := message{sub.Mode.Called(), sub.Date.String(), now.UTC().Truncate(time.Millisecond)}
		board := m.Mode + " " + m.Date
		if last, known := p.sent[board]; known && now.Sub(last) < gap && !now.Before(last) {
			continue
		}
		if len(p.sent) >= mostPublished {
			clear(p.sent)
		}
		p.sent[board] = now
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
	// This entry sends no header, but makes net/http treat the request as idempotent. So
	// net/http sends it again where the connection turns out to have ended while the
	// process was frozen. A message that comes twice does no harm.
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
		return fmt.Errorf("not accepted: %.200q", said)
	}
	return nil
}

// failed makes the Publisher silent for a while.
func (p *Publisher) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if now.Before(p.silent) {
		return
	}
	p.silent = now.Add(silence)
	p.Log.Warn("a change was not published to AppSync Events; nothing is published for 30 s", slog.String("error", err.Error()))
}
