package local

import (
	"context"
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// The values of Options.Redis besides a redis:// address.
const (
	RedisAuto     = "auto"     // a server found on this machine, else embedded
	RedisEmbedded = "embedded" // in this process; for some ten thousand players
)

// startRedis starts the Redis for the boards if needed, and the local Upstash server in front
// of it.
func (p *Product) startRedis(ctx context.Context, o Options) error {
	url := o.Redis
	switch {
	case url == RedisEmbedded:
		url, p.RedisKind = "", "embedded Redis"
	case url == "" || url == RedisAuto:
		url, p.RedisKind = "", "embedded Redis (install valkey-server or redis-server for boards beyond some ten thousand players)"
		if path, ok := redisd.Find(); ok {
			server, err := redisd.Start(ctx, redisd.Options{Path: path, Dir: o.Data})
			if err != nil {
				return err
			}
			p.closers = append(p.closers, server.Stop)
			url, p.RedisKind = server.URL(), path+" at "+server.Addr()
		}
	case strings.HasPrefix(url, "redis://"):
		p.RedisKind = "the Redis given by -redis"
	default:
		return fmt.Errorf("-redis %s: use auto, embedded or redis://host:port", url)
	}
	server, err := upstashtest.New(upstashtest.Options{Redis: url})
	if err != nil {
		return err
	}
	p.Upstash = server
	p.closers = append(p.closers, server.Close)
	return nil
}
