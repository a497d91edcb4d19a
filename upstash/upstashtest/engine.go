package upstashtest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// Engine is the Redis behind the REST server. Safe for concurrent use.
type Engine struct {
	pool     *pool
	shared   *shared       // nil over the embedded one
	embedded *engine.Redis // nil over a real server
	// splitRank: the engine is older than Redis 7.2 and does not know Z[REV]RANK …
	// WITHSCORE. The server then asks for rank and score with two commands.
	splitRank bool
	// strict: if Upstash differs from Redis, commands are answered as Redis does.
	strict bool
	// maxReply bounds an answer as it is sent, in bytes; 0 means no bound.
	maxReply int
	catalog  *catalog
	scripts  shebangs
}

func openEngine(redisURL string, strict bool) (*Engine, error) {
	e := &Engine{catalog: newCatalog(), strict: strict}
	if redisURL == "" {
		var err error
		if e.embedded, err = engine.Start(strict); err != nil {
			return nil, err
		}
		redisURL = "redis://" + e.embedded.Addr()
	}
	var err error
	if e.pool, err = newPool(redisURL); err != nil {
		return nil, errors.Join(err, e.close())
	}
	if e.embedded == nil {
		e.shared = &shared{dial: e.pool.dial}
	}
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	version, err := e.version(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("upstashtest: engine at %s: %w", e.pool.addr, err), e.close())
	}
	e.splitRank = olderThan(version, 7, 2)
	return e, nil
}

// EngineError is an error reply of the engine, such as "ERR syntax error".
type EngineError = resp.Error

// Addr is the engine's host:port. Connect to it only over a real server: an embedded
// engine answers correctly only what comes through REST or Do.
func (e *Engine) Addr() string { return e.pool.addr }

// Do runs one command as it is, also one that REST could not carry. The value is nil,
// int64, string or []any of these; an element of []any may also be an EngineError.
// Errors: an EngineError if the engine refused the command, otherwise the error of the
// connection. Do waits at most 30 s.
func (e *Engine) Do(ctx context.Context, args ...string) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("upstashtest: empty command, want a name and arguments")
	}
	raw := make([][]byte, len(args))
	for i, arg := range args {
		raw[i] = []byte(arg)
	}
	e.catalog.kind(raw[0]).sent.Add(1)
	var value any
	err := e.with(ctx, func(c *conn) (err error) {
		value, err = c.do(raw...)
		return err
	})
	if refusal, ok := value.(EngineError); ok {
		return nil, refusal
	}
	return value, err
}

// with lends a connection to f. Over an embedded engine it serves one caller at a time.
func (e *Engine) with(ctx context.Context, f func(*conn) error) error {
	if e.embedded == nil {
		return e.pool.with(ctx, f)
	}
	defer e.embedded.Enter()()
	return e.pool.with(ctx, f)
}

func (e *Engine) close() error {
	if e.shared != nil {
		e.shared.close()
	}
	if e.pool != nil {
		e.pool.close()
	}
	if e.embedded != nil {
		e.embedded.Close()
	}
	return nil
}

func (e *Engine) version(ctx context.Context) (string, error) {
	v, err := e.Do(ctx, "INFO", "server")
	if err != nil {
		return "", err
	}
	text, _ := v.(string)
	for line := range strings.SplitSeq(text, "\r\n") {
		if version, ok := strings.CutPrefix(line, "redis_version:"); ok {
			return version, nil
		}
	}
	return "", errors.New("INFO server has no redis_version")
}

func olderThan(version string, major, minor int) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	gotMajor, err1 := strconv.Atoi(parts[0])
	gotMinor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return false
	}
	return gotMajor < major || gotMajor == major && gotMinor < minor
}
