//go:build lambda

package host

import (
	"context"
	"errors"
	"net/http"
	"time"
)

func runHTTP(context.Context, http.Handler, time.Duration) error {
	return errors.New("AWS_LAMBDA_RUNTIME_API (set by Lambda) is empty, and this build serves on Lambda alone: for another host build it without the tag lambda")
}
