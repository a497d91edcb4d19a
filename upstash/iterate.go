package upstash

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Scan reads a part of a key's members with HSCAN, SSCAN or ZSCAN: about count of them, or all
// members of a small key. The cursor "" is the beginning, and next "" the end. A member that
// exists during the whole scan is read at least once. Members and values alternate, except for
// sets, which have only members.
//
// Cost: 1 billed command.
func Scan(ctx context.Context, c *Client, how, key, cursor string, count int) (pairs []string, next string, err error) {
	if cursor == "" {
		cursor = "0"
	}
	reply, err := c.Do(ctx, Cmd(how, key, cursor, "COUNT", strconv.Itoa(count)))
	if err != nil {
		return nil, "", fmt.Errorf("read %s on: %w", key, err)
	}
	return scanned(reply)
}

// ScanKeys reads a part of the keys that match a pattern, as Scan does. It examines about
// count of all keys.
//
// Cost: 1 billed command.
func ScanKeys(ctx context.Context, c *Client, pattern, cursor string, count int) (keys []string, next string, err error) {
	if cursor == "" {
		cursor = "0"
	}
	reply, err := c.Do(ctx, Cmd("SCAN", cursor, "MATCH", pattern, "COUNT", strconv.Itoa(count)))
	if err != nil {
		return nil, "", fmt.Errorf("look for %s: %w", pattern, err)
	}
	return scanned(reply)
}

func scanned(reply Reply) (members []string, next string, err error) {
	parts, err := reply.Array()
	if err == nil && len(parts) != 2 {
		err = fmt.Errorf("a cursor and members are due, not %d values", len(parts))
	}
	if err != nil {
		return nil, "", err
	}
	if next, err = parts[0].Text(); err != nil {
		return nil, "", err
	}
	if next = strings.Clone(next); next == "0" {
		next = ""
	}
	members, err = parts[1].Strings()
	for i, m := range members {
		members[i] = strings.Clone(m)
	}
	return members, next, err
}
