package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Ops is what only the operator may do. It needs Config.OpsToken.
type Ops struct{ c *Client }

// Ops returns what only the operator may do.
func (c *Client) Ops() Ops { return Ops{c} }

// Removal is what a ban or a removal did.
type Removal struct {
	Player  string   `json:"player"`
	Boards  int64    `json:"boards"`
	Results int64    `json:"results"` // removed from the history
	Left    []string `json:"left"`    // boards that a schedule will finish
}

// Erasure is what an erasure did.
type Erasure struct {
	Removal
	Known bool `json:"known"` // false: nothing was kept of the player
}

// Ban keeps a player from playing, within 15 minutes everywhere, and removes the player's
// scores on days that may still change. Banning again removes what came in meanwhile.
func (o Ops) Ban(ctx context.Context, player, reason string) (Removal, error) {
	body := map[string]string{}
	if reason != "" {
		body["reason"] = reason
	}
	return askAbout[Removal](ctx, o, http.MethodPut, "/v1/ops/bans/", player, body)
}

// Unban lets a player play again. Removed scores stay removed.
func (o Ops) Unban(ctx context.Context, player string) (Removal, error) {
	return askAbout[Removal](ctx, o, http.MethodDelete, "/v1/ops/bans/", player, nil)
}

// ErasePlayer removes everything that is kept of a player. It may be repeated.
func (o Ops) ErasePlayer(ctx context.Context, player string) (Erasure, error) {
	return askAbout[Erasure](ctx, o, http.MethodDelete, "/v1/ops/players/", player, nil)
}

// RemoveScore removes a player's entry of one day, in every scope. It may be repeated.
func (o Ops) RemoveScore(ctx context.Context, mode, date, player string) (Removal, error) {
	return askOps[Removal](ctx, o, http.MethodDelete, "/v1/ops/scores", nil, map[string]string{"mode": mode, "date": date, "player": player})
}

// Rows says which rows of a list to read.
type Rows struct {
	Limit  int    // 1 to 1,000; 0 for 100
	Cursor string // Next of the previous page
	Player string // of the log: what was done to or by this player; "" for all
}

func (r Rows) query() url.Values {
	q := url.Values{}
	setNumber(q, "limit", r.Limit)
	setText(q, "cursor", r.Cursor)
	setText(q, "player", r.Player)
	return q
}

// Ban is the ban of one player.
type Ban struct {
	Player string    `json:"player"` // a digest, if the player was erased
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
}

// Bans is a page of bans.
type Bans struct {
	Total  int64  `json:"total"`
	Source string `json:"source"` // database; or redis, which only knows their number
	Bans   []Ban  `json:"bans"`
	Next   string `json:"next"` // "" on the last page
}

// Bans reads the bans, newest first.
func (o Ops) Bans(ctx context.Context, rows Rows) (Bans, error) {
	return askOps[Bans](ctx, o, http.MethodGet, "/v1/ops/bans", rows.query(), nil)
}

// NamedPlayer is a player found by name.
type NamedPlayer struct {
	Player     string `json:"player"`
	Name       string `json:"name"`
	Picture    string `json:"picture"`
	Country    string `json:"country"`
	Hidden     bool   `json:"hidden"`      // others see neither name nor picture
	LastPlayed string `json:"last_played"` // the newest date with a result in the database; "": none
}

// NamedPlayers is a page of players found by name.
type NamedPlayers struct {
	Players []NamedPlayer `json:"players"`
	Next    string        `json:"next"` // "" on the last page
}

// FindPlayers reads players whose names begin with name, in upper or lower case, by name. limit
// is 1 to 20, 0 for 20; cursor is Next of the previous page, "" for the first. Without a database
// the error is a [*Problem] with [CodeNoDatabase].
func (o Ops) FindPlayers(ctx context.Context, name string, limit int, cursor string) (NamedPlayers, error) {
	q := Rows{Limit: limit, Cursor: cursor}.query()
	q.Set("name", name)
	return askOps[NamedPlayers](ctx, o, http.MethodGet, "/v1/ops/players", q, nil)
}

// Act is one thing that was done.
type Act struct {
	ID     string          `json:"id"`
	At     time.Time       `json:"at"`
	Actor  string          `json:"actor"`
	Action string          `json:"action"`
	Player string          `json:"player"`
	Mode   string          `json:"mode"`
	Date   string          `json:"date"`
	Detail json.RawMessage `json:"detail"`
}

// Log is a page of what was done.
type Log struct {
	Entries []Act  `json:"entries"`
	Next    string `json:"next"` // "" on the last page
}

// Log reads what was done, newest first: bans, removals, erasures, and what was run by hand.
// Without a database the error is a [*Problem] with [CodeNoDatabase].
func (o Ops) Log(ctx context.Context, rows Rows) (Log, error) {
	return askOps[Log](ctx, o, http.MethodGet, "/v1/ops/log", rows.query(), nil)
}

// AuditedScore is what a submission did.
type AuditedScore struct {
	At           time.Time `json:"at"` // when Redis took it
	Mode         string    `json:"mode"`
	Date         string    `json:"date"`
	Player       string    `json:"player"` // a digest, if the player was erased
	Score        float64   `json:"score"`  // the score that was sent
	Values       Values    `json:"values"`
	Before       *float64  `json:"before"` // the score before; nil: none, or not known
	BeforeValues Values    `json:"before_values"`
	After        *float64  `json:"after"` // as Before
	AfterValues  Values    `json:"after_values"`
	Outcome      string    `json:"outcome"` // accepted, improved, kept, replayed, refused; unknown
	SentBy       string    `json:"sent_by"` // player, device, server, operator; "": not known
	PlayedAt     time.Time `json:"played_at"`
}

// ScoreAudit is a page of what submissions did.
type ScoreAudit struct {
	Entries []AuditedScore `json:"entries"`
	Next    string         `json:"next"` // "" on the last page
}

// AuditOf says whose submissions to read, and for which boards: a player, a mode, or both.
type AuditOf struct {
	Player, Mode string
	From, To     string // dates of boards; "" as GET /v1/ops/audit has them
	Limit        int    // 1 to 1,000; 0 for 100
	Cursor       string // Next of the previous page
}

// Audit reads what submissions did, in games with an audit, the newest date first.
func (o Ops) Audit(ctx context.Context, of AuditOf) (ScoreAudit, error) {
	q := Rows{Limit: of.Limit, Cursor: of.Cursor, Player: of.Player}.query()
	setText(q, "mode", of.Mode)
	setText(q, "from", of.From)
	setText(q, "to", of.To)
	return askOps[ScoreAudit](ctx, o, http.MethodGet, "/v1/ops/audit", q, nil)
}

// Statistics is who plays, as far as days are archived.
type Statistics struct {
	Players int64       `json:"players"`  // with a profile
	Active7 int64       `json:"active_7"` // with a result on one of the last 7 dates
	Banned  int64       `json:"banned"`
	Days    []PlayedDay `json:"days"` // oldest first; dates without results are left out
}

// PlayedDay is what was played on a date.
type PlayedDay struct {
	Date    string           `json:"date"`
	Players int64            `json:"players"` // with a result in any mode
	Results map[string]int64 `json:"results"` // players with a result, by mode
	Plays   *int64           `json:"plays"`   // accepted, in games with an outbox; nil in others
}

// Statistics counts who has played on the last dates, up to 90; 0 is 30. Without a database
// the error is a [*Problem] with [CodeNoDatabase].
func (o Ops) Statistics(ctx context.Context, days int) (Statistics, error) {
	q := url.Values{}
	if days > 0 {
		q.Set("days", strconv.Itoa(days))
	}
	return askOps[Statistics](ctx, o, http.MethodGet, "/v1/ops/statistics", q, nil)
}

// Maintenance says whether writes wait.
type Maintenance struct {
	On         bool      `json:"on"`
	Since      time.Time `json:"since"`
	Until      time.Time `json:"until"`
	Reason     string    `json:"reason"`
	Everywhere time.Time `json:"everywhere"` // when every process has noticed it
}

// Maintenance reads whether writes wait.
func (o Ops) Maintenance(ctx context.Context) (Maintenance, error) {
	return askOps[Maintenance](ctx, o, http.MethodGet, "/v1/ops/maintenance", nil, nil)
}

// SetMaintenance makes writes wait until a time, at most 7 days from now. Callers see the
// reason, of up to 500 characters.
func (o Ops) SetMaintenance(ctx context.Context, until time.Time, reason string) (Maintenance, error) {
	body := map[string]string{"until": until.UTC().Format(time.RFC3339)}
	if reason != "" {
		body["reason"] = reason
	}
	return askOps[Maintenance](ctx, o, http.MethodPut, "/v1/ops/maintenance", nil, body)
}

// EndMaintenance allows writes again.
func (o Ops) EndMaintenance(ctx context.Context) (Maintenance, error) {
	return askOps[Maintenance](ctx, o, http.MethodDelete, "/v1/ops/maintenance", nil, nil)
}

// askAbout sends a request about one player.
func askAbout[T any](ctx context.Context, o Ops, method, path, player string, body map[string]string) (T, error) {
	player, err := segment(player)
	if err != nil {
		var none T
		return none, err
	}
	return askOps[T](ctx, o, method, path+player, nil, body)
}

func askOps[T any](ctx context.Context, o Ops, method, path string, q url.Values, body map[string]string) (T, error) {
	r := Request{Method: method, Path: path, Query: q}
	if body != nil {
		var err error
		if r.Body, err = json.Marshal(body); err != nil {
			var none T
			return none, err
		}
	}
	return ask[T](ctx, o.c, r)
}

// DeadLetters are messages that could not be processed: scheduled runs that failed three
// times, and queued scores that could not be written. A nil queue does not exist.
type DeadLetters struct {
	FailedRuns   *DeadQueue `json:"failed_runs"`
	QueuedScores *DeadQueue `json:"queued_scores"`
}

// DeadQueue is one queue of dead letters.
type DeadQueue struct {
	Count   int64        `json:"count"`
	Redrive bool         `json:"redrive"` // whether they can be sent back
	Samples []DeadLetter `json:"samples"` // up to 10, in no order
}

// DeadLetter is one message.
type DeadLetter struct {
	ID         string    `json:"id"`
	SentAt     time.Time `json:"sent_at"` // when it entered its first queue
	AgeSeconds int64     `json:"age_seconds"`
	Receives   int64     `json:"receives"`
	Reason     string    `json:"reason"`  // "" where the log alone knows
	Message    string    `json:"message"` // at most its first 4,096 bytes
}

// DeadLetters reads the dead letters and leaves them in their queues.
func (o Ops) DeadLetters(ctx context.Context) (DeadLetters, error) {
	return askOps[DeadLetters](ctx, o, http.MethodGet, "/v1/ops/dead-letters", nil, nil)
}

// Redrive sends back queued scores that could not be written, and returns their number. Scores
// that were written before do not count twice.
func (o Ops) Redrive(ctx context.Context) (int64, error) {
	said, err := askOps[struct {
		SentBack int64 `json:"sent_back"`
	}](ctx, o, http.MethodPost, "/v1/ops/dead-letters/redrive", nil, nil)
	return said.SentBack, err
}
