package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/template"
)

// environment returns the variables of a function as the template sets them, with the
// values that lookup knows. A literal value in the template is the default.
func environment(fn template.Function, lookup func(string) (string, bool)) map[string]string {
	env := make(map[string]string, len(fn.Env))
	for name, declared := range fn.Env {
		if value, ok := lookup(name); ok {
			env[name] = value
		} else if !strings.HasPrefix(declared, "!") {
			env[name] = declared
		}
	}
	return env
}

// remote returns the variables that name a host other than this machine, sorted, each with the
// host. Keys of issuers are only read, and are not a store.
func remote(env map[string]string) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if !strings.Contains(name, "_URL") || name == "CLERK_JWKS_URL" {
			continue
		}
		for _, address := range strings.FieldsFunc(env[name], func(r rune) bool { return r == ',' || r == ' ' }) {
			if host := hostOf(address); !loopback(host) {
				found = append(found, name+" ("+host+")")
				break
			}
		}
	}
	return found
}

// hostOf returns the host of an address, without credentials: of a URL, of keywords and values
// as Postgres takes them, or of a site's name=URL.
func hostOf(address string) string {
	if _, after, ok := strings.Cut(address, "://"); ok {
		address = "x://" + after
	} else {
		_, address, _ = strings.Cut(address, "host=")
		address = "x://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	return u.Hostname()
}

// loopback reports whether a host is this machine; a socket or no host at all is.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || host == "localhost" || ip != nil && ip.IsLoopback()
}

func readEnvFile(path string) (func(string) (string, bool), error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the environment: %w", err)
	}
	values, err := parseEnv(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}, nil
}

// parseEnv reads lines of NAME=value. It ignores empty lines and lines that begin with #.
// A value may be in single or double quotes; in double quotes \n is the end of a line.
// Nothing is expanded.
func parseEnv(data []byte) (map[string]string, error) {
	values := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(strings.TrimPrefix(name, "export "))
		if !ok || name == "" || strings.ContainsAny(name, " \t\x00") || strings.ContainsRune(value, 0) {
			return nil, fmt.Errorf("line %d: want NAME=value", n)
		}
		values[name] = unquoted(strings.TrimSpace(value))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading lines: %w", err)
	}
	return values, nil
}

func unquoted(value string) string {
	if len(value) < 2 || value[0] != value[len(value)-1] {
		return value
	}
	switch value[0] {
	case '"':
		return strings.ReplaceAll(value[1:len(value)-1], `\n`, "\n")
	case '\'':
		return value[1 : len(value)-1]
	default:
		return value
	}
}
