package ops

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/status"
)

// Status reports the state of the product.
type Status interface {
	Report(ctx context.Context) (status.Status, error)
}

// statusOf is the endpoint of the state of the product.
type statusOf struct{ product Status }

// getStatus reports the state of the product: GET /v1/ops/status. The answer lists problems,
// and is 200 even if there are some.
func (s statusOf) getStatus(w http.ResponseWriter, r *gate.Request) error {
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	report, err := s.product.Report(r.Context())
	if err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, report)
}
