// Package tcpredis opens a Redis or Valkey over the Redis protocol, and refuses one that the
// product cannot use.
//
// It knows addresses, and what a server says of itself. Its driver is too large for a
// function: only programs that run for days, and tools, may link it.
package tcpredis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
)

// The oldest server that answers every command as the product expects.
const oldestMajor, oldestMinor = 7, 2

// lookTime is how long a server has to say what it is.
const lookTime = 2 * time.Second

const form = "use redis://USER:PASSWORD@HOST:6379/0, or rediss:// for TLS; user, password, port and database may be left out"

// Open connects to the server at an address. A server that answers and is of the wrong kind or
// version is an error; one that does not answer is none, since it may come back. No error shows
// the password. c has the other settings of the client.
func Open(ctx context.Context, address string, c upstash.Config) (*upstash.Client, error) {
	if err := check(address); err != nil {
		return nil, err
	}
	transport, err := redistransport.New(address)
	if err != nil {
		return nil, fmt.Errorf("the options after ? are not known: %s", form)
	}
	c.Transport = transport
	client, err := upstash.New(c)
	if err != nil {
		return nil, err
	}
	once, err := upstash.New(upstash.Config{Transport: transport, Attempts: 1, Timeout: lookTime})
	if err != nil {
		return nil, err
	}
	reply, err := once.Do(ctx, upstash.Cmd("INFO"))
	if err != nil {
		return client, nil // it is away, or does not know the user; the first request says which
	}
	info, _ := reply.Text()
	if err := fit(fields(info)); err != nil {
		_ = transport.Close()
		return nil, err
	}
	return client, nil
}

// check returns what is wrong with an address.
func check(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("it is not a URL; percent-encode what is special in the password: " + form)
	case u.Scheme == "http" || u.Scheme == "https":
		return errors.New("it is an address for REST: set it as UPSTASH_REDIS_REST_URL, with UPSTASH_REDIS_REST_TOKEN, or " + form)
	case u.Scheme != "redis" && u.Scheme != "rediss":
		return fmt.Errorf("it begins with %.20q: %s", u.Scheme, form)
	case u.Hostname() == "":
		return errors.New("it names no host: " + form)
	case u.Fragment != "":
		return errors.New("it has a #; percent-encode what is special in the password: " + form)
	}
	if db := strings.Trim(u.Path, "/"); db != "" {
		if n, err := strconv.Atoi(db); err != nil || n < 0 {
			return fmt.Errorf("the database %.20q is not a number from 0 on: %s", db, form)
		}
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return fmt.Errorf("the port %.20q is not one from 1 to 65535: %s", port, form)
		}
	}
	return nil
}

// fields are the lines name:value of INFO.
func fields(info string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			all[name] = value
		}
	}
	return all
}

// fit returns every reason why a server cannot hold boards.
func fit(info map[string]string) error {
	var errs []error
	refuse := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	switch cmp.Or(info["server_mode"], info["redis_mode"]) { // Valkey's name, and Redis'
	case "cluster":
		refuse("the server is a node of a cluster, and scripts need all keys on one server: use a server that is not in cluster mode")
	case "sentinel":
		refuse("the server is a Sentinel: use the address of the primary that it watches")
	}
	if info["role"] == "slave" {
		refuse("the server is a replica, which takes no writes: use its primary")
	}
	// Valkey reports under redis_version which Redis it is compatible with.
	if version := info["redis_version"]; !since(version, oldestMajor, oldestMinor) {
		refuse("the server has version %q: use Redis %d.%d or later, or Valkey", version, oldestMajor, oldestMinor)
	}
	if policy := info["maxmemory_policy"]; policy != "" && policy != "noeviction" && info["maxmemory"] != "0" {
		refuse("the server evicts keys (maxmemory-policy %s), and would remove boards: set noeviction", policy)
	}
	return errors.Join(errs...)
}

// since reports whether a version is at least major.minor.
func since(version string, major, minor int) bool {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(first)
	if err != nil {
		return false
	}
	b, err := strconv.Atoi(second)
	return err == nil && (a > major || a == major && b >= minor)
}
