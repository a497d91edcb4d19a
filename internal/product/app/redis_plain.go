//go:build redis

package app

import (
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
)

func plainRedis(url string) (upstash.Transport, error) {
	transport, err := redistransport.New(url)
	if err != nil {
		return nil, err
	}
	return transport, nil
}
