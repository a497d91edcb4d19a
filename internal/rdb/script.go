package rdb

import "github.com/framedle/leaderboards/upstash"

func FirstInt(r upstash.Reply) int {
	values, err := r.Array()
	if err != nil || len(values) == 0 {
		return 0
	}
	n, err := values[0].Int64()
	if err != nil {
		return 0
	}
	return int(n)
}
