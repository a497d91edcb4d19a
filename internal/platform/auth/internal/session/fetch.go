package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// KeySource returns a key set as published, cut after 64 KiB and one byte. It must return when
// ctx ends.
type KeySource func(ctx context.Context) ([]byte, error)

// FetchFrom returns the source that gets an https URL through transport; nil is
// http.DefaultTransport. It does not follow redirects, which could lead away from https, or
// to somebody else's keys.
func FetchFrom(transport http.RoundTripper, address string) (KeySource, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || address != strings.TrimSpace(address) {
		return nil, fmt.Errorf("%q is not the URL of a key set: use https, such as https://clerk.example.com/.well-known/jwks.json", address)
	}
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func(ctx context.Context) ([]byte, error) { return get(ctx, client, address) }, nil
}

func get(ctx context.Context, client *http.Client, address string) (body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("asking for the key set: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking for the key set: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking for the key set: %s answered %d: want 200", address, response.StatusCode)
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, maxSet+1))
	if err != nil {
		return nil, fmt.Errorf("reading the key set: %w", err)
	}
	return body, nil
}
