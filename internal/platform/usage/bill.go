// This file reads what Upstash has counted for a database, from the API that manages
// accounts.
//
// It knows one answer of that API, and no Redis. Its credentials give access to a whole
// account, so only the function that compares the counters with the bill has them, and no error
// of this package contains them.
//
// https://upstash.com/docs/devops/developer-api/redis/get_database_stats

package usage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// URL is where Upstash serves the API.
const URL = "https://api.upstash.com/v2"

const (
	timeout   = 10 * time.Second
	maxAnswer = 8 << 20 // bytes; mostly series of measurements that are not read
)

// ErrNoAnswer says that Upstash could not be reached, refused for a while or failed. The next
// run may succeed.
var ErrNoAnswer = errors.New("upstash's management API is not responding")

// Config says whose statistics to read.
type Config struct {
	URL      string // URL when empty
	Email    string // of the account
	Key      string // of the management API, secret
	Database string // id, as in the console's address of the database
}

// Client reads one database's statistics. It is safe for concurrent use.
type Client struct {
	config Config
	http   *http.Client
}

// New makes a Client. It sends no request.
func NewBill(c Config) (*Client, error) {
	if c.Email == "" || c.Key == "" || c.Database == "" {
		return nil, errors.New("an account's e-mail address, its key and the id of a database belong together: set all three or none")
	}
	if strings.Contains(c.Email, ":") {
		return nil, errors.New("an account's e-mail address has no colon")
	}
	if c.URL == "" {
		c.URL = URL
	}
	return &Client{c, &http.Client{
		Timeout: timeout,
		// Another address must not get the key.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Days are the commands that Upstash has counted by day, in UTC: today so far and the four days
// before. An error is ErrNoAnswer, or says what is wrong with the credentials or the answer.
func (c *Client) Days(ctx context.Context) (map[game.Date]int64, error) {
	days, err := c.days(ctx)
	if err != nil {
		return nil, fmt.Errorf("read Upstash's statistics: %w", err)
	}
	return days, nil
}

func (c *Client) days(ctx context.Context) (map[game.Date]int64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.URL+"/redis/stats/"+url.PathEscape(c.config.Database), nil)
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth(c.config.Email, c.config.Key)
	r.Header.Set("Accept", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, unreached(err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch status := answer.StatusCode; {
	case status == http.StatusOK:
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return nil, fmt.Errorf("the account's e-mail address and key are rejected (%d); create a key in the console under Account, Management API", status)
	case status == http.StatusNotFound:
		return nil, errors.New("the account has no database with this id (404)")
	case status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		return nil, fmt.Errorf("%w: status %d", ErrNoAnswer, status)
	default:
		return nil, fmt.Errorf("the answer has the status %d; 200 was expected", status)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return nil, unreached(err)
	}
	if len(body) > maxAnswer {
		return nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return parseDays(body)
}

// unreached leaves the address out of an error, since the address has the database's id.
func unreached(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%w: %w", ErrNoAnswer, err)
}

// parseDays reads one series of the answer: the commands of each day, each with a time on that
// day. If the series has a day twice, the later number counts.
func parseDays(body []byte) (map[game.Date]int64, error) {
	var answer struct {
		Days *[]struct {
			X string   `json:"x"`
			Y *float64 `json:"y"`
		} `json:"dailyrequests"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("unexpected response for a database's statistics: %w", err)
	}
	if answer.Days == nil {
		return nil, errors.New("unexpected response for a database's statistics: it has no dailyrequests")
	}
	days := make(map[game.Date]int64, len(*answer.Days))
	for i, point := range *answer.Days {
		at, err := time.Parse("2006-01-02 15:04:05 -0700 MST", point.X)
		if err != nil {
			return nil, fmt.Errorf("dailyrequests[%d].x is %.60q; want a time such as 2026-11-21 15:12:52.799 +0000 UTC", i, point.X)
		}
		if point.Y == nil || *point.Y < 0 || *point.Y > 1<<53 {
			return nil, fmt.Errorf("dailyrequests[%d].y is no number of commands; want one from 0 on", i)
		}
		days[game.DateOf(at.UTC())] = int64(math.Round(*point.Y))
	}
	return days, nil
}

// Redis has counts as decimal numbers with spaces between them.

// addNumbers adds each of more to its number of into. A number that would overflow stays at the
// largest int64.
func addNumbers(into, more []*int64) {
	for i, n := range into {
		if *n > math.MaxInt64-*more[i] {
			*n = math.MaxInt64
			continue
		}
		*n += *more[i]
	}
}

func packNumbers(all []*int64) string {
	b := make([]byte, 0, 64)
	for i, n := range all {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, *n, 10)
	}
	return string(b)
}

// unpackNumbers reads as many numbers as there are texts. If a text is no whole number from 0
// on, it returns the place of the first such text, counted from 1; else 0.
func unpackNumbers(texts []string, into []*int64) (wrong int) {
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return i + 1
		}
		*into[i] = n
	}
	return 0
}
