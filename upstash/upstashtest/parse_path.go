package upstashtest

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// parsePath reads a command from /NAME/arg/…?ARG=value and a body: path
// segments first, then the body when there is one, then the query (a name
// without = is one argument, with = two; _token is not part of it).
func parsePath(escapedPath, rawQuery string, body []byte) (command, error) {
	var c command
	for segment := range strings.SplitSeq(strings.TrimPrefix(escapedPath, "/"), "/") {
		arg, err := url.PathUnescape(segment)
		if err != nil {
			return command{}, fmt.Errorf("path segment %q: %w", segment, err)
		}
		c.args = append(c.args, []byte(arg))
	}
	if len(c.args[0]) == 0 {
		return command{}, errors.New("empty command name; send /GET/key, or the command as a JSON array in the body of a POST to /")
	}
	if len(body) > 0 {
		c.args = append(c.args, body)
	}
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, value, hasValue := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return command{}, fmt.Errorf("query %q: %w", pair, err)
		}
		if name == "" || name == tokenParameter {
			continue
		}
		c.args = append(c.args, []byte(name))
		if !hasValue {
			continue
		}
		value, err = url.QueryUnescape(value)
		if err != nil {
			return command{}, fmt.Errorf("query %q: %w", pair, err)
		}
		c.args = append(c.args, []byte(value))
	}
	if len(c.args) > maxArguments {
		return command{}, fmt.Errorf("more than %d arguments in one command", maxArguments)
	}
	for _, arg := range c.args {
		c.size += len(arg)
	}
	return c, nil
}
