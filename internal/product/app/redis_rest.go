//go:build !redis

package app

import (
	"errors"

	"github.com/framedle/leaderboards/upstash"
)

func plainRedis(string) (upstash.Transport, error) {
	return nil, errors.New("this build speaks to Upstash over REST only: build it with -tags redis")
}
