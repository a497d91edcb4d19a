package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/internal/apiclient"
)

// first is the one of several secrets, separated by commas, that is sent: a
// deployment takes each of them, a request has place for one.
func first(secrets string) string {
	one, _, _ := strings.Cut(secrets, ",")
	return strings.TrimSpace(one)
}

// askOperator gets what only the operator is told. The token is that of the
// environment, or that of a product that cmd/local runs at the address.
func askOperator(ctx context.Context, c console, url, path, query string) ([]byte, error) {
	config := apiclient.Config{URL: url, OpsToken: first(c.getenv("OPS_TOKEN"))}
	client, err := apiclient.New(config)
	if err != nil {
		return nil, err
	}
	defer func() { client.Close() }()
	if config.OpsToken == "" {
		secrets, err := client.LocalSecrets(ctx)
		if err != nil {
			return nil, fmt.Errorf("OPS_TOKEN must be set to the product's own, or a product of cmd/local must run at %s: %w", url, err)
		}
		client.Close()
		config.OpsToken = secrets.OpsToken
		if client, err = apiclient.New(config); err != nil {
			return nil, err
		}
	}
	answer, err := client.Get(ctx, path, query)
	if err != nil {
		return nil, err
	}
	if answer.Status != http.StatusOK {
		var problem struct{ Detail string }
		_ = json.Unmarshal(answer.Body, &problem) // the status tells where this does not
		return nil, fmt.Errorf("the product answered with status %d: %s", answer.Status, problem.Detail)
	}
	return answer.Body, nil
}
