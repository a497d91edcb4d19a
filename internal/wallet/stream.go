package wallet

import (
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// spendOf reads one entry of the stream of what was spent.
func spendOf(row upstash.Reply) (entry string, s Spend, err error) {
	parts, err := row.Array()
	if err != nil {
		return "", s, err
	}
	if len(parts) != 2 {
		return "", s, rdb.WrongShape("an id and its fields", len(parts))
	}
	if entry, err = parts[0].Text(); err != nil {
		return "", s, err
	}
	fields, err := parts[1].Strings()
	if err != nil {
		return "", s, err
	}
	of := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		of[fields[i]] = fields[i+1]
	}
	s = Spend{ID: of["id"], Player: of["player"], Currency: of["currency"], Item: of["item"]}
	if s.Amount, err = strconv.ParseInt(of["amount"], 10, 64); err != nil {
		return "", s, err
	}
	ms, err := strconv.ParseInt(of["at"], 10, 64)
	s.At = time.UnixMilli(ms).UTC()
	return entry, s, err
}
