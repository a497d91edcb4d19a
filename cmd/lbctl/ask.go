package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/demo"
)

// first returns the first of several secrets separated by commas: a deployment accepts each of
// them, a request sends one.
func first(secrets string) string {
	one, _, _ := strings.Cut(secrets, ",")
	return strings.TrimSpace(one)
}

// operatorTimeout is longer than any function's own: a status may have to wake a database.
const operatorTimeout = time.Minute

// localSecrets reads the secrets of a product of cmd/local.
func localSecrets(ctx context.Context, address string) (demo.Secrets, error) {
	local, err := demo.NewClient(address)
	if err != nil {
		return demo.Secrets{}, err
	}
	defer local.Close()
	return local.Secrets(ctx)
}

// askOperator reads something that only the operator may. Its token comes from the
// environment, or from a product of cmd/local at the address.
func askOperator(ctx context.Context, c console, address, path string, query url.Values) ([]byte, error) {
	token := first(c.getenv("OPS_TOKEN"))
	if token == "" {
		secrets, err := localSecrets(ctx, address)
		if err != nil {
			return nil, fmt.Errorf("OPS_TOKEN must be set to the product's own, or a product of cmd/local must run at %s: %w", address, err)
		}
		token = secrets.OpsToken
	}
	operator, err := client.New(client.Config{URL: address, OpsToken: token, Timeout: operatorTimeout})
	if err != nil {
		return nil, err
	}
	defer operator.Close()
	answer, err := operator.Do(ctx, client.Request{Method: http.MethodGet, Path: path, Query: query})
	if err != nil {
		return nil, err
	}
	if answer.Status != http.StatusOK {
		var problem struct{ Detail string }
		_ = json.Unmarshal(answer.Body, &problem) // without a detail, the status has to do
		return nil, fmt.Errorf("the product answered with status %d: %s", answer.Status, problem.Detail)
	}
	return answer.Body, nil
}
