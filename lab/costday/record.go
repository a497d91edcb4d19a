package costday

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/people"
	"github.com/framedle/leaderboards/upstash"
)

// Features that the founding record leaves to others; they have rows of their own. The
// record's code has boards of days, all-time XP, ranks, friends and weeks. Rate limits
// and streaks are those of the founding typing game, which runs on the same plan.
const (
	featureLimits  = "rate limits"
	featureCountry = "country boards"
	featureStreaks = "streaks"
	featureNames   = "names"
)

// Lives and sizes of the founding record.
const (
	recordDayLife    = 7 * 24 * 60 * 60  // seconds
	recordWeekLife   = 30 * 24 * 60 * 60 // seconds
	recordStreakLife = 7 * 24 * 60 * 60  // seconds
	recordReach      = 5
	recordTop        = 100
)

// slidingWindow counts a request in this minute and reads the minute before. It spends
// the commands of the usual rate limiter for Upstash: two GET and one INCRBY, and PEXPIRE
// for the first request of a minute.
//
// KEYS: this minute, the minute before. ARGV: milliseconds to live. Answer: the number of
// calls.
var slidingWindow = upstash.NewScript(`
redis.call('GET', KEYS[1])
redis.call('GET', KEYS[2])
if redis.call('INCRBY', KEYS[1], 1) ~= 1 then return 3 end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 4
`, func(r upstash.Reply) int {
	calls, err := r.Int64()
	if err != nil {
		return 0
	}
	return int(calls)
})

// record is the way in which the founding decision record keeps the boards of a game.
type record struct {
	redis *upstash.Client
	crowd crowd
	day   game.Date
}

// operation is one command of a feature.
type operation struct {
	feature string
	command upstash.Command
}

func (r record) board(mode string) string { return "lb:" + mode + ":" + r.day.String() }

func (r record) week(mode string) string { return "lb:" + mode + ":week:" + game.Week.Of(r.day).Key() }

// limited counts a request of a class for who.
func (r record) limited(class, who string, at time.Duration) operation {
	minute := int64(r.day.Midnight().Add(at).Unix() / 60)
	key := func(minute int64) string { return fmt.Sprintf("ratelimit:%s:%s:%d", class, who, minute) }
	return operation{featureLimits, slidingWindow.Command([]string{key(minute), key(minute - 1)}, "121000")}
}

// operations returns the commands of one event in its first round trip.
func (r record) operations(e event) []operation {
	player := r.crowd.all[e.player]
	board := r.board(e.mode)
	if e.act == submits {
		score, life := strconv.Itoa(e.score), strconv.Itoa(recordDayLife)
		scoped, streak := board+":country:"+player.Country, "streak:user:"+player.ID
		return []operation{
			r.limited("submit", player.ID, e.at),
			{routeSubmit, upstash.Cmd("ZADD", board, "NX", score, player.ID)},
			{routeSubmit, upstash.Cmd("EXPIRE", board, life)},
			{routeSubmit, upstash.Cmd("ZINCRBY", "lb:alltime:xp", score, player.ID)},
			{featureCountry, upstash.Cmd("ZADD", scoped, "NX", score, player.ID)},
			{featureCountry, upstash.Cmd("EXPIRE", scoped, life)},
			{featureStreaks, upstash.Cmd("GET", streak)},
			{featureStreaks, upstash.Cmd("GET", streak)},
			{featureStreaks, upstash.Cmd("SET", streak, `{"current":3,"longest":9,"last":"`+r.day.String()+`"}`, "EX", strconv.Itoa(recordStreakLife))},
		}
	}
	limit := r.limited("leaderboard", people.Address(e.player)+port, e.at)
	switch e.act {
	case looks:
		return []operation{limit, {routePage, top(board)}}
	case looksAround:
		return []operation{limit, {routeAround, upstash.Cmd("ZREVRANK", board, player.ID)}}
	case looksAtWeek:
		week := r.week(e.mode)
		return []operation{limit, {routeWeek, upstash.Cmd("ZREVRANK", week, player.ID)}, {routeWeek, upstash.Cmd("ZSCORE", week, player.ID)}}
	default:
		ops := []operation{limit}
		ids := people.Friends(r.crowd.all, e.player)
		for _, id := range ids {
			ops = append(ops, operation{routeFriends, upstash.Cmd("ZSCORE", board, id)})
		}
		return append(ops, operation{featureNames, names(ids)})
	}
}

// bundle is how many events share their round trips. This saves time and costs the same.
const bundle = 100

// serve runs the commands of events.
func (r record) serve(ctx context.Context, events []event, to Counter) error {
	var ops []operation
	read := make([]int, len(events)) // index of the reply that the next commands depend on
	for i, e := range events {
		read[i] = len(ops) + 1 // the first is the rate limit
		ops = append(ops, r.operations(e)...)
	}
	replies, err := r.send(ctx, to, ops...)
	if err != nil {
		return err
	}
	var shown []upstash.Reply
	ops = nil
	for i, e := range events {
		switch e.act {
		case looks:
			shown = append(shown, replies[read[i]])
		case looksAround:
			rank, err := replies[read[i]].Int64()
			if err != nil {
				return err
			}
			board := r.board(e.mode)
			first, last := max(0, rank-recordReach), rank+recordReach
			ops = append(ops,
				operation{routeAround, upstash.Cmd("ZREVRANGE", board, strconv.FormatInt(first, 10), strconv.FormatInt(last, 10), "WITHSCORES")},
				operation{routeAround, upstash.Cmd("ZCARD", board)})
		}
	}
	if replies, err = r.send(ctx, to, ops...); err != nil {
		return err
	}
	for i := 0; i < len(replies); i += 2 {
		shown = append(shown, replies[i])
	}
	ops = nil
	for _, reply := range shown {
		rows, err := reply.Strings()
		if err != nil {
			return err
		}
		var ids []string
		for i := 0; i < len(rows); i += 2 {
			ids = append(ids, rows[i])
		}
		ops = append(ops, operation{featureNames, names(ids)})
	}
	_, err = r.send(ctx, to, ops...)
	return err
}

func top(board string) upstash.Command {
	return upstash.Cmd("ZREVRANGE", board, "0", strconv.Itoa(recordTop-1), "WITHSCORES")
}

// names reads all names with one command. The record does not say where names come from,
// and this is the cheapest way.
func names(ids []string) upstash.Command {
	return upstash.Cmd(append([]string{"HMGET", recordNames}, ids...)...)
}

const recordNames = "names"

// weekly adds up the days of the week, with one union for each day and mode, and reads
// the top for Postgres.
func (r record) weekly(ctx context.Context, to Counter) error {
	for _, mode := range append([]string{firstMode}, otherModes...) {
		week := r.week(mode)
		var ops []operation
		for back := range 7 {
			day := record{day: r.day.AddDays(-1 - back)}.board(mode)
			ops = append(ops, operation{cronWeekly, upstash.Cmd("ZUNIONSTORE", week, "2", week, day, "AGGREGATE", "SUM")})
		}
		ops = append(ops,
			operation{cronWeekly, upstash.Cmd("EXPIRE", week, strconv.Itoa(recordWeekLife))},
			operation{cronWeekly, top(week)})
		if _, err := r.send(ctx, to, ops...); err != nil {
			return err
		}
	}
	return nil
}

// send sends operations in one round trip, and counts each one for its feature. The bytes
// and names of all of them are counted for the last one.
func (r record) send(ctx context.Context, to Counter, ops ...operation) ([]upstash.Reply, error) {
	if len(ops) == 0 {
		return nil, nil
	}
	commands := make([]upstash.Command, len(ops))
	for i, op := range ops {
		commands[i] = op.command
	}
	var meter upstash.Meter
	result, err := r.redis.Pipeline(upstash.WithMeter(ctx, &meter), commands...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, err
	}
	spent := meter.Usage()
	for i, op := range ops {
		calls := int64(0)
		if op.feature == featureLimits {
			if calls, err = result.Replies[i].Int64(); err != nil {
				return nil, err
			}
		}
		u := upstash.Usage{Commands: 1 + calls}
		spent.Commands -= u.Commands
		if i == len(ops)-1 {
			u.RoundTrips, u.BytesSent, u.BytesReceived, u.ByName = spent.RoundTrips, spent.BytesSent, spent.BytesReceived, spent.ByName
			u.Commands += spent.Commands // beyond the commands: a script that was sent with its source
		}
		to.Add(op.feature, u)
	}
	return result.Replies, nil
}
